//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"
	"syscall"
)

// try opens and locks a file by flock(2), which the kernel undoes when the last descriptor is closed.
func try(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := flock(file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

func flock(file *os.File) error {
	for {
		switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errHeld
		case err != syscall.EINTR:
			return &os.PathError{Op: "flock", Path: file.Name(), Err: err}
		}
	}
}

// remove removes a lock's file while it is still locked, so that whoever waits for it sees that it is gone, and releases it.
func remove(file *os.File, path string) {
	os.Remove(path)
	file.Close()
}

// mark locks a file that is new, so that reclaim leaves it. Where the file system has no locks, reclaim can take none either.
func mark(file *os.File) error {
	err := flock(file)
	if errors.Is(err, errHeld) || err == nil && !Named(file) { // reclaim came between
		return errHeld
	}
	return nil
}

// reclaim removes a file while its lock is held here. Whoever made it may have renamed it between its opening and the lock.
func reclaim(path string) bool {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return errors.Is(err, os.ErrNotExist) // Create has made no link or folder
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	defer file.Close()
	return flock(file) == nil && (!Named(file) || os.Remove(path) == nil)
}
