//go:build unix

package childtest

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// Alive reports whether a process is there. One that has ended and is yet to be waited for by its parent is not.
func Alive(pid int) bool {
	if status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		_, rest, _ := strings.Cut(string(status), ") ")
		return !strings.HasPrefix(rest, "Z")
	}
	return syscall.Kill(pid, 0) == nil
}
