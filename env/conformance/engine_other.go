//go:build !unix && !windows

package conformance

import "os/exec"

// apart does nothing: this system has no groups of processes.
func apart(*exec.Cmd) {}

// kill ends a program.
func kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
