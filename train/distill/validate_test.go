// This file checks the measures of a network.

package distill

import (
	"math"
	"testing"

	"kiothi/agent/nnue"
)

// A network that says even to everything, on three positions: a win that the search is sure of, a draw, and a loss that the
// search takes for a win.
func TestValidationMeasuresNetworkAndSearch(t *testing.T) {
	g := open(t, "rio-kadalis")
	f, err := nnue.NewFloat(g, nnue.HiddenStep)
	if err != nil {
		t.Fatal(err)
	}
	s := &samples{
		layout:  f.Layout,
		rows:    make([]uint16, 3*f.Layout.Tables()),
		buckets: []uint8{0, 1, 2}, folders: []uint8{0, 0, 0},
		values:  []float32{certain, 0, 0.1},
		results: []uint8{2, 1, 0},
		games:   2,
	}
	f.OutputBias[2] = -1 // but for the last position
	goal := &target{lambda: 1, slopes: [][nnue.Buckets]float64{{10, 10, 10}}}
	log := func(p float64) float64 { return -math.Log(p) }
	want := Validation{
		Games: 2, Positions: 3,
		Loss:         (2*math.Ln2 + log(sigmoid(1))) / 3,
		Floor:        math.Ln2 / 3, // the draw
		Result:       (2*math.Ln2 + log(sigmoid(1))) / 3,
		Search:       (2*math.Ln2 + sigmoid(1)*log(sigmoid(-1)) + sigmoid(-1)*log(sigmoid(1))) / 3,
		Right:        0.5, // not the first: even is no win
		SearchResult: (log(1-doubt) + math.Ln2 + log(sigmoid(-1))) / 3,
		SearchRight:  0.5,
	}
	got := s.judge(f, goal, 1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"loss", got.Loss, want.Loss}, {"floor", got.Floor, want.Floor}, {"result", got.Result, want.Result},
		{"search", got.Search, want.Search}, {"right", got.Right, want.Right},
		{"search's result", got.SearchResult, want.SearchResult}, {"search right", got.SearchRight, want.SearchRight},
	} {
		if math.Abs(c.got-c.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if got.Games != 2 || got.Positions != 3 {
		t.Errorf("%d games and %d positions, want 2 and 3", got.Games, got.Positions)
	}
	if two := s.judge(f, goal, 2); two != got {
		t.Errorf("two workers find %+v, one %+v", two, got)
	}
}
