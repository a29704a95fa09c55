package child

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system kill a child that Apart was called for when the thread ends that starts it.
func dieWithParent(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL }
