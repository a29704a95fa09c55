package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/agent/folders"
	"kiothi/env/durable"
	"kiothi/env/lock"
)

// This file makes the folder appear when it is complete. Everything is written into a stage, a folder that is new under its name.
// It stands beside the folder to be, which it then becomes; or, where the folder is there already, inside it, so that a working
// directory, a link or a mount point can be exported to. There, the files move one by one, under a lock, and a list of them lies
// in the folder meanwhile, by which an export that was interrupted is known, and can be replaced.

// What is in a folder while an export works in it, and after a crash.
const (
	stagePrefix = ".export-"
	stageSuffix = durable.Temporary
	lockName    = ".export.lock"
	listName    = ".export.json"
)

// isStage reports whether a name is one of a stage inside a folder.
func isStage(name string) bool {
	digits, begins := strings.CutPrefix(name, stagePrefix)
	digits, ends := strings.CutSuffix(digits, stageSuffix)
	return begins && ends && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// publish fills a folder by a function that writes all files into another one and returns their paths, the manifest's last.
func publish(dir string, force bool, fill func(stage string) ([]string, error)) error {
	dir = filepath.Clean(dir)
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return appear(dir, fill)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: found a file, expected a folder that is empty or does not exist: choose another --out", dir)
	}
	if _, err := look(dir, true); err != nil { // before anything is put into a folder of others
		return err
	}
	release, err := lock.Briefly(dir, lockName)
	if held := (*lock.HeldError)(nil); errors.As(err, &held) {
		return err
	} else if err != nil {
		return unwritable(dir, err)
	}
	defer release()
	old, err := look(dir, force)
	if err != nil {
		return err
	}
	return replace(dir, old, fill)
}

func unwritable(dir string, err error) error {
	return fmt.Errorf("%s cannot be written to: %w: choose another --out", dir, err)
}

// appear makes a folder that is not there.
func appear(dir string, fill func(stage string) ([]string, error)) error {
	parent := filepath.Dir(dir)
	err := os.MkdirAll(parent, 0o755)
	if err != nil {
		return unwritable(dir, err)
	}
	return staged(parent, filepath.Base(dir)+stagePrefix, func(stage string) error {
		if _, err := fill(stage); err != nil {
			return err
		}
		err := durable.Rename(stage, dir)
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s: found a folder that was not there when this export began, such as another export: add --force to replace that, or choose another --out", dir)
		}
		return err
	})
}

// staged runs a function with an empty folder below a parent, of which nothing is left afterwards.
func staged(parent, prefix string, work func(stage string) error) error {
	own, err := os.MkdirTemp(parent, prefix+"*"+stageSuffix)
	if err != nil {
		return unwritable(parent, err)
	}
	defer os.RemoveAll(own)
	stage := filepath.Join(own, "export") // for all to read, where own is for its owner
	if err := os.Mkdir(stage, 0o755); err != nil {
		return unwritable(parent, err)
	}
	return work(stage)
}

// replace puts an export into a folder that is there, in place of the files of an older one, under the folder's lock.
func replace(dir string, old []string, fill func(stage string) ([]string, error)) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if isStage(e.Name()) { // left by a crash, for the lock is ours
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return staged(dir, stagePrefix, func(stage string) error {
		files, err := fill(stage)
		if err != nil {
			return err
		}
		return move(stage, dir, files, old)
	})
}

// look returns the files of the export that is in a folder, or half in it. It refuses a folder with anything else, and without
// force one with an export.
func look(dir string, force bool) (old []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != lockName && !isStage(e.Name()) }) {
		return nil, nil
	}
	found := ""
	if old, err = readList(dir); err == nil {
		found = "an export that was interrupted"
	} else if m, err := readManifest(dir); err == nil {
		found = "an export of " + m.Game
		for _, f := range m.Files {
			old = append(old, f.Path)
		}
	} else if schema, err := durable.ReadFile(filepath.Join(dir, schemaFile), maxText); err == nil && bytes.Equal(schema, manifestSchema) {
		found = "an export whose " + ManifestFile + " is damaged or missing" // and with it the names of what the new one has not
	} else {
		return nil, folders.Check(dir, folders.Empty)
	}
	if !force {
		return nil, fmt.Errorf("%s: found %s in it: add --force to replace it, or choose another --out", dir, found)
	}
	return old, nil
}

// A list is the content of the file listName.
type list struct {
	Export string   `json:"export"` // always "kiothi"
	Files  []string `json:"files"`  // of the old export and of the new one, with slashes
}

// readList returns the files of an export that was interrupted.
func readList(dir string) ([]string, error) {
	data, err := durable.ReadFile(filepath.Join(dir, listName), maxText)
	if err != nil {
		return nil, err
	}
	var l list
	if err := json.Unmarshal(data, &l); err != nil {
		return nil, err
	}
	if l.Export != "kiothi" {
		return nil, fmt.Errorf("%s: found the list of %q, expected that of an export", listName, l.Export)
	}
	return l.Files, nil
}

// removeEmpty removes a folder inside another, and those between them, as far as nothing is left in them.
func removeEmpty(dir, inside string) {
	for inside != "." && os.Remove(filepath.Join(dir, inside)) == nil {
		inside = filepath.Dir(inside)
	}
}

// remove removes a file if it is there.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// move moves files from one folder to another, in place of older ones, whose folders go with them. While it works there is the
// list, and no manifest.
func move(stage, dir string, files, old []string) error {
	if err := writeFile(dir, listName, func(w io.Writer) error {
		return json.NewEncoder(w).Encode(list{"kiothi", slices.Concat(old, files)})
	}); err != nil {
		return err
	}
	for _, name := range slices.Concat([]string{ManifestFile}, old) {
		path := filepath.FromSlash(name)
		if !filepath.IsLocal(path) { // a list or a manifest that was tampered with
			continue
		}
		if err := remove(filepath.Join(dir, path)); err != nil {
			return err
		}
		removeEmpty(dir, filepath.Dir(path))
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
	if err := remove(filepath.Join(dir, listName)); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}
