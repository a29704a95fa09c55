package uct

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/scripted"
	"kiothi/env/mancala"
)

// BenchmarkSimulations searches positions of games from the beginning of the sowing to the end, 5000 simulations each, and
// reports simulations a second.
func BenchmarkSimulations(b *testing.B) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		b.Run(game, func(b *testing.B) {
			g := open(b, game)
			rng := rand.New(rand.NewPCG(1, 1))
			t := newTree(g, 1000)
			var s mancala.State
			s.End = mancala.Stuck
			n := 0
			next := func() {
				if s.Over() {
					s = g.Start()
					for s.Opening > 0 {
						for _, a := range scripted.SampleOpening(g, &s, rng) {
							play(b, g, &s, a)
						}
					}
				} else {
					play(b, g, &s, t.nodes[t.best()].action)
				}
				if !s.Over() {
					t.reset(&s, rng)
				}
			}
			next()
			b.ReportAllocs()
			for b.Loop() {
				if n%5000 == 0 && n > 0 {
					for next(); s.Over(); next() {
					}
				}
				t.simulate(&s)
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "sims/s")
		})
	}
}
