// Package gamestest is what tests of all packages do with games: open them, and read positions.
package gamestest

import (
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

// Open opens a game under a rule set, as package games does, or ends the test.
func Open(t testing.TB, game, rules string) mancala.Game {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Parse reads a position of a game, or ends the test.
func Parse(t testing.TB, g mancala.Game, position string) mancala.State {
	t.Helper()
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
