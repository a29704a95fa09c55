package mancala_test

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

func TestSetHasThePitsThatHoldSeeds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var row mancala.Row
		want, left := uint32(0), mancala.MaxSeeds
		for pit := range mancala.MaxWidth {
			n := min(left, rng.IntN(3)*rng.IntN(30))
			row = row.With(pit, n)
			left -= n
			if n > 0 {
				want |= 1 << pit
			}
		}
		if got := row.Set(); got != want {
			t.Fatalf("the row %x has seeds in the pits %b, expected %b", row, got, want)
		}
	}
}
