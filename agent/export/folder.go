package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kiothi/env/durable"
)

// This file makes the folder appear when it is complete.

// stageName ends the name of a folder under construction. It stands beside the folder to be, or, where the folder is there
// already, inside it, so that a working directory, a link or a mount point can be exported to. What a crash leaves of it is
// removed by the next export.
const stageName = ".export" + durable.Temporary

// publish fills a folder by a function that writes all files into another one and returns their paths, the manifest's last.
func publish(dir string, force bool, fill func(stage string) ([]string, error)) (err error) {
	dir = filepath.Clean(dir)
	there, old, err := look(dir, force)
	if err != nil {
		return err
	}
	stage := dir + stageName
	if there {
		stage = filepath.Join(dir, stageName)
	}
	err = os.RemoveAll(stage)
	if err == nil {
		err = os.MkdirAll(stage, 0o755)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written to: %w: choose another --out", dir, err)
	}
	defer os.RemoveAll(stage) // nothing is there any more when all went well, but for empty folders
	files, err := fill(stage)
	if err != nil {
		return err
	}
	if !there {
		return durable.Rename(stage, dir)
	}
	return move(stage, dir, files, old)
}

// look reports whether the folder is there, and the files of the export in it. It refuses a folder with anything else.
func look(dir string, force bool) (there bool, old []string, err error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return false, nil, nil
	case err != nil:
		return false, nil, err
	case !info.IsDir():
		return false, nil, fmt.Errorf("%s: found a file, expected a folder that is empty or does not exist: choose another --out", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, nil, err
	}
	if len(entries) == 0 || len(entries) == 1 && entries[0].Name() == stageName {
		return true, nil, nil
	}
	m, err := readManifest(dir)
	if err != nil {
		return false, nil, fmt.Errorf("%s: found %d files in it, expected a folder that is empty or does not exist: choose another --out", dir, len(entries))
	}
	if !force {
		return false, nil, fmt.Errorf("%s: found an export of %s in it: add --force to replace it, or choose another --out", dir, m.Game)
	}
	for _, f := range m.Files {
		if path := filepath.FromSlash(f.Path); filepath.IsLocal(path) {
			old = append(old, path)
		}
	}
	return true, old, nil
}

// removeEmpty removes a folder inside another, and those between them, as far as nothing is left in them.
func removeEmpty(dir, inside string) {
	for inside != "." && os.Remove(filepath.Join(dir, inside)) == nil {
		inside = filepath.Dir(inside)
	}
}

// move moves files from one folder to another, in place of older ones, whose folders go with them. While it works there is no manifest.
func move(stage, dir string, files, old []string) error {
	if err := os.Remove(filepath.Join(dir, ManifestFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, name := range old {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		removeEmpty(dir, filepath.Dir(name))
	}
	if err := durable.SyncDir(dir); err != nil {
		return err
	}
	for _, name := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := durable.Rename(filepath.Join(stage, filepath.FromSlash(name)), to); err != nil {
			return err
		}
	}
	return nil
}
