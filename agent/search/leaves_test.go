package search

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file tests searches of one position that have several leaves judged at once.

// judge stands for a network: what it says depends on the position alone.
func judge(logits []float32, s *mancala.State) (value float32) {
	rng := rand.New(rand.NewPCG(hash(s), 1))
	for i := range logits {
		logits[i] = float32(rng.NormFloat64())
	}
	return 2*rng.Float32() - 1
}

// searchInBatches searches with up to n leaves at once, and returns the sizes of the batches.
func searchInBatches(t *testing.T, tree *Tree, n int, logits [][]float32) (sizes []int) {
	t.Helper()
	values := make([]float32, n)
	for {
		size := 0
		for ; size < n; size++ {
			leaf := tree.Select()
			if leaf == nil {
				break
			}
			values[size] = judge(logits[size], leaf)
		}
		if size == 0 {
			return sizes
		}
		sizes = append(sizes, size)
		for i := range size {
			tree.Expand(logits[i], values[i])
		}
	}
}

func buffers(g mancala.Game, n int) [][]float32 {
	logits := make([][]float32, n)
	for i := range logits {
		logits[i] = make([]float32, g.Actions())
	}
	return logits
}

// After a search nothing is under way, and the visits of a node are those of its edges.
func TestBatchesOfLeavesLeaveAConsistentTree(t *testing.T) {
	for _, name := range games.Names() {
		g, err := games.Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []Kind{Gumbel, PUCT} {
			for _, proofs := range []bool{false, true} {
				config := playing(kind)
				config.Proofs, config.Twins = proofs, proofs
				tree := NewTree(g, config, share)
				for _, s := range choices(t, g, rand.New(rand.NewPCG(1, 2)))[:20] {
					tree.Reset(&s, 200, nil)
					sizes := searchInBatches(t, tree, 8, buffers(g, 8))
					if tree.simulations != 200 && !tree.decided {
						t.Errorf("%s, %v: %d simulations, want 200", name, kind, tree.simulations)
					}
					if !tree.decided && len(sizes) > 100 {
						t.Errorf("%s, %v: %d batches for 200 simulations", name, kind, len(sizes))
					}
					wantConsistent(t, tree)
				}
			}
		}
	}
}

func wantConsistent(t *testing.T, tree *Tree) {
	t.Helper()
	if len(tree.waiting) != 0 {
		t.Errorf("%d simulations are under way", len(tree.waiting))
	}
	for i := range tree.nodes {
		n := &tree.nodes[i]
		visits := int32(0)
		for _, e := range tree.edgesOf(n) {
			visits += e.visits
			if e.under != 0 || (e.visits > 0) != (e.child != unvisited) {
				t.Fatalf("an edge has %d visits, %d under way, and leads to node %d", e.visits, e.under, e.child)
			}
			if e.child != unvisited {
				// A node is visited once for itself, and then for its edges or its known result.
				if child := &tree.nodes[e.child]; child.total > e.visits {
					t.Fatalf("an edge of %d visits leads to a node of %d", e.visits, child.total)
				}
			}
		}
		if n.under != 0 || n.total != visits {
			t.Fatalf("a node has %d visits, its edges %d; %d are under way", n.total, visits, n.under)
		}
	}
}

// A batch of one is the search that Round makes.
func TestABatchOfOneIsASearchWithoutBatches(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	logits := buffers(g, 1)
	for _, kind := range []Kind{Gumbel, PUCT} {
		one, other := NewTree(g, playing(kind), sign), NewTree(g, playing(kind), sign)
		for _, s := range choices(t, g, rand.New(rand.NewPCG(2, 2)))[:10] {
			one.Reset(&s, 100, nil)
			searchInBatches(t, one, 1, logits)
			other.Reset(&s, 100, nil)
			for leaf := other.Select(); leaf != nil; leaf = other.Select() {
				other.Expand(logits[0], judge(logits[0], leaf))
			}
			if one.Best() != other.Best() || one.Value() != other.Value() || one.Judged() != other.Judged() {
				t.Errorf("%v: %d worth %v, and %d worth %v", kind, one.Best(), one.Value(), other.Best(), other.Value())
			}
		}
	}
}

// Whatever South does, North chooses between the same two places.
func TestATwinIsJudgedOnce(t *testing.T) {
	even := []float32{0, 0}
	g := table{places: []place{
		{player: mancala.South, children: []int{1, 2}, logits: even},
		{player: mancala.North, children: []int{3, 4}, logits: even},
		{player: mancala.North, children: []int{3, 4}, logits: even},
		{player: mancala.South, children: []int{5, 6}, logits: even},
		{player: mancala.South, children: []int{5, 6}, logits: even},
		{player: mancala.South, over: true, margin: 2},
		{player: mancala.South, over: true, margin: -2},
	}}
	for _, kind := range []Kind{Gumbel, PUCT} {
		config := playing(kind)
		config.Proofs = false
		tree := NewTree(g, config, sign)
		root := g.state(0)
		tree.Reset(&root, 60, nil)
		asked := map[uint16]int{}
		for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
			asked[leaf.Clock]++
			tree.Expand(g.at(leaf).logits, g.at(leaf).value)
		}
		twins := map[uint16]int{}
		for i := range tree.nodes {
			twins[tree.nodes[i].state.Clock]++
		}
		for at, n := range asked {
			if n != 1 {
				t.Errorf("%v: place %d is judged %d times", kind, at, n)
			}
		}
		if twins[3] != 2 || twins[4] != 2 {
			t.Errorf("%v: two places are in the tree %d and %d times, want twice each", kind, twins[3], twins[4])
		}
		// All other things are as without.
		config.Twins = false
		alone := NewTree(g, config, sign)
		g.search(alone, 0, 60)
		if tree.Value() != alone.Value() || tree.Best() != alone.Best() || tree.Judged() >= alone.Judged() {
			t.Errorf("%v: value %v with %d judgements, without twins %v with %d", kind, tree.Value(), tree.Judged(), alone.Value(), alone.Judged())
		}
		wantConsistent(t, tree)
	}
}

// The table grows past its first size, and finds every position that is in it, and no other.
func TestTwinsAreFoundInLargeTrees(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	tree := NewTree(g, playing(PUCT), share)
	s := g.Start()
	tree.Reset(&s, 3000, nil)
	searchInBatches(t, tree, 8, buffers(g, 8))
	first := map[mancala.State]bool{}
	for i := range tree.nodes {
		if n := &tree.nodes[i]; n.judged {
			first[n.state] = true
			if at := tree.twins.find(tree.nodes, &n.state); at < 0 || tree.nodes[at].state != n.state {
				t.Fatalf("node %d of %d is not found", i, len(tree.nodes))
			}
		}
	}
	if tree.twins.used != len(first) || len(first) < 1000 {
		t.Errorf("%d positions are in the table, %d in the tree", tree.twins.used, len(first))
	}
	for _, other := range choices(t, g, rand.New(rand.NewPCG(5, 5))) {
		if at := tree.twins.find(tree.nodes, &other); (at >= 0) != first[other] {
			t.Errorf("%s is found at %d", g.Format(&other), at)
		}
	}
}

func TestASearchGoesOnWithWhatTheOneBeforeFound(t *testing.T) {
	for _, name := range games.Names() {
		g, err := games.Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []Kind{Gumbel, PUCT} {
			tree := NewTree(g, playing(kind), share)
			for _, s := range choices(t, g, rand.New(rand.NewPCG(6, 6)))[:20] {
				tree.Reset(&s, Unlimited, nil)
				logits := buffers(g, 1)
				for range 300 {
					leaf := tree.Select()
					if leaf == nil {
						break
					}
					tree.Expand(logits[0], judge(logits[0], leaf))
				}
				line := tree.AppendLine(nil)
				if len(line) < 3 {
					continue
				}
				for _, a := range line[:2] {
					mancala.MustPlay(tree.game, &s, a)
				}
				if legal := g.AppendLegal(nil, &s); s.Over() || len(legal) < 2 {
					continue
				}
				visits := int32(0)
				for i := range tree.nodes {
					if n := &tree.nodes[i]; n.judged && n.state == s {
						visits = max(visits, n.total)
					}
				}
				tree.Resume(&s, Unlimited)
				if root := &tree.nodes[0]; root.state != s || root.total != visits || visits == 0 {
					t.Fatalf("%s, %v: resumed with %d visits in %s, want %d in %s", name, kind, root.total, g.Format(&root.state), visits, g.Format(&s))
				}
				wantConsistent(t, tree)
				before := tree.nodes[0].total
				for range 50 {
					leaf := tree.Select()
					if leaf == nil {
						break
					}
					tree.Expand(logits[0], judge(logits[0], leaf))
				}
				if !tree.decided && tree.nodes[0].total < before+50 {
					t.Errorf("%s, %v: %d visits after 50 more simulations than %d", name, kind, tree.nodes[0].total, before)
				}
				wantConsistent(t, tree)
			}
			// What is not in the tree is a new beginning.
			s := g.Start()
			tree.Resume(&s, Unlimited)
			if len(tree.nodes) != 1 || tree.nodes[0].state != s || *tree.Select() != s {
				t.Errorf("%s, %v: a position out of the tree begins with %d positions", name, kind, len(tree.nodes))
			}
		}
	}
}

// A net of few places and very many ways through it: soon every position is in the tree already. Each call still returns after
// a while, and the search is not done before it says so.
func TestASearchWithoutALimitReturnsWhereTheNetworkIsNotNeeded(t *testing.T) {
	const depth = 40
	var places []place
	for i := range depth {
		for range 2 {
			next := 2 * (i + 1)
			places = append(places, place{player: mancala.Player(i % 2), children: []int{next, next + 1}, logits: []float32{0, 0}})
		}
	}
	places = append(places, place{over: true, margin: 2}, place{over: true, margin: -2})
	g := table{places: places}
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, playing(kind), share)
		root := g.state(0)
		tree.Reset(&root, Unlimited, nil)
		idle := 0
		for range 300 {
			before := tree.Simulations()
			leaf := tree.Select()
			if n := tree.Simulations() - before; n > atOnce {
				t.Fatalf("%v: a call makes %d simulations", kind, n)
			}
			if leaf != nil {
				tree.Expand(g.at(leaf).logits, 0)
			} else if !tree.Done() {
				idle++
			}
		}
		if idle == 0 {
			t.Errorf("%v: every call found a leaf for the network, so that nothing is tested", kind)
		}
	}
}

func TestSearchesForPlayReuseTheirMemory(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	positions := choices(t, g, rand.New(rand.NewPCG(7, 7)))[:40]
	logits := make([]float32, g.Actions())
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, playing(kind), share)
		game := func() {
			for i := range positions {
				if tree.Resume(&positions[i], Unlimited); i == 0 {
					tree.Reset(&positions[i], Unlimited, nil)
				}
				for tree.simulations < 100 {
					n := 0
					for ; n < 4 && tree.Select() != nil; n++ {
					}
					if n == 0 {
						break
					}
					for range n {
						tree.Expand(logits, 0)
					}
				}
				tree.Best()
			}
		}
		tree.Reset(&positions[0], 1, nil)
		game()
		if n := testing.AllocsPerRun(20, game); n > 0 {
			t.Errorf("%v: %v allocations in %d searches, want none", kind, n, len(positions))
		}
	}
}
