package checkpoint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kiothi/env/durable"
)

// This file is the removal of snapshots: old ones, and those that a crash left half done.

// A PruneError says that old snapshots could not be removed after a new one was saved.
type PruneError struct{ Err error }

// Error says that the new snapshot is there and why old ones remain.
func (e *PruneError) Error() string {
	return fmt.Sprintf("the checkpoint is saved, but old ones could not be removed: %v", e.Err)
}

// Unwrap returns why old snapshots remain.
func (e *PruneError) Unwrap() error { return e.Err }

// prune removes every snapshot that is older than the newest sound ones to keep. Broken ones do not count, so that a
// sound one is never removed in favour of one that cannot be used.
func (s *Store) prune() error {
	all, err := s.names()
	if err != nil {
		return &PruneError{err}
	}
	kept := 0
	for _, name := range slices.Backward(all) {
		if kept == s.keep {
			if err := s.remove(name); err != nil {
				return &PruneError{err}
			}
		} else if s.check(name) == nil {
			kept++
		}
	}
	return nil
}

// remove removes a snapshot. It takes its name away first, so that a half-removed one is not taken for a snapshot.
func (s *Store) remove(name string) error {
	delete(s.sound, name)
	path := s.Path(name)
	gone := path + durable.Temporary
	if err := os.RemoveAll(gone); err != nil {
		return err
	}
	if err := s.rename(path, gone); err != nil {
		return err
	}
	return os.RemoveAll(gone)
}

// clean removes what carries a temporary name.
func (s *Store) clean() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !temporary(e.Name()) {
			continue
		}
		path := filepath.Join(s.dir, e.Name())
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		s.removed = append(s.removed, path)
	}
	return nil
}
