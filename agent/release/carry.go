package release

import (
	"io/fs"
	"os"
	"strings"
)

// This file is the files that the program carries.

// carried is nil in a program that carries nothing.
var carried fs.FS

// Carry says which files the program carries: a folder for each release. It is for the init function of the package that
// holds them.
func Carry(files fs.FS) { carried = files }

// Files returns the files that the program carries, a folder for each release, and nil where it carries none.
func Files() fs.FS { return carried }

// Prefix is what a path begins with that means what the program carries, whatever lies on the disk.
const Prefix = "release:"

// Find returns the files that the program carries, and the name there, if path is the name of one of them or of a folder and
// nothing on the disk is named so, or if it begins with Prefix; otherwise nil. The files are not nil after Prefix, even where
// they hold no such name.
func Find(path string) (files fs.FS, name string) { return find(carried, path) }

func find(files fs.FS, path string) (fs.FS, string) {
	name, only := strings.CutPrefix(path, Prefix)
	if only && files == nil {
		return nothing{}, name
	}
	if only {
		return files, name
	}
	if files == nil || !fs.ValidPath(path) || path == "." {
		return nil, ""
	}
	if _, err := os.Stat(path); err == nil {
		return nil, ""
	}
	if _, err := fs.Stat(files, path); err != nil {
		return nil, ""
	}
	return files, path
}

// nothing is a file system without files.
type nothing struct{}

// Open implements fs.FS.
func (nothing) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Carried returns a path that a release's agent names with Prefix before it, when it is the release's folder or in it, and any
// other text as it is.
func (r *Release) Carried(path string) string {
	if path == r.Name || strings.HasPrefix(path, r.Name+"/") {
		return Prefix + path
	}
	return path
}
