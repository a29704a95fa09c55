package lock

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// errSharing is ERROR_SHARING_VIOLATION: somebody has the file open in a way that excludes ours.
const errSharing = syscall.Errno(32)

// try opens a file for writing and lets others open it for reading only, which lasts until the handle is closed.
func try(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, errSharing) {
		return nil, errHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}

// remove releases a lock and removes its file, which fails, as it should, when another has taken it in between.
func remove(file *os.File, path string) {
	file.Close()
	os.Remove(path)
}

// mark does nothing: an open file cannot be removed.
func mark(*os.File) error { return nil }

// reclaim removes a file that nobody has open, unless it is so new that its maker may have just closed it to rename it.
func reclaim(path string) bool {
	const settled = time.Minute
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return errors.Is(err, os.ErrNotExist) // Create has made no link or folder
	}
	return time.Since(info.ModTime()) > settled && os.Remove(path) == nil
}
