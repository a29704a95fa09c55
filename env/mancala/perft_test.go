package mancala_test

import (
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// open opens a small game to count in. That the counts are right is checked in the engines' tests, against recorded ones.
func open(tb testing.TB) (*riokadalis.Game, mancala.State) {
	tb.Helper()
	g, err := riokadalis.New("standard")
	if err != nil {
		tb.Fatal(err)
	}
	return g, g.Start()
}

func TestPerftCountsSequencesOfExactlyThatLength(t *testing.T) {
	g, s := open(t)
	for depth, want := range []uint64{1, 6, 32, 140, 638} {
		if got := mancala.Perft(g, s, depth); got != want {
			t.Errorf("depth %d counts %d sequences, expected %d", depth, got, want)
		}
	}
}

func TestPerftOfAFinishedGame(t *testing.T) {
	g, _ := open(t)
	s, err := g.Parse("0,0,0,0,0,0/1,0,0,0,0,0 - 20-27 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	for depth, want := range []uint64{1, 0, 0} {
		if got := mancala.Perft(g, s, depth); got != want {
			t.Errorf("depth %d counts %d sequences, expected %d", depth, got, want)
		}
	}
}

func TestDivideAddsUp(t *testing.T) {
	g, s := open(t)
	for depth := 1; depth <= 4; depth++ {
		sum, next := uint64(0), mancala.Action(0)
		for a, n := range mancala.Divide(g, s, depth) {
			if a != next {
				t.Errorf("depth %d: action %d comes where %d is expected", depth, a, next)
			}
			sum, next = sum+n, next+1
		}
		if want := mancala.Perft(g, s, depth); sum != want {
			t.Errorf("depth %d: the branches add up to %d, expected %d", depth, sum, want)
		}
	}
	for a := range mancala.Divide(g, s, 0) {
		t.Errorf("depth 0 has a branch %d", a)
	}
	for range mancala.Divide(g, s, 2) {
		break // the rest is not counted
	}
}

// TestPerftAllocatesByPly allows some allocations a ply; the tree has thousands of nodes.
func TestPerftAllocatesByPly(t *testing.T) {
	g, s := open(t)
	if n := testing.AllocsPerRun(5, func() { mancala.Perft(g, s, 6) }); n > 20 {
		t.Errorf("counting 13,800 sequences allocates %v times", n)
	}
}

func BenchmarkPerft(b *testing.B) {
	g, s := open(b)
	b.ReportAllocs()
	nodes := uint64(0)
	for b.Loop() {
		nodes += mancala.Perft(g, s, 6)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "sequences/s")
}
