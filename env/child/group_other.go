//go:build !unix && !windows

package child

import "os/exec"

// Apart does nothing: this system has no groups of processes.
func Apart(*exec.Cmd) {}

// Kill ends a program.
func Kill(cmd *exec.Cmd) error { return cmd.Process.Kill() }
