package nnue

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open = gamestest.Open

// everyGame lists a rule set of each input: with and without marks of empty pits, of each width.
var everyGame = [][2]string{
	{"kiothi", "mancala-world"}, {"kiothi", "wikipedia-it"}, {"rio-kadalis", "standard"}, {"rio-kadalis", "five-holes"},
}

// positions returns sowing positions of random games.
func positions(t testing.TB, g mancala.Game, count int) []mancala.State {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var all []mancala.State
	for len(all) < count {
		s := g.Start()
		for !s.Over() {
			if s.Phase == mancala.Sow {
				all = append(all, s)
			}
			legal := g.AppendLegal(nil, &s)
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all[:count]
}

// randomFloat returns parameters of the size that learned ones have.
func randomFloat(t testing.TB, g mancala.Game, hidden int, seed uint64) *Float {
	t.Helper()
	f, err := NewFloat(g, hidden)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	fill := func(w []float32, size float64) {
		for i := range w {
			w[i] = float32(rng.NormFloat64() * size)
		}
	}
	fill(f.Tables, 0.3)
	fill(f.DenseWeights, 0.3)
	fill(f.DenseBias, 0.2)
	fill(f.OutputWeights, 0.4)
	fill(f.OutputBias, 0.2)
	f.Clip()
	return f
}

func randomNetwork(t testing.TB, g mancala.Game, hidden int, seed uint64) *Network {
	t.Helper()
	n, _, err := randomFloat(t, g, hidden, seed).Quantise(g, Provenance{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
