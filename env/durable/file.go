package durable

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"kiothi/env/lock"
)

// This file is a file that appears under its name only when it is complete.

// Temporary is the ending of names that are not complete yet. What carries it after a crash can be removed; the next File of
// the same path does so, where it is in that file's way.
const Temporary = ".tmp"

// part stands before the ending in the temporary name of a File, so that it is not one that somebody else gives a file.
const part = ".part"

// temporary returns the nth temporary name of a path. Each that writes it at the same time has one of its own.
func temporary(path string, n int) string {
	path += part
	if n > 1 {
		path += "-" + strconv.Itoa(n)
	}
	return path + Temporary
}

// IsTemporary reports whether a name is one that a File of the given name has until it is complete.
func IsTemporary(name, of string) bool {
	number, begins := strings.CutPrefix(name, of+part)
	number, ends := strings.CutSuffix(number, Temporary)
	if !begins || !ends || number == "" {
		return begins && ends
	}
	n, err := strconv.Atoi(strings.TrimPrefix(number, "-"))
	return err == nil && n > 1 && name == temporary(of, n)
}

// A File is being written under a temporary name beside its own, which no other File has: of several that are written to one
// path at the same time, the last one committed stays. Exactly one of Commit and Abort decides what becomes of it; Abort after
// Commit does nothing, so that it can be deferred.
type File struct {
	path   string
	file   *os.File // nil once the file is committed or aborted
	buffer *bufio.Writer
}

// errDirectory is known at the start, so that nothing is written in vain.
var errDirectory = errors.New("it is a directory, expected a file or a free name")

// ErrBusy is in the error of CreateAlone.
var ErrBusy = errors.New("another program is writing it")

// Create starts a file. What stands at path stays there until Commit; a directory is refused. Where path is a symbolic link,
// the file is the one that it leads to.
func Create(path string) (*File, error) { return create(path, math.MaxInt) }

// CreateAlone is Create for what takes long. It fails with ErrBusy while another File of the same path is written, of which one
// would be lost.
func CreateAlone(path string) (*File, error) { return create(path, 1) }

// create starts a file that is at most the nth of its path.
func create(path string, most int) (*File, error) {
	given := path
	path, err := follow(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "create", Path: given, Err: errDirectory}
	}
	for n := 1; n <= most; {
		name := temporary(path, n)
		file, err := lock.Create(name)
		var wrong *fs.PathError
		switch {
		case err == nil:
			return &File{path: path, file: file, buffer: bufio.NewWriterSize(file, 1<<16)}, nil
		case !errors.Is(err, fs.ErrExist):
			if errors.As(err, &wrong) {
				err = &fs.PathError{Op: "create", Path: given, Err: wrong.Err} // the temporary name says nothing to anybody
			}
			return nil, err
		case !lock.Reclaim(name): // another writes it
			n++
		}
	}
	return nil, fmt.Errorf("%s: %w: wait for it, choose another name, or remove %s if there is none", given, ErrBusy, temporary(path, 1))
}

// follow returns the path that a symbolic link leads to, where nothing need be, and another path as it is.
func follow(path string) (string, error) {
	const most = 40
	given := path
	for range most {
		link, err := os.Readlink(path)
		if err != nil {
			return path, nil // there is no link
		}
		if !filepath.IsAbs(link) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path)) // so that .. in the link is what the system takes it for
			if err != nil {
				return "", err
			}
			link = filepath.Join(dir, link)
		}
		path = link
	}
	return "", &fs.PathError{Op: "create", Path: given, Err: errors.New("it is a symbolic link that leads to no end")}
}

// Write appends to the file.
func (f *File) Write(p []byte) (int, error) { return f.buffer.Write(p) }

// Commit makes the file appear under its name. After an error nothing has changed there, unless the error came from the
// very last step, the sync of the directory.
func (f *File) Commit() error {
	if err := errors.Join(f.buffer.Flush(), f.file.Sync()); err != nil {
		return errors.Join(err, f.Abort())
	}
	err := f.leave(func(name string) error {
		err := os.Rename(name, f.path)
		if err != nil {
			os.Remove(name)
		}
		return err
	})
	if err != nil {
		return err
	}
	return SyncDir(filepath.Dir(f.path))
}

// Abort gives the file up and removes the temporary one.
func (f *File) Abort() error {
	if f.file == nil {
		return nil
	}
	return f.leave(os.Remove)
}

// leave closes the file, and renames or removes it by a function. The name stays ours as long as the file is open, so that it
// is closed last, but on Windows, which neither renames nor removes an open file. An error in closing is none: either the
// content is on the disk, or nobody wants it.
func (f *File) leave(how func(name string) error) error {
	file := f.file
	f.file = nil
	if !lock.Named(file) {
		file.Close()
		return fmt.Errorf("%s: what was written is lost: another program has removed or replaced %s", f.path, file.Name())
	}
	if runtime.GOOS == "windows" {
		file.Close()
	} else {
		defer file.Close()
	}
	return how(file.Name())
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
