package seed

import (
	"math/rand/v2"
	"testing"
)

// Generators that share a seed would play the same games: no two consumers of a run may meet.
func TestDifferentConsumersGetDifferentSeeds(t *testing.T) {
	seen := map[uint64][]uint64{}
	for _, run := range []uint64{0, 1, 2, 1 << 63} {
		for purpose := range Distill + 1 {
			for a := range uint64(40) {
				for b := range uint64(40) {
					key := []uint64{run, uint64(purpose), a, b}
					s := Mix(run, purpose, a, b)
					if other, ok := seen[s]; ok {
						t.Fatalf("%v and %v share the seed %d", key, other, s)
					}
					seen[s] = key
				}
			}
		}
	}
	if Mix(1, Match, 2) == Mix(1, Match, 2, 0) {
		t.Error("a list and the same list with a zero behind it share a seed")
	}
}

// The derivation is part of what makes a run reproducible: it may not change unnoticed.
func TestDerivationIsStable(t *testing.T) {
	if got, want := Mix(42, SelfPlay, 1, 2, 3), uint64(8987351843123693516); got != want {
		t.Errorf("seed %d, want %d", got, want)
	}
}

func TestReseedIsRand(t *testing.T) {
	var source rand.PCG
	Reseed(&source, Mix(5, Opening, 6))
	if got, want := rand.New(&source).Uint64(), Rand(5, Opening, 6).Uint64(); got != want {
		t.Errorf("reseeded generator gives %d, want %d", got, want)
	}
}
