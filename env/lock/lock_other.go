//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package lock

import (
	"errors"
	"os"
)

// try fails: a system without locks has no folders that two processes could share.
func try(path string) (*os.File, error) {
	return nil, &os.PathError{Op: "lock", Path: path, Err: errors.ErrUnsupported}
}

func remove(file *os.File, path string) { file.Close() }

func mark(*os.File) error { return nil }

func reclaim(string) bool { return false }
