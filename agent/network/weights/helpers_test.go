// This file is what several tests use: random sources, networks, comparison.

package weights

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// small has padding on every padded side and widths that are not multiples of 8.
var small = Config{Inputs: 21, Width: 28, Blocks: 2, Actions: 70, Bins: 13, ValueWidth: 12}

// full is a network of the size that self-play uses: 680 thousand parameters.
var full = Config{Inputs: 400, Width: 256, Blocks: 3, Actions: 631, Bins: 61, ValueWidth: 64}

func mustWeights(t testing.TB, c Config, seed uint64) *Weights {
	t.Helper()
	w, err := New(c, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}
