// This file is what several tests use: kernels, games, networks, positions.

package bot_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/agent/blas"
	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/zero"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"

	"kiothi/agent/bot"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// onEachKernel runs the test on every kernel that this processor and build have.
func onEachKernel(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	before := blas.Selected()
	for _, k := range blas.Kernels() {
		t.Run(string(k), func(t *testing.T) {
			t.Cleanup(func() {
				if err := blas.Use(before); err != nil {
					t.Fatal(err)
				}
			})
			if err := blas.Use(k); err != nil {
				t.Fatal(err)
			}
			test(t)
		})
	}
}

// agree reports whether two logits agree as far as the kernel promises: to the bit, but for the sign of a zero, or to
// 1e-5 of numbers that are sums of as large ones.
func agree(got, want float32) bool {
	if blas.Selected() != blas.Go {
		return got == want
	}
	return math.Abs(float64(got)-float64(want)) <= 1e-5*max(1, math.Abs(float64(want)))
}

var openGame = gamestest.Open

// newWeights returns a new network with biases, which has opinions: a new one's heads are near uniform.
func newWeights(t testing.TB, c weights.Config, seed uint64) *weights.Weights {
	t.Helper()
	rng := newRand(seed)
	w, err := weights.New(c, rng)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range w.Layout().Parameters {
		p.EachRow(w.Flat(), func(row []float32) {
			for i := range row {
				row[i] += float32(0.05 * rng.NormFloat64())
			}
		})
	}
	return w
}

// gameWeights returns a network for a game.
func gameWeights(t testing.TB, g mancala.Game, width, blocks, valueWidth int) *weights.Weights {
	t.Helper()
	c, err := zero.ConfigOf(g, width, blocks, valueWidth)
	if err != nil {
		t.Fatal(err)
	}
	return newWeights(t, c, 1)
}

// small is a network for Kiothi of the preset of that name: 671,540 weights.
func small(t testing.TB) *weights.Weights {
	return gameWeights(t, openGame(t, "kiothi", ""), 256, 3, 64)
}

func newInference(t testing.TB, w *weights.Weights, batch int) *bot.Inference {
	t.Helper()
	f, err := bot.NewInference(bot.NewNetwork(w), batch)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// newReference returns the same network on Gorgonia.
func newReference(t testing.TB, w *weights.Weights, batch int) *network.Inference {
	t.Helper()
	f, err := network.NewInference(w, batch)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// positions returns n positions of random games with every phase of the game, each about as often as games have it.
func positions(t testing.TB, g mancala.Game, n int, seed uint64) []mancala.State {
	t.Helper()
	rng := newRand(seed)
	var found []mancala.State
	phases := map[mancala.Phase]bool{}
	for len(found) < n {
		for s := g.Start(); !s.Over() && len(found) < n; {
			found = append(found, s)
			phases[s.Phase] = true
			legal := g.AppendLegal(nil, &s)
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	start := g.Start()
	if !phases[start.Phase] || !phases[mancala.Sow] {
		t.Fatalf("the positions have the phases %v", phases)
	}
	return found
}
