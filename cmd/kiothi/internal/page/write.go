package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"kiothi/env/durable"
)

// This file writes the page into a folder for a web host.

// listFile lists the files of a page that is, or was being, written into a folder. It tells the folder from others.
const listFile = "page.json"

// A list is the content of a listFile.
type list struct {
	Page  string   `json:"page"` // always "kiothi"
	Files []string `json:"files"`
}

// Write writes the files into a folder, which is made where it is missing. A folder that is not empty is refused, unless it
// holds such a page and force is set: then its files are replaced, and those that the page does not have any more are removed.
// Each file is complete when it appears; what was interrupted can be done again with force.
func (f Files) Write(dir string, force bool) error {
	old, err := readFolder(dir, force)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(f))
	if err := writeList(dir, slices.Compact(slices.Sorted(slices.Values(slices.Concat(names, old))))); err != nil {
		return err
	}
	for _, name := range names {
		if err := write(dir, name, f[name]); err != nil {
			return err
		}
	}
	for _, name := range old {
		path := filepath.FromSlash(name)
		if _, ok := f[name]; ok || !filepath.IsLocal(path) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, path)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return writeList(dir, names)
}

// writeList writes the list of a folder's files.
func writeList(dir string, names []string) error {
	text, err := json.MarshalIndent(list{"kiothi", names}, "", "  ")
	if err != nil {
		return err
	}
	return write(dir, listFile, append(text, '\n'))
}

// write writes one file below a folder.
func write(dir, name string, data []byte) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return durable.WriteBytes(path, data)
}

// readFolder returns the files of the page that is in a folder. It refuses a folder with anything else.
func readFolder(dir string, force bool) ([]string, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: expected a folder that is empty or does not exist: %w", dir, err)
	case len(entries) == 0:
		return nil, nil
	}
	var l list
	text, err := os.ReadFile(filepath.Join(dir, listFile))
	if err != nil || json.Unmarshal(text, &l) != nil || l.Page != "kiothi" {
		return nil, fmt.Errorf("%s: found other files in it, such as %s, expected a folder that is empty or does not exist: choose another one", dir, entries[0].Name())
	}
	if !force {
		return nil, fmt.Errorf("%s: found the page in it: add --force to replace it, or choose another folder", dir)
	}
	return l.Files, nil
}
