// Package folders tells what a folder holds, so that a command which writes into one writes over nothing of another kind. Each
// kind of folder that this program makes has a file of its own at the top, which is there before anything that could be lost.
package folders

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"kiothi/agent/model"
	"kiothi/env/durable"
	"kiothi/env/lock"
)

// A Kind is what a folder holds.
type Kind int

// The kinds. A folder that does not exist is Empty. A checkpoint is a Bot, although it has a state.json as well: that is why
// Bot comes before Network.
const (
	Empty   Kind = iota
	Bot          // an exported bot, a release on the disk, a checkpoint
	Run          // a run of train
	Games        // games of distill
	Network      // a network of distill
	Page         // the page to play on
	Other        // anything else
)

// The files that tell the kinds apart.
const (
	BotFile     = model.DescriptionFile
	RunFile     = "config.toml"
	GamesFile   = "games.json"
	NetworkFile = "state.json"
	PageFile    = "page.json"
)

var kinds = [...]struct{ file, name string }{
	Empty:   {"", "nothing"},
	Bot:     {BotFile, "a bot or a checkpoint"},
	Run:     {RunFile, "a run of train"},
	Games:   {GamesFile, "games of distill games"},
	Network: {NetworkFile, "a network of distill learn"},
	Page:    {PageFile, "the page to play on"},
	Other:   {"", "other files"},
}

// String returns the kind in words, such as "a run of train".
func (k Kind) String() string {
	if k < Empty || int(k) >= len(kinds) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kinds[k].name
}

// An Error says that a folder holds something else than it is to.
type Error struct {
	Dir         string
	Found, Want Kind
	Name        string // of a file that it was found by
}

// Error says what the folder is, what was expected, and what to do.
func (e *Error) Error() string {
	found := fmt.Sprintf("%v (%s)", e.Found, e.Name)
	if e.Found == Other {
		found = "other files, such as " + e.Name
	}
	want := "a folder that is empty or does not exist"
	if file := kinds[e.Want].file; file != "" {
		want = fmt.Sprintf("%v (%s), or %s", e.Want, file, want)
	}
	return fmt.Sprintf("%s: found %s, expected %s: choose another folder", e.Dir, found, want)
}

// Check refuses, with an *Error, a folder to write into that holds anything of another kind than the one wanted, or files but
// none by which it is of that kind. Locks, empty folders in it, and what a crash left of the files by which kinds are told are
// nothing. With Empty, only such a folder will do.
func Check(dir string, want Kind) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s: found a file, expected a folder: choose another name", dir)
	}
	own := false
	for k := range Other {
		file := kinds[k].file
		if file == "" || !regular(filepath.Join(dir, file)) {
			continue
		}
		if k != want {
			return &Error{dir, k, want, file}
		}
		own = true
	}
	if own {
		return nil
	}
	name, err := something(dir)
	if err == nil && name != "" {
		err = &Error{dir, Other, want, name}
	}
	return err
}

// regular reports whether there is a file, or a link to one.
func regular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// something returns the path, in a folder, of the first of its files that is not nothing, and "" where there is none.
func something(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	for _, e := range entries {
		if e.IsDir() {
			name, err := something(filepath.Join(dir, e.Name()))
			if err != nil || name != "" {
				return path.Join(e.Name(), name), err
			}
		} else if !left(e.Name()) {
			return e.Name(), nil
		}
	}
	return "", nil
}

// left reports whether a file of that name is a lock, or the unfinished beginning of a kind of folder.
func left(name string) bool {
	if name == lock.File {
		return true
	}
	for _, k := range kinds {
		if k.file != "" && durable.IsTemporary(name, k.file) {
			return true
		}
	}
	return false
}
