package scripted

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// openings are starts with few enough openings to count how often each is drawn.
var openings = []struct{ rules, position string }{
	{"mancala-world,start=1x3", ""},
	{"mancala-world,start=2x2,lifts=1", ""},
	{"mancala-world,start=1x3,lifts=0+2", ""},
	{"mancala-world,start=1x2,lifts=0+1+2", ""},
	{"mancala-world,start=1x3,lifts=1+2", ""},
	{"mancala-world,start=1x3", "0,0,0,0,0,0,0,0,1,1/0,0,0,0,0,0,0,1,1,1 - 0-0 S lift(1):h 0"},
	{"mancala-world,start=1x3", "0,0,0,0,0,0,0,1,1,1/0,0,0,0,0,0,0,1,0,0 - 0-0 N place(2) 0"},
	{"mancala-world,start=1x3", "0,0,0,0,0,0,0,1,0,0/0,0,0,0,0,0,0,1,1,1 - 0-0 S place(2):H 0"},
}

func opening(t *testing.T, i int) (mancala.Game, mancala.State) {
	t.Helper()
	g := open(t, "kiothi", openings[i].rules)
	if openings[i].position == "" {
		return g, g.Start()
	}
	return g, parse(t, g, openings[i].position)
}

// turnOver reports whether player p's opening turn is complete.
func turnOver(s *mancala.State, p mancala.Player) bool {
	return s.Player != p || s.Phase == mancala.Sow
}

// lifted returns the text of a turn's lifts, and of its places.
func lifted(g mancala.Game, s mancala.State, turn []mancala.Action) (lifts, places string) {
	for _, a := range turn {
		if s.Phase == mancala.Lift {
			lifts += g.ActionText(&s, a)
		} else {
			places += g.ActionText(&s, a)
		}
		mancala.MustPlay(g, &s, a)
	}
	return lifts, places
}

func TestSampleOpeningCompletesALegalTurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for i := range openings {
		g, start := opening(t, i)
		for range 100 {
			s := start
			for _, a := range SampleOpening(g, &start, rng) {
				if turnOver(&s, start.Player) {
					t.Fatalf("%v: an action follows the end of the turn", openings[i])
				}
				if _, err := g.Play(&s, a); err != nil {
					t.Fatalf("%v: %v", openings[i], err)
				}
			}
			if !turnOver(&s, start.Player) {
				t.Fatalf("%v: the turn is not complete at %s", openings[i], g.Format(&s))
			}
		}
	}
}

func TestSampleOpeningIsEmptyOutsideTheOpening(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, c := range [][2]string{{"rio-kadalis", ""}, {"kiothi", "mancala-world,lifts=0"}} {
		g := open(t, c[0], c[1])
		s := g.Start()
		if turn := SampleOpening(g, &s, rng); len(turn) != 0 {
			t.Errorf("%v: got %v", c, turn)
		}
	}
}

func TestSampleOpeningDrawsLiftsAndSeedsUniformly(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for i, ways := range []int{3, 2, 4, 4, 6, 2, 1, 1} {
		g, start := opening(t, i)
		lifts := map[string]int{}
		pits := map[int]int{} // where a single seed falls, for openings that have only one way to place it
		for range 20000 {
			turn := SampleOpening(g, &start, rng)
			text, _ := lifted(g, start, turn)
			lifts[text]++
			if openings[i].position != "" && start.Phase == mancala.Place {
				for _, a := range turn {
					pits[int(a)]++
				}
			}
		}
		uniform(t, fmt.Sprint("lifts of ", openings[i]), lifts, ways)
		if len(pits) > 0 {
			uniform(t, fmt.Sprint("seeds of ", openings[i]), pits, len(g.AppendLegal(nil, &start)))
		}
	}
}

func TestRandomAndGreedyDrawLiftsAndWaysToPlaceUniformly(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for i, ways := range []int{3, 2, 4, 4, 6, 2, 1, 1} {
		g, start := opening(t, i)
		lifts := map[string]int{}
		places := map[string]map[string]int{}
		for range 40000 {
			s := start
			var turn []mancala.Action
			for !turnOver(&s, start.Player) {
				a, err := Greedy{g}.Choose(t.Context(), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				mancala.MustPlay(g, &s, a)
				turn = append(turn, a)
			}
			text, placed := lifted(g, start, turn)
			lifts[text]++
			if places[text] == nil {
				places[text] = map[string]int{}
			}
			places[text][placed]++
		}
		uniform(t, fmt.Sprint("lifts of ", openings[i]), lifts, ways)
		for text, counts := range places {
			uniform(t, fmt.Sprint("places of ", openings[i], " after ", text), counts, waysToPlace(g, start, counts))
		}
	}
}

// waysToPlace counts the multisets of pits for as many seeds as the drawn placements hold.
func waysToPlace(g mancala.Game, start mancala.State, counts map[string]int) int {
	seeds := 0
	for placed := range counts {
		seeds = len(placed) / len(">a")
	}
	pits := 2 * g.Width()
	if start.Phase == mancala.Place {
		pits = len(g.AppendLegal(nil, &start))
	}
	ways := 1
	for i := range seeds {
		ways = ways * (pits + i) / (i + 1)
	}
	return ways
}

func BenchmarkSampleOpening(b *testing.B) {
	g := open(b, "kiothi", "")
	s, rng := g.Start(), rand.New(rand.NewPCG(1, 1))
	b.ReportAllocs()
	for b.Loop() {
		SampleOpening(g, &s, rng)
	}
}

func BenchmarkGreedy(b *testing.B) {
	g := open(b, "kiothi", "")
	s, rng := g.Start(), rand.New(rand.NewPCG(1, 1))
	for s.Opening > 0 {
		for _, a := range SampleOpening(g, &s, rng) {
			mancala.MustPlay(g, &s, a)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (Greedy{g}).Choose(b.Context(), &s, rng); err != nil {
			b.Fatal(err)
		}
	}
}
