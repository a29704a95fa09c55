package alphabeta

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/nnue"
	"kiothi/agent/scripted"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open, parse = gamestest.Open, gamestest.Parse

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

// network returns an evaluation network with random parameters.
func network(t testing.TB, g mancala.Game) *nnue.Network {
	t.Helper()
	f, err := nnue.NewFloat(g, 64)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for _, w := range [][]float32{f.Tables, f.DenseWeights, f.DenseBias, f.OutputWeights, f.OutputBias} {
		for i := range w {
			w[i] = float32(rng.NormFloat64() * 0.3)
		}
	}
	f.Clip()
	n, _, err := f.Quantise(g, nnue.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// networkPlayer returns a player that judges by a network with random parameters.
func networkPlayer(t testing.TB, g mancala.Game, l Limits) *Player {
	t.Helper()
	p, err := New(g, Config{Limits: l, Hash: 1, Network: network(t, g)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// players returns a player with each sort of evaluation, by its name.
func players(t testing.TB, g mancala.Game, l Limits) map[string]*Player {
	return map[string]*Player{"terms": player(t, g, l), "network": networkPlayer(t, g, l)}
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
