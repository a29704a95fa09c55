package riokadalis_test

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file measures uniformly random playouts, in turns a second on one core.

// BenchmarkPlayout lists the legal actions of each state and draws one.
func BenchmarkPlayout(b *testing.B) {
	for _, rules := range []string{"standard", "five-holes", "clockwise"} {
		b.Run(rules, func(b *testing.B) {
			g := mustNew(b, rules)
			rng := rand.NewPCG(1, 0)
			start := g.Start()
			s := start
			legal := make([]mancala.Action, 0, 16)
			b.ReportAllocs()
			for b.Loop() {
				legal = g.AppendLegal(legal[:0], &s)
				if _, err := g.Play(&s, legal[draw(rng, len(legal))]); err != nil {
					b.Fatal(err)
				}
				if s.Over() {
					s = start
				}
			}
			reportTurns(b)
		})
	}
}

// BenchmarkPlayoutDrawn draws a turn without listing the actions.
func BenchmarkPlayoutDrawn(b *testing.B) {
	for _, rules := range []string{"standard", "five-holes", "clockwise"} {
		b.Run(rules, func(b *testing.B) {
			g := mustNew(b, rules)
			benchPlayout(b, g, g.Start())
		})
	}
}

// benchPlayout plays random games from a position.
func benchPlayout(b *testing.B, g *riokadalis.Game, start mancala.State) {
	rng := rand.NewPCG(1, 0)
	s := start
	b.ReportAllocs()
	for b.Loop() {
		g.RandomTurn(&s, rng)
		if s.Over() {
			s = start
		}
	}
	reportTurns(b)
}

// BenchmarkPlayoutClosed plays a round in which holes are closed: as in a competition, and as in none.
func BenchmarkPlayoutClosed(b *testing.B) {
	for _, position := range []string{"x,x,4,4,4,4/4,4,4,4,4,4 - 2-6 S sow 0", "4,x,4,4,x,4/4,4,4,4,4,4 - 2-6 S sow 0"} {
		pits, _, _ := strings.Cut(position, " ")
		b.Run(pits, func(b *testing.B) {
			g := mustNew(b, "standard")
			start, err := g.Parse(position)
			if err != nil {
				b.Fatal(err)
			}
			benchPlayout(b, g, start)
		})
	}
}

// BenchmarkPlayoutPlain is the same playout by the plain engine of the tests.
func BenchmarkPlayoutPlain(b *testing.B) {
	g := mustNew(b, "standard")
	start := g.Start()
	r := newPlainRound(mustParseRules(b, "standard"), &start)
	rng := rand.NewPCG(1, 0)
	legal := make([]int, 0, 16)
	b.ReportAllocs()
	for b.Loop() {
		legal = r.legal(legal[:0])
		r.play(legal[draw(rng, len(legal))])
		if r.end != "" {
			r.set(&start)
		}
	}
	reportTurns(b)
}

// draw returns a random number below n; its bias does not matter here, and its time hardly.
func draw(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}

// reportTurns reports the rate of a benchmark whose operation is a turn.
func reportTurns(b *testing.B) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "turns/s")
}
