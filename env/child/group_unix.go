//go:build unix

package child

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Apart puts a program that is yet to be started into a process group of its own, so that it can be ended with all that it
// starts.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// Kill ends a program that Apart was called for, and its group. It returns os.ErrProcessDone when nothing is left of them.
func Kill(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
