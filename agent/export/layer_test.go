package export

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kiothi/agent/export/onnx"
	"kiothi/agent/export/onnx/onnxtest"
	"kiothi/agent/features"
	"kiothi/env"
	"kiothi/env/mancala"
)

// featureGraph returns the feature layer of a game, written and read.
func featureGraph(t *testing.T, g mancala.Game, size int) *onnxtest.Model {
	t.Helper()
	observer, err := env.NewObserver(g)
	if err != nil {
		t.Fatal(err)
	}
	graph := &onnx.Graph{Name: "features"}
	features, err := newFeatureLayer(graph, g, graph.Input(onnx.Port{Name: "in", Shape: []int{len(observer.Planes()), 2, g.Width()}}))
	if err != nil {
		t.Fatal(err)
	}
	graph.Output(features, onnx.Port{Name: "out", Shape: []int{size}})
	m, err := onnxtest.Parse((&onnx.Model{Graph: graph}).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// The states of random games, as they are; with each row's seeds in one pit, whose lap may go all around; and with holes
// closed, more than a competition ever closes.
func TestFeatureLayersAreTheEncoder(t *testing.T) {
	for _, r := range ruleSets {
		g := open(t, r.game, r.rules)
		encoder, err := features.New(g)
		if err != nil {
			t.Fatal(err)
		}
		observer, err := env.NewObserver(g)
		if err != nil {
			t.Fatal(err)
		}
		var states []mancala.State
		rng := rand.New(rand.NewPCG(3, 3))
		for len(states) < 1000 {
			for s := g.Start(); !s.Over() && len(states) < 1000; {
				states = append(states, s)
				heaped := s
				for side, row := range s.Rows {
					heaped.Rows[side] = mancala.Row(0).With(rng.IntN(g.Width()), row.Sum())
				}
				heaped.Clock = uint16(rng.IntN(g.ClockLimit()))
				states = append(states, heaped)
				if r.game == "rio-kadalis" {
					for _, closed := range []mancala.State{s, heaped} {
						for i := range 2 * g.Width() {
							if closed.Rows[i/g.Width()].At(i%g.Width()) == 0 && rng.IntN(3) > 0 {
								closed.Closed |= 1 << i
							}
						}
						states = append(states, closed)
					}
				}
				legal := g.AppendLegal(nil, &s)
				if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
					t.Fatal(err)
				}
			}
		}
		m := featureGraph(t, g, encoder.Size())
		want := make([]float32, encoder.Size())
		for rest := range slices.Chunk(states, 50) {
			in := onnxtest.New(len(rest), len(observer.Planes()), 2, g.Width())
			for i := range rest {
				observer.Observe(in.Data[i*observer.Size():], &rest[i])
			}
			out, err := m.Run(map[string]onnxtest.Tensor{"in": in})
			if err != nil {
				t.Fatalf("%s %s: %v", r.game, r.rules, err)
			}
			for i := range rest {
				encoder.Encode(want, &rest[i])
				got := out["out"].Data[i*len(want) : (i+1)*len(want)]
				if !slices.Equal(got, want) {
					at := 0
					for got[at] == want[at] {
						at++
					}
					t.Fatalf("%s %s: feature %d is %v, want %v, in %s", r.game, r.rules, at, got[at], want[at], g.Format(&rest[i]))
				}
			}
		}
	}
}
