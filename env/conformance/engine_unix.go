//go:build unix

package conformance

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// apart puts a program into a process group of its own, so that it can be ended with all that it starts.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a program and its group.
func kill(cmd *exec.Cmd) error {
	err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
