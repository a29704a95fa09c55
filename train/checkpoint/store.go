package checkpoint

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kiothi/env/durable"
	"kiothi/env/lock"
)

// This file is the store: creating, listing and reading snapshots.

// ErrNone is what Latest returns when the store has no sound snapshot.
var ErrNone = errors.New("found no checkpoint, expected one")

// A BrokenError says why a snapshot is skipped.
type BrokenError struct {
	Path string
	Err  error
}

// Error names the snapshot and what is wrong with it.
func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s: broken checkpoint, skipped: %v", e.Path, e.Err)
}

// Unwrap returns what is wrong with the snapshot.
func (e *BrokenError) Unwrap() error { return e.Err }

// A Store is a folder of snapshots. It is not safe for concurrent use.
type Store struct {
	dir     string
	keep    int
	lock    *os.File
	removed []string        // leftovers of a crash
	sound   map[string]bool // snapshots that this store wrote or verified

	rename func(from, to string) error // durable.Rename, except in tests
}

// Open opens the store in a folder, which it creates where it is missing, and removes what a crash left half done. Of
// its snapshots it keeps the newest keep, at least one. The error is a *lock.HeldError when the store is open elsewhere.
func Open(dir string, keep int) (*Store, error) {
	if keep < 1 {
		return nil, fmt.Errorf("opening the checkpoints in %s: found %d to keep, expected at least 1", dir, keep)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("opening the checkpoints: %w", err)
	}
	if err := durable.SyncDir(filepath.Dir(dir)); err != nil {
		return nil, fmt.Errorf("opening the checkpoints: %w", err)
	}
	file, err := lock.Folder(dir)
	if err != nil {
		return nil, err
	}
	s := &Store{dir: dir, keep: keep, lock: file, sound: map[string]bool{}, rename: durable.Rename}
	if err := s.clean(); err != nil {
		file.Close()
		return nil, fmt.Errorf("opening the checkpoints: %w", err)
	}
	return s, nil
}

// Close lets others open the store.
func (s *Store) Close() error { return s.lock.Close() }

// Removed returns the paths of the leftovers that Open removed.
func (s *Store) Removed() []string { return s.removed }

// Path returns where the snapshot of a name is, or would be.
func (s *Store) Path(name string) string { return filepath.Join(s.dir, name) }

// Create makes a snapshot: fill writes its files, at least one, into dir. When fill or anything else fails, the store is
// as before. Older snapshots beyond those to keep are then removed; that this failed is a *PruneError, and the new
// snapshot is there. The name has to sort after those of all sound snapshots; a broken one of that name is replaced.
func (s *Store) Create(name string, fill func(dir string) error) error {
	if err := s.checkNew(name); err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	path := s.Path(name)
	half := path + durable.Temporary
	defer os.RemoveAll(half) // nothing is there any more when all went well
	err := s.fill(half, fill)
	if err == nil {
		err = os.RemoveAll(path) // a broken one
	}
	if err == nil {
		err = s.rename(half, path)
	}
	if err != nil {
		return fmt.Errorf("saving checkpoint %s: %w", path, err)
	}
	s.sound[name] = true
	return s.prune()
}

// checkNew refuses a name that is not after those of all sound snapshots. Were it taken, the snapshot would be among
// the old ones to remove.
func (s *Store) checkNew(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	newest, _, err := s.Latest()
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err == nil && newest >= name {
		err = fmt.Errorf("found the new name %s, expected one after %s, which is there", name, s.Path(newest))
	}
	return err
}

// fill makes a snapshot under its temporary name.
func (s *Store) fill(half string, fill func(dir string) error) error {
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := os.Mkdir(half, 0o755); err != nil {
		return err
	}
	if err := fill(half); err != nil {
		return err
	}
	if err := seal(half); err != nil {
		return err
	}
	_, err := readManifest(filepath.Join(half, ManifestFile)) // refuses a snapshot without files
	return err
}

// Latest returns the name of the newest sound snapshot, and a *BrokenError for each newer one that had to be skipped.
// Without a sound one the error is ErrNone.
func (s *Store) Latest() (name string, skipped []error, err error) {
	all, err := s.names()
	if err != nil {
		return "", nil, err
	}
	for _, name := range slices.Backward(all) {
		err := s.check(name)
		if err == nil {
			return name, skipped, nil
		}
		skipped = append(skipped, err)
	}
	return "", skipped, fmt.Errorf("%s: %w", s.dir, ErrNone)
}

// check verifies a snapshot that is not known to be sound.
func (s *Store) check(name string) error {
	if s.sound[name] {
		return nil
	}
	if err := verify(s.Path(name)); err != nil {
		return &BrokenError{s.Path(name), err}
	}
	s.sound[name] = true
	return nil
}

// names returns the names of all snapshots, the oldest first.
func (s *Store) names() ([]string, error) {
	entries, err := os.ReadDir(s.dir) // sorted by name
	if err != nil {
		return nil, fmt.Errorf("listing the checkpoints: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && checkName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
