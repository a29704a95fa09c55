// Package enginetest is the test kit of the engines: it replays recorded games and counts, runs hand-made cases written
// as text, and checks on random play what every engine must keep. An engine's tests call it with a function that opens
// the engine's game under a rule set.
package enginetest

import (
	"testing"

	"kiothi/env/mancala"
)

// An Opener opens the game under test.
type Opener func(rules string) (mancala.Game, error)

// mustOpen opens a game, or ends the test.
func mustOpen(t *testing.T, open Opener, rules string) mancala.Game {
	t.Helper()
	g, err := open(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// mustParse reads a position, or ends the test.
func mustParse(t *testing.T, g mancala.Game, position string) mancala.State {
	t.Helper()
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
