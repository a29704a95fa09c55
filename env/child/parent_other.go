//go:build !linux

package child

import "os/exec"

// dieWithParent does nothing: this system does not tell a child that its parent has died.
func dieWithParent(*exec.Cmd) {}
