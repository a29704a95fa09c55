package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kiothi/env/durable"
	"kiothi/train/plot"
)

// This file is the files that a flag names for what a command works out, which may take hours. They are begun before the
// work, so that none is lost to a path that cannot be written, and they take the place of nothing that somebody may still want.

// bindForce adds --force.
func bindForce(cmd *cobra.Command, force *bool, what string) {
	cmd.Flags().BoolVar(force, "force", false, "replace "+what)
}

// A replacing says which file may be replaced. One that is empty always may.
type replacing struct {
	force  bool                            // one of the kind may
	kind   string                          // what the command writes, as in "end-game table"
	isKind func(path string) (bool, error) // whether a file is one; nil when that cannot be told, and any is taken for one
	advice string                          // how to go on where a file must stay (default: --force, or another name)
}

// check refuses a path where something is that must stay.
func (r replacing) check(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return nil // durable says what is wrong
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: it is no regular file: choose another name", path)
	case sameAs(info, os.Stdout) || sameAs(info, os.Stderr):
		return fmt.Errorf("%s: the command's own output goes there: choose another name", path)
	case info.Size() == 0:
		return nil
	}
	if r.isKind != nil {
		if is, err := r.isKind(path); err != nil {
			return err
		} else if !is {
			return fmt.Errorf("%s: found a file that is no %s: choose another name", path, r.kind)
		}
	}
	if r.force {
		return nil
	}
	advice := r.advice
	if advice == "" {
		advice = "add --force to replace it, or choose another name"
	}
	return fmt.Errorf("%s: it is there already: %s", path, advice)
}

// pictures may be drawn again and again.
var pictures = replacing{force: true, kind: "picture", isKind: plot.IsPicture}

// A begunFile is a file that was asked for. One that was not is nil.
type begunFile struct {
	flag, path string
	file       *durable.File
}

// beginFile begins the file that a flag names, none if it names none. Abort it in the end.
func beginFile(flag, path string, may replacing) (*begunFile, error) {
	if path == "" {
		return nil, nil
	}
	if err := may.check(path); err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	file, err := durable.CreateAlone(path)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", flag, err)
	}
	return &begunFile{flag, path, file}, nil
}

// finish writes the file and puts it in its place.
func (f *begunFile) finish(write func(io.Writer) error) error {
	err := write(f.file)
	if err == nil {
		err = f.file.Commit()
	}
	if err != nil {
		return fmt.Errorf("--%s: %w", f.flag, err)
	}
	return nil
}

// abort removes a file that is not finished.
func (f *begunFile) abort() {
	if f != nil {
		_ = f.file.Abort() // what is left is a temporary file, and there is a better error by now
	}
}

// A flagPath is the path that a flag names, empty if it names none.
type flagPath struct{ flag, path string }

// separate refuses paths of which two are one file, of which one would be lost.
func separate(paths ...flagPath) error {
	for i, p := range paths {
		for _, other := range paths[:i] {
			if p.path != "" && other.path != "" && samePath(p.path, other.path) {
				return usage("--%s and --%s are both %s, expected two files", other.flag, p.flag, p.path)
			}
		}
	}
	return nil
}

// samePath reports whether two paths mean one file or folder, which need not be there yet, however they are written.
func samePath(a, b string) bool {
	if sameFile(a, b) {
		return true
	}
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	if errA != nil || errB != nil {
		return false
	}
	return a == b || filepath.Base(a) == filepath.Base(b) && sameFile(filepath.Dir(a), filepath.Dir(b))
}

// sameAs reports whether a file that is there is an open one.
func sameAs(info fs.FileInfo, open *os.File) bool {
	other, err := open.Stat()
	return err == nil && os.SameFile(info, other)
}

// sameFile reports whether two paths lead to one file or folder that is there.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
