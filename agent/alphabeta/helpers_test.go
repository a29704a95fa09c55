package alphabeta

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func open(t testing.TB, game, rules string) mancala.Game {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func parse(t testing.TB, g mancala.Game, position string) mancala.State {
	t.Helper()
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func play(t testing.TB, g mancala.Game, s *mancala.State, a mancala.Action) {
	if _, err := g.Play(s, a); err != nil {
		t.Fatal(err)
	}
}

func player(t testing.TB, g mancala.Game, l Limits) *Player {
	t.Helper()
	p, err := New(g, Config{Limits: l, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sowing returns a position of the phase Sow after some random turns, or fewer where the game ends before.
func sowing(t testing.TB, g mancala.Game, rng *rand.Rand, turns int) mancala.State {
	t.Helper()
	s := g.Start()
	for s.Opening > 0 {
		for _, a := range scripted.SampleOpening(g, &s, rng) {
			play(t, g, &s, a)
		}
	}
	for range turns {
		next := s
		legal := g.AppendLegal(nil, &next)
		if play(t, g, &next, legal[rng.IntN(len(legal))]); next.Over() {
			break
		}
		s = next
	}
	return s
}
