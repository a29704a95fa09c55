//go:build !unix

package childtest

import "os"

// Alive reports whether a process is there.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
