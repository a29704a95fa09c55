package child

import (
	"os/exec"
	"strconv"
	"syscall"
)

// Apart puts a program that is yet to be started into a process group of its own, so that Ctrl-C reaches it through us
// alone.
func Apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// Kill ends a program and all that it started.
func Kill(cmd *exec.Cmd) error {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
		return nil
	}
	return cmd.Process.Kill()
}
