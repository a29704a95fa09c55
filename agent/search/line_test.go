package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
)

// The value of the best action must be the mean of what the positions behind it are worth, each by its visits.
func TestBehindIsWhatTheValueIsMadeOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 200 {
		g := table{places: randomPlaces(rng, 4)}
		for _, kind := range []Kind{Gumbel, PUCT} {
			config := Default()
			config.Kind = kind
			tree := NewTree(g, &config, sign)
			g.search(tree, 0, 1+rng.IntN(40))
			root := &tree.nodes[0].state
			sum, total := 0.0, 0
			for s, visits := range tree.Behind() {
				value := float64(g.at(s).value)
				if s.Over() {
					value = float64(sign(mancala.Margin(g, s, s.Player)))
				}
				if s.Player != root.Player {
					value = -value
				}
				sum, total = sum+float64(visits)*value, total+visits
			}
			if e := tree.best(); total != int(e.visits) || math.Abs(sum/float64(total)-e.q()) > 1e-6 {
				t.Fatalf("%v: %d simulations worth %v, the search has %d worth %v", kind, total, sum/float64(total), e.visits, e.q())
			}
		}
	}
}

// The chain of TestEndsAndForcedPositionsAreNeverSentToTheNetwork: behind the good action two actions are forced.
func TestALineHoldsForcedActions(t *testing.T) {
	g := table{places: []place{
		{player: mancala.South, children: []int{1, 4}, logits: []float32{0, 0}},
		{player: mancala.North, children: []int{2}},
		{player: mancala.North, children: []int{3}},
		{player: mancala.South, over: true, margin: 2},
		{player: mancala.North, over: true, margin: -2},
	}}
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, handConfig(kind), sign)
		g.search(tree, 0, 8)
		if diff := cmp.Diff([]mancala.Action{0, 0, 0}, tree.AppendLine(nil)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", kind, diff)
		}
	}
}

func TestALineBeginsWithBestAndCanBePlayed(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	longest := 0
	for range 100 {
		g := table{places: randomPlaces(rng, 5)}
		for _, kind := range []Kind{Gumbel, PUCT} {
			config := Default()
			config.Kind = kind
			tree := NewTree(g, &config, sign)
			g.search(tree, 0, rng.IntN(60))
			line := tree.AppendLine(nil)
			if len(line) == 0 || line[0] != tree.Best() {
				t.Fatalf("%v: the line is %v, the best action %d", kind, line, tree.Best())
			}
			s := tree.nodes[0].state
			for _, a := range line {
				if _, err := g.Play(&s, a); err != nil {
					t.Fatal(err)
				}
			}
			longest = max(longest, len(line))
		}
	}
	if longest != 5 {
		t.Errorf("the longest line has %d actions, want one to an end", longest)
	}
}

func TestASearchWithoutSimulationsHasTheRootBehindIt(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(Gumbel), sign)
	g.search(tree, 0, 0)
	for s, visits := range tree.Behind() {
		if *s != g.state(0) || visits != 1 {
			t.Errorf("%d simulations in place %d", visits, s.Clock)
		}
	}
	if line := tree.AppendLine(nil); len(line) != 1 {
		t.Errorf("the line is %v, want the network's choice alone", line)
	}
}
