package replay

import (
	"errors"
	"fmt"
	"slices"
)

// This file fills a window from files.

// Load adds the games of files of records, given from the oldest to the newest, as if each had been added in order; of
// the older files only those are read whose games still have room. Damage is returned, a *DamageError each, and the sound
// games before it are added. Records of another game or rule set, or that Check refuses, are an error.
func (w *Window) Load(paths []string) (damage []error, err error) {
	want := HeaderOf(w.rules)
	type file struct {
		path  string
		games []*Game
	}
	var files []file // the newest first
	positions := 0
	for i := len(paths) - 1; i >= 0 && positions < w.limit; i-- {
		header, games, err := ReadFile(paths[i])
		var damaged *DamageError
		if errors.As(err, &damaged) {
			damage = append(damage, damaged)
			if header == (Header{}) {
				continue // nothing of it could be read
			}
		} else if err != nil {
			return damage, err
		}
		if header != want {
			return damage, fmt.Errorf("%s: found games of %s under %s, expected %s under %s", paths[i], header.Game, header.Rules, want.Game, want.Rules)
		}
		for _, g := range games {
			positions += len(g.Plies)
		}
		files = append(files, file{paths[i], games})
	}
	for _, file := range slices.Backward(files) {
		for _, g := range file.games {
			if err := w.Add(g); err != nil {
				return damage, fmt.Errorf("%s: %w", file.path, err)
			}
		}
	}
	return damage, nil
}
