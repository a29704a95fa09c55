package zero

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/network/weights"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

// This file is what several tests use: games, small networks, positions.

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

var openGame = gamestest.Open

// newWeights returns a small network that has opinions: a new one's heads are near uniform.
func newWeights(t testing.TB, g mancala.Game, seed uint64) *weights.Weights {
	t.Helper()
	c, err := ConfigOf(g, 32, 1, 16)
	if err != nil {
		t.Fatal(err)
	}
	w, err := weights.New(c, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	tensors := w.Tensors()
	for _, tensor := range tensors {
		if tensor.Name == "policy.weight" || tensor.Name == "value.margin.weight" {
			for i := range tensor.Data {
				tensor.Data[i] *= 10
			}
		}
	}
	if err := w.SetTensors(tensors); err != nil {
		t.Fatal(err)
	}
	return w
}

// brokenWeights returns a network whose every judgement is an error, because its outputs overflow.
func brokenWeights(t testing.TB, g mancala.Game) *weights.Weights {
	t.Helper()
	w := newWeights(t, g, 1)
	tensors := w.Tensors()
	for _, tensor := range tensors {
		for i := range tensor.Data {
			tensor.Data[i] = 3e38
		}
	}
	if err := w.SetTensors(tensors); err != nil {
		t.Fatal(err)
	}
	return w
}

func newPlayer(t testing.TB, g mancala.Game, w *weights.Weights, c Config) *Player {
	t.Helper()
	p, err := NewPlayer(g, w, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// quick is a search of few simulations.
func quick() Config {
	c := DefaultConfig()
	c.Simulations, c.Batch = 12, 8
	return c
}

// states returns n positions of random games in which the number of legal actions is accepted.
func states(t testing.TB, g mancala.Game, n int, seed uint64, accept func(legal int) bool) []mancala.State {
	t.Helper()
	rng := newRand(seed)
	var found []mancala.State
	for range 10_000 {
		for s := g.Start(); !s.Over(); {
			legal := g.AppendLegal(nil, &s)
			if accept(len(legal)) && rng.IntN(3) == 0 {
				if found = append(found, s); len(found) == n {
					return found
				}
			}
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatalf("found %d such positions, want %d", len(found), n)
	return nil
}

func all(int) bool           { return true }
func forced(legal int) bool  { return legal == 1 }
func choices(legal int) bool { return legal > 1 }

// sources returns n generators, of seeds that are all different.
func sources(n int) []*rand.Rand {
	rngs := make([]*rand.Rand, n)
	for i := range rngs {
		rngs[i] = newRand(uint64(i))
	}
	return rngs
}
