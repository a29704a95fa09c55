package endgame_test

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/mancala"
)

func TestOnlyPositionsOfTheScopeAreKnown(t *testing.T) {
	rio, rioTable := build(t, "rio-kadalis", "", 8, endgame.Options{})
	kiothi, kiothiTable := build(t, "kiothi", "", 4, endgame.Options{Marked: 2})
	for _, c := range []struct {
		g        mancala.Game
		table    *endgame.Table
		position string
		want     bool
	}{
		{rio, rioTable, "0,0,0,0,0,4/4,0,0,0,0,0 - 20-20 S sow 0", true},
		{rio, rioTable, "0,0,0,0,0,4/0,0,0,0,0,0 - 20-20 S sow 0", true},
		{rio, rioTable, "0,0,0,0,0,0/0,0,0,0,0,0 - 30-18 S sow 0", true},  // over
		{rio, rioTable, "0,0,0,0,0,3/4,0,0,0,0,0 - 20-20 S sow 0", false}, // seven stones
		{rio, rioTable, "4,0,0,0,0,4/4,0,0,0,0,0 - 20-16 S sow 0", false}, // twelve
		{rio, rioTable, "x,0,0,0,0,4/4,0,0,0,0,0 - 20-20 S sow 0", false}, // a closed hole
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,2,1/0,0,0,0,0,0,0,0,0,1 - 20-36 N sow 0", true},
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,0,0,1 jJ 20-38 N sow 0", true},
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,1,1/0,0,0,0,0,0,0,0,0,1 jJ 20-37 N sow 0", false}, // three with marks
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,0,0,1 iJ 20-38 N sow 0", false}, // a mark on an empty pit
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,0,0,1 jI 20-38 S sow 0", false}, // another one
		{kiothi, kiothiTable, "0,0,0,0,0,0,0,0,0,1/0,0,0,0,0,0,0,0,0,1 - 0-0 S lift 0", false},   // the opening
	} {
		s, err := c.g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := c.table.Probe(&s); ok != c.want {
			t.Errorf("%s: known %v, expected %v", c.position, ok, c.want)
		}
	}
}

func TestAResultCountsTheStoresAndBelongsToThePlayerToMove(t *testing.T) {
	g, table := build(t, "rio-kadalis", "", 4, endgame.Options{})
	// South cannot move: the four stones are North's. Three turns later the same is true.
	for position, want := range map[string]int{
		"0,0,0,0,0,0/0,0,1,3,0,0 - 24-20 S sow 0": 0,
		"0,0,0,0,0,0/0,0,1,3,0,0 - 30-14 S sow 0": 12,
		"0,0,0,0,0,0/0,0,1,3,0,0 - 30-14 S sow 3": 12,
		"0,0,1,3,0,0/0,0,0,0,0,0 - 30-14 N sow 0": -20,
	} {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := table.Probe(&s); got != want || !ok {
			t.Errorf("%s: %d, %v, expected %d", position, got, ok, want)
		}
	}
}

func BenchmarkProbe(b *testing.B) {
	for _, c := range []struct {
		name, game string
		stones     int
		marked     bool
	}{
		{"rio-kadalis", "rio-kadalis", 12, false},
		{"kiothi", "kiothi", 6, false},
		{"kiothi-marked", "kiothi", 5, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			marked := 0
			if c.marked {
				marked = c.stones
			}
			g, table := build(b, c.game, "", c.stones, endgame.Options{Marked: marked})
			rng := rand.New(rand.NewPCG(7, 8))
			states := make([]mancala.State, 1024)
			for i := range states {
				states[i] = scatter(b, g, c.stones, c.marked, rng)
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if _, ok := table.Probe(&states[i%len(states)]); !ok {
					b.Fatal("not known")
				}
				i++
			}
		})
	}
}
