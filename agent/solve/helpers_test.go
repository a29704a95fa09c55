package solve

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open, parse = gamestest.Open, gamestest.Parse

// solver returns a solver with little memory.
func solver(t testing.TB, g mancala.Game) *Solver {
	t.Helper()
	s, err := New(g, Options{Memory: 128})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// truth tries everything: it is the best final margin of a state for its player to move. It keeps what it found by whole
// states, stores and clock included.
type truth struct {
	game  mancala.Game
	found map[mancala.State]int
}

func newTruth(g mancala.Game) *truth { return &truth{g, map[mancala.State]int{}} }

func (t *truth) margin(s mancala.State) int {
	if s.Over() {
		return mancala.Margin(t.game, &s, s.Player)
	}
	if m, ok := t.found[s]; ok {
		return m
	}
	best := -mancala.MaxSeeds - 1
	for _, a := range t.game.AppendLegal(nil, &s) {
		after := s
		if _, err := t.game.Play(&after, a); err != nil {
			panic(err)
		}
		m := t.margin(after)
		if after.Player != s.Player {
			m = -m
		}
		best = max(best, m)
	}
	t.found[s] = best
	return best
}

// small returns states with at most the given number of seeds on the board that random play comes to.
func small(g mancala.Game, seeds, n int, rng *rand.Rand) []mancala.State {
	var states []mancala.State
	for len(states) < n {
		s := g.Start()
		for !s.Over() {
			if s.OnBoard()+int(s.Hand) <= seeds && rng.IntN(4) == 0 {
				states = append(states, s)
			}
			legal := g.AppendLegal(nil, &s)
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				panic(err)
			}
		}
	}
	return states[:n]
}
