package release

import (
	"io/fs"
	"os"
)

// This file is the files that the program carries.

// carried is nil in a program that carries nothing.
var carried fs.FS

// Carry says which files the program carries: a folder for each release. It is for the init function of the package that
// holds them.
func Carry(files fs.FS) { carried = files }

// Files returns the files that the program carries, a folder for each release, and nil where it carries none.
func Files() fs.FS { return carried }

// Find returns the files that the program carries if path is the name of one of them or of a folder, and nothing on the
// disk is named so; otherwise nil.
func Find(path string) fs.FS { return find(carried, path) }

func find(files fs.FS, path string) fs.FS {
	if files == nil || !fs.ValidPath(path) || path == "." {
		return nil
	}
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if _, err := fs.Stat(files, path); err != nil {
		return nil
	}
	return files
}
