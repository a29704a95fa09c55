//go:build unix

package engine_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// alive reports whether a process is there. One that has ended and is yet to be waited for by its parent is not.
func alive(pid int) bool {
	if status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil {
		_, rest, _ := strings.Cut(string(status), ") ")
		return !strings.HasPrefix(rest, "Z")
	}
	return syscall.Kill(pid, 0) == nil
}
