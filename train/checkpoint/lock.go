package checkpoint

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// This file is the lock that keeps two runs out of one store. The file stays when the process ends; the lock on it
// does not, however the process ends, because the operating system holds it.

// lockFile is the lock's name in the store.
const lockFile = "lock"

// errHeld is what tryLock returns when another process, or another store in this one, has the lock.
var errHeld = errors.New("the lock is held")

// A LockedError says that a store is open elsewhere.
type LockedError struct {
	Dir string
	PID int // the process that has it open, 0 when not known
}

// Error names the store, who has it, and what to do.
func (e *LockedError) Error() string {
	who := "another process"
	if e.PID != 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("%s: in use by %s, expected no other run in this directory: wait for it or stop it, or choose another directory", e.Dir, who)
}

// Lock takes the lock of a folder, and writes this process's id into it for others to name. Closing the file
// releases it. The error is a *LockedError when another has it.
func Lock(dir string) (*os.File, error) {
	path := filepath.Join(dir, lockFile)
	file, err := tryLock(path)
	if errors.Is(err, errHeld) {
		return nil, &LockedError{Dir: dir, PID: holder(path)}
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

// Holder returns the id of the process that had a store open last, or has it open now, and 0 when that is not known. It does
// not touch the lock.
func Holder(dir string) int { return holder(filepath.Join(dir, lockFile)) }
