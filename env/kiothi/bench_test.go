package kiothi

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// starts returns positions after a random opening.
func starts(tb testing.TB, g *Game, n int) []mancala.State {
	rng := rand.New(rand.NewPCG(1, 2))
	var buf []mancala.Action
	out := make([]mancala.State, n)
	for i := range out {
		s := g.Start()
		for s.Phase != mancala.Sow {
			buf = g.AppendLegal(buf[:0], &s)
			a := buf[rng.IntN(len(buf))]
			g.playOpening(&s, a)
		}
		out[i] = s
	}
	return out
}

func BenchmarkRandomTurn(b *testing.B) {
	g, _ := New("")
	from := starts(b, g, 256)
	rng := rand.NewPCG(3, 4)
	s, i := from[0], 0
	b.ReportAllocs()
	laps := 0
	for b.Loop() {
		_, t := g.RandomTurn(&s, rng)
		laps += int(t.Laps)
		if s.Over() {
			i++
			s = from[i%256]
		}
	}
	b.ReportMetric(float64(laps)/float64(b.N), "laps/op")
	b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mturns/s")
	b.ReportMetric(float64(b.N)/float64(i), "turns/game")
}

func BenchmarkListed(b *testing.B) {
	g, _ := New("")
	from := starts(b, g, 256)
	rng := rand.NewPCG(3, 4)
	s, i := from[0], 0
	b.ReportAllocs()
	buf := make([]mancala.Action, 0, 600)
	n := 0
	for b.Loop() {
		buf = g.AppendLegal(buf[:0], &s)
		n += len(buf)
		if _, err := g.Play(&s, buf[pick(rng, len(buf))]); err != nil {
			b.Fatal(err)
		}
		if s.Over() {
			i++
			s = from[i%256]
		}
	}
	b.ReportMetric(float64(n)/float64(b.N), "legal/op")
	b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mturns/s")
}

func BenchmarkPlain(b *testing.B) {
	g, _ := New("")
	from := starts(b, g, 256)
	rng := rand.NewPCG(3, 4)
	s, i := plainOf(&from[0]), 0
	buf := make([]mancala.Action, 0, 600)
	for b.Loop() {
		buf = s.legal(&g.rules, buf[:0])
		if len(buf) == 0 {
			i++
			s = plainOf(&from[i%256])
			buf = s.legal(&g.rules, buf[:0])
		}
		a := int(buf[pick(rng, len(buf))])
		s.play(&g.rules, s.player*width+a/60, a%60+1)
	}
	b.ReportMetric(float64(b.N)/1e6/b.Elapsed().Seconds(), "Mturns/s")
}

// pick returns a uniformly random number below n.
func pick(rng *rand.PCG, n int) int {
	high, _ := bits.Mul64(rng.Uint64(), uint64(n))
	return int(high)
}
