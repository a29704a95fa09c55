package kiothi_test

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// This file measures uniformly random playouts of the sowing phase, in turns a second on one core.

// benchRules are the rule sets measured; the first is the default.
var benchRules = []string{"mancala-world", "wikipedia-it", "mancala-world,pickup=all", "mancala-world,first_lap=off"}

// BenchmarkPlayout lists the legal actions of each state and plays one of them.
func BenchmarkPlayout(b *testing.B) {
	for _, rules := range benchRules {
		b.Run(rules, func(b *testing.B) {
			g := mustNew(b, rules)
			from := afterOpening(b, g)
			rng := rand.NewPCG(3, 4)
			s, games := from[0], 0
			legal := make([]mancala.Action, 0, 64)
			b.ReportAllocs()
			for b.Loop() {
				legal = g.AppendLegal(legal[:0], &s)
				if _, err := g.Play(&s, legal[draw(rng, len(legal))]); err != nil {
					b.Fatal(err)
				}
				if s.Over() {
					games++
					s = from[games%len(from)]
				}
			}
			reportTurns(b)
		})
	}
}

// BenchmarkRandomTurn draws each turn from the set of legal ones without listing it.
func BenchmarkRandomTurn(b *testing.B) {
	for _, rules := range benchRules {
		b.Run(rules, func(b *testing.B) {
			g := mustNew(b, rules)
			from := afterOpening(b, g)
			rng := rand.NewPCG(3, 4)
			s, games := from[0], 0
			b.ReportAllocs()
			for b.Loop() {
				g.RandomTurn(&s, rng)
				if s.Over() {
					games++
					s = from[games%len(from)]
				}
			}
			reportTurns(b)
		})
	}
}

// BenchmarkPlainPlayout is BenchmarkPlayout with the plain engine of the tests.
func BenchmarkPlainPlayout(b *testing.B) {
	g := mustNew(b, "")
	rules := g.RuleSet()
	from := afterOpening(b, g)
	rng := rand.NewPCG(3, 4)
	s, games := plainOf(&from[0]), 0
	legal := make([]mancala.Action, 0, 64)
	b.ReportAllocs()
	for b.Loop() {
		legal = s.legal(&rules, legal[:0])
		for len(legal) == 0 || s.clock >= rules.NoCaptureLimit {
			games++
			s = plainOf(&from[games%len(from)])
			legal = s.legal(&rules, legal[:0])
		}
		a := int(legal[draw(rng, len(legal))])
		s.play(&rules, s.player*width+a/60, a%60+1)
	}
	reportTurns(b)
}

// afterOpening returns positions after random openings.
func afterOpening(tb testing.TB, g *kiothi.Game) []mancala.State {
	tb.Helper()
	rng := rand.NewPCG(1, 2)
	states := make([]mancala.State, 256)
	for i := range states {
		s := g.Start()
		for s.Phase != mancala.Sow {
			legal := g.AppendLegal(nil, &s)
			if _, err := g.Play(&s, legal[draw(rng, len(legal))]); err != nil {
				tb.Fatal(err)
			}
		}
		states[i] = s
	}
	return states
}

// draw returns a random number below n; its bias does not matter here, and its time hardly.
func draw(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}

// reportTurns reports the rate of a benchmark whose operation is a turn.
func reportTurns(b *testing.B) {
	b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mturns/s")
}
