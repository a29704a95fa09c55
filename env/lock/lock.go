// Package lock keeps two processes from working in the same folder, or on the same file. A lock is a file, on which the
// operating system holds it: it does not outlive its process, however that ends, though the file does.
package lock

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is the name of the lock that Folder takes.
const File = "lock"

// errHeld is what try returns when another process, or another lock in this one, has the file.
var errHeld = errors.New("the lock is held")

// A HeldError says that a folder is in use elsewhere.
type HeldError struct {
	Dir string
	PID int // the process that uses it, 0 when not known
}

// Error names the folder, who has it, and what to do.
func (e *HeldError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("%s: in use by %s, expected no other one in this folder: wait for it or stop it, or choose another folder", e.Dir, who)
}

// Folder takes the lock of a folder, and writes this process's id into it for others to name. Closing the file releases it; the
// file stays, for Holder. The error is a *HeldError when another has the lock.
func Folder(dir string) (*os.File, error) { return take(dir, File) }

func take(dir, name string) (*os.File, error) {
	path := filepath.Join(dir, name)
	file, err := try(path)
	if errors.Is(err, errHeld) {
		return nil, &HeldError{Dir: dir, PID: holder(path)}
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", dir, err)
	}
	// The id is only there to be read by people: that it cannot be written is no reason not to run.
	if file.Truncate(0) == nil {
		fmt.Fprintln(file, os.Getpid())
	}
	return file, nil
}

// Briefly takes a lock of a folder, in a file of the given name, and returns the function that releases it and removes the
// file. The error is a *HeldError when another has the lock.
func Briefly(dir, name string) (release func(), err error) {
	path := filepath.Join(dir, name)
	for {
		file, err := take(dir, name)
		if err != nil {
			return nil, err
		}
		// Who had the lock before may have removed the file between its opening here and the lock on it. A lock on a file that
		// nobody finds any more is none.
		if Named(file) {
			return func() { remove(file, path) }, nil
		}
		file.Close()
	}
}

// Named reports whether an open file is still the one of its name.
func Named(file *os.File) bool {
	opened, err := file.Stat()
	found, other := os.Stat(file.Name())
	return err == nil && other == nil && os.SameFile(opened, found)
}

// Create creates a file that is in use until it is closed: Reclaim does not remove it. The error is fs.ErrExist when there is
// one of that name.
func Create(path string) (*os.File, error) {
	for {
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, err
		}
		if mark(file) == nil {
			return file, nil
		}
		file.Close()
	}
}

// Reclaim removes a file that Create made and whose process ended without removing it. It reports whether the name is free now,
// which it is not where the file is in use or that cannot be known, as on a file system without locks.
func Reclaim(path string) bool { return reclaim(path) }

// holder reads the process id in a lock file, 0 when there is none.
func holder(path string) int {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 20))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

// Holder returns the id of the process that had a folder last, or has it now, and 0 when that is not known. It does not touch
// the lock.
func Holder(dir string) int { return holder(filepath.Join(dir, File)) }
