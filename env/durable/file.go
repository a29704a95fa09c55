package durable

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// This file is a file that appears under its name only when it is complete.

// Temporary is the ending of names that are not complete yet. What carries it after a crash can be removed.
const Temporary = ".tmp"

// A File is being written under a temporary name beside its own. Exactly one of Commit and Abort decides what becomes
// of it; Abort after Commit does nothing, so that it can be deferred.
type File struct {
	path   string
	file   *os.File // nil once the file is committed or aborted
	buffer *bufio.Writer
}

// errDirectory is known at the start, so that nothing is written in vain.
var errDirectory = errors.New("it is a directory, expected a file or a free name")

// Create starts a file. What stands at path stays there until Commit; a directory is refused.
func Create(path string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "create", Path: path, Err: errDirectory}
	}
	file, err := os.Create(path + Temporary)
	if err != nil {
		return nil, err
	}
	return &File{path: path, file: file, buffer: bufio.NewWriterSize(file, 1<<16)}, nil
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// Commit makes the file appear under its name. After an error nothing has changed there, unless the error came from the
// very last step, the sync of the directory.
func (f *File) Commit() error {
	if err := errors.Join(f.buffer.Flush(), f.file.Sync()); err != nil {
		return errors.Join(err, f.Abort())
	}
	name := f.file.Name()
	err := f.file.Close()
	f.file = nil
	if err == nil {
		err = Rename(name, f.path)
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}

// Abort gives the file up and removes the temporary one.
func (f *File) Abort() error {
	if f.file == nil {
		return nil
	}
	err := errors.Join(f.file.Close(), os.Remove(f.file.Name()))
	f.file = nil
	return err
}

// WriteFile writes a whole file by a function. When that fails, what stood at path is still there.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// Rename renames a file or directory and makes the new name last.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(to))
}

// SyncFile makes the content of a file last that another piece of code wrote.
func SyncFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// SyncDir makes the names in a directory last. Windows has no such call and needs none; there it does nothing.
func SyncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
