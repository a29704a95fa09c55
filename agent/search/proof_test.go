package search

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// share is the utility of who plays for the margin alone.
func share(m int) float32 { return float32(m) / mancala.MaxSeeds }

// warrior is the utility of who counts a win by exactly two ten times: more is not always better.
func warrior(m int) float32 {
	switch {
	case m == 2 || m == -2:
		return float32(m) / 2
	case m > 0:
		return 0.1
	case m < 0:
		return -0.1
	}
	return 0
}

// playing returns the settings of a search for play.
func playing(kind Kind) *Config {
	c := Default().ForPlay()
	c.Kind = kind
	return &c
}

// best returns the utility of a place of the toy game for South under best play.
func (t table) best(p *place, utility func(int) float32) float32 {
	if p.over {
		return utility(p.margin)
	}
	var found float32
	for i, child := range p.children {
		v := t.best(&t.places[child], utility)
		if i == 0 || (p.player == mancala.South) == (v > found) {
			found = v
		}
	}
	return found
}

// On random trees in which players act any number of times in a row, with results of many margins and a network that knows
// nothing, no bound of any position is ever wrong, simulations end when the root is proven, and what is played is best.
func TestProofsAreExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 100 {
		g := table{places: randomPlaces(rng, 5)}
		for i := range g.places {
			p := &g.places[i]
			p.margin, p.value = 2*(rng.IntN(7)-3), 2*rng.Float32()-1
			if len(p.logits) > 0 {
				p.logits = []float32{4 * rng.Float32(), 4 * rng.Float32()}
			}
		}
		for _, utility := range []func(int) float32{sign, share, warrior} {
			for _, kind := range []Kind{Gumbel, PUCT} {
				for _, budget := range []int{500, Unlimited} {
					tree := NewTree(g, playing(kind), utility)
					root := g.state(0)
					tree.Reset(&root, budget, nil)
					for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
						tree.Expand(g.at(leaf).logits, g.at(leaf).value)
						wantBounds(t, g, tree, utility)
					}
					truth := g.best(&g.places[0], utility)
					if got := g.best(&g.places[g.places[0].children[tree.Best()]], utility); got != truth {
						t.Fatalf("%v: plays what is worth %v to South, the best is %v", kind, got, truth)
					}
					if value, ok := tree.Proven(); ok && g.places[0].player == mancala.North && value != -truth || ok && g.places[0].player == mancala.South && value != truth {
						t.Fatalf("%v: %v is proven, the truth for South is %v", kind, value, truth)
					} else if ok && tree.Value() != value {
						t.Fatalf("%v: the value is %v, proven is %v", kind, tree.Value(), value)
					}
					if !tree.decided {
						t.Fatalf("%v: after %d simulations nothing is decided in a tree of 32 ends", kind, tree.simulations)
					}
					if _, policy := tree.AppendPolicy(nil, nil); policy[tree.Best()] == 0 {
						t.Fatalf("%v: the policy %v leaves out the best action, %d", kind, policy, tree.Best())
					}
				}
			}
		}
	}
}

// wantBounds checks all bounds in a tree of the toy game.
func wantBounds(t *testing.T, g table, tree *Tree, utility func(int) float32) {
	t.Helper()
	for i := range tree.nodes {
		n := &tree.nodes[i]
		truth := g.best(g.at(&n.state), utility)
		if n.state.Player == mancala.North {
			truth = -truth
		}
		if truth < n.low || truth > n.high {
			t.Fatalf("place %d is worth %v, not %v to %v", n.state.Clock, truth, n.low, n.high)
		}
	}
}

// The network is sure of action 0, which loses, and against action 1, which wins in two moves.
func TestAProvenWinIsPlayedAndAProvenLossAvoided(t *testing.T) {
	g := table{places: []place{
		{player: mancala.South, children: []int{1, 2}, logits: []float32{9, 0}},
		{player: mancala.North, children: []int{3, 4}, logits: []float32{0, 9}, value: -0.9},
		{player: mancala.North, children: []int{5, 6}, logits: []float32{0, 0}, value: 0.9},
		{player: mancala.South, over: true, margin: -2},
		{player: mancala.South, over: true, margin: 4},
		{player: mancala.South, over: true, margin: 2},
		{player: mancala.South, over: true, margin: 4},
	}}
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, playing(kind), sign)
		g.search(tree, 0, 64)
		if tree.Best() != 1 {
			t.Errorf("%v plays into the loss", kind)
		}
		if tree.Simulations() > 8 {
			t.Errorf("%v makes %d simulations in a tree of four ends", kind, tree.Simulations())
		}
	}
}

// uniform is a network that knows nothing.
func uniform(tree *Tree, g mancala.Game, s *mancala.State, simulations int) {
	logits := make([]float32, g.Actions())
	tree.Reset(s, simulations, nil)
	for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
		tree.Expand(logits, 0)
	}
}

// Positions of few seeds, where the table of end games knows the truth.
func TestWhatIsProvenIsWhatTheTableOfEndGamesSays(t *testing.T) {
	for _, c := range []struct {
		game          string
		stones, marks int
	}{{"rio-kadalis", 5, 0}, {"kiothi", 4, 4}} {
		g, err := games.Open(c.game, "")
		if err != nil {
			t.Fatal(err)
		}
		truth, err := endgame.Build(t.Context(), g, c.stones, endgame.Options{Marked: c.marks})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(4, 4))
		for _, kind := range []Kind{Gumbel, PUCT} {
			tree := NewTree(g, playing(kind), share)
			proven, decided, asked := 0, 0, 0
			for asked < 60 {
				s := scatter(t, g, 1+rng.IntN(c.stones), rng)
				margin, ok := truth.Probe(&s)
				if !ok || s.Over() {
					continue
				}
				asked++
				uniform(tree, g, &s, 600)
				for i := range tree.nodes {
					n := &tree.nodes[i]
					if m, ok := truth.Probe(&n.state); ok && !n.state.Over() && (share(m) < n.low || share(m) > n.high) {
						t.Fatalf("%s is worth %d seeds, proven are %v to %v", g.Format(&n.state), m, n.low*60, n.high*60)
					}
				}
				if value, ok := tree.Proven(); ok {
					proven++
					if value != share(margin) {
						t.Errorf("%s: proven is %v, the truth %d", g.Format(&s), value*60, margin)
					}
				}
				if tree.decided {
					decided++
					next := s
					mancala.MustPlay(tree.game, &next, tree.Best())
					got, known := truth.Probe(&next)
					if next.Over() {
						got, known = mancala.Margin(g, &next, next.Player), true
					}
					if next.Player != s.Player {
						got = -got
					}
					if known && got != margin {
						t.Errorf("%s: what is played gets %d, the best %d", g.Format(&s), got, margin)
					}
				}
			}
			// Others are long ways to the end of the clock, or forced to it.
			if proven < asked/4 || decided < asked/3 {
				t.Errorf("%s, %v: of %d positions %d are proven, %d decided", c.game, kind, asked, proven, decided)
			}
		}
	}
}

// scatter returns a position of few seeds in the pits, North having won the others.
func scatter(t *testing.T, g mancala.Game, n int, rng *rand.Rand) mancala.State {
	t.Helper()
	s := mancala.State{Last: mancala.NoPit, Player: mancala.Player(rng.IntN(2))}
	for range n {
		pit := rng.IntN(2 * g.Width())
		row := &s.Rows[pit/g.Width()]
		*row = row.With(pit%g.Width(), row.At(pit%g.Width())+1)
	}
	s, err := g.Parse(g.Format(&s))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Whoever has more than half of the seeds has won, so that nothing is left to search for.
func TestAMajorityOfTheSeedsIsAProof(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse("3,0,2,0,5,0,1,0,0,2/0,4,0,0,3,0,0,2,0,6 - 1-31 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, playing(kind), sign)
		uniform(tree, g, &s, 100)
		if value, ok := tree.Proven(); !ok || value != -1 || tree.Judged() != 1 || tree.Simulations() != 0 {
			t.Errorf("%v: value %v (proven %v) after %d judgements", kind, value, ok, tree.Judged())
		}
		// Who plays for the margin has something to search for.
		if tree = NewTree(g, playing(kind), share); true {
			uniform(tree, g, &s, 100)
			if tree.Judged() < 50 {
				t.Errorf("%v: for the margin %d positions are judged, want most of 100", kind, tree.Judged())
			}
		}
	}
}

// Without proofs the bounds say nothing, and the search is the one that self-play learns from.
func TestWithoutProofsNothingIsProven(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(PUCT), sign)
	g.search(tree, 0, 200)
	if _, ok := tree.Proven(); ok || tree.simulations != 200 {
		t.Errorf("%d simulations, proven: %v; want 200 and nothing", tree.simulations, ok)
	}
}
