//go:build unix

package durable

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe into which nobody writes would never be opened.
func TestOpenDoesNotWaitForAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipes: %v", err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "a named pipe, expected a regular file") {
		t.Errorf("the error is %v, want that it is a named pipe", err)
	}
}
