package conformance

import (
	"os/exec"
	"strconv"
	"syscall"
)

// apart puts a program into a process group of its own, so that Ctrl-C reaches it through us alone.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// kill ends a program and all that it started.
func kill(cmd *exec.Cmd) error {
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run() == nil {
		return nil
	}
	return cmd.Process.Kill()
}
