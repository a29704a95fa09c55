package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// A chain of forced moves and an end behind the only good action: no simulation may ask the network about either.
func TestEndsAndForcedPositionsAreNeverSentToTheNetwork(t *testing.T) {
	g := table{places: []place{
		{player: mancala.South, children: []int{1, 4}, logits: []float32{0, 0}},
		{player: mancala.North, children: []int{2}}, // forced
		{player: mancala.North, children: []int{3}}, // forced
		{player: mancala.South, over: true, margin: 2},
		{player: mancala.North, over: true, margin: -2},
	}}
	for _, kind := range []Kind{Gumbel, PUCT} {
		config := handConfig(kind)
		tree := NewTree(g, config, sign)
		root := g.state(0)
		tree.Reset(&root, 20, nil)
		asked := 0
		for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
			if *leaf != root {
				t.Fatalf("%v asks about place %d", kind, leaf.Clock)
			}
			tree.Expand(g.at(leaf).logits, 0)
			asked++
		}
		if asked != 1 {
			t.Errorf("%v asked %d times, want once, about the root", kind, asked)
		}
		if tree.simulations != 20 || tree.Best() != 0 {
			t.Errorf("%v: %d simulations, best %d; want 20 and 0", kind, tree.simulations, tree.Best())
		}
	}
}

// Every edge's mean must lie between the extremes of its player's results, on random trees in which players move any
// number of times in a row; with the truth as the network's value, the search must find the best action.
func TestValuesBelongToPlayersOnRandomTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		places := randomPlaces(rng, 4)
		g := table{places: places}
		for _, kind := range []Kind{Gumbel, PUCT} {
			config := Default()
			config.Kind = kind
			tree := NewTree(g, &config, sign)
			g.search(tree, 0, 200)
			best := places[places[0].children[tree.Best()]]
			if got, want := truth(places, best), truth(places, places[0]); got != want {
				t.Fatalf("%v: plays to a place worth %d to South, the best is %d\n%+v", kind, got, want, places)
			}
		}
	}
}

// randomPlaces makes a complete binary tree of the given depth with random players and results, whose network knows the
// truth of every place up to some doubt.
func randomPlaces(rng *rand.Rand, depth int) []place {
	places := make([]place, 1<<(depth+1)-1)
	for i := len(places) - 1; i >= 0; i-- {
		p := &places[i]
		p.player = mancala.Player(rng.IntN(2))
		if 2*i+2 >= len(places) {
			p.over, p.margin = true, rng.IntN(3)-1
			continue
		}
		p.children, p.logits = []int{2*i + 1, 2*i + 2}, []float32{rng.Float32(), rng.Float32()}
		p.value = 0.5 * float32(truth(places, *p))
		if p.player == mancala.North {
			p.value = -p.value
		}
	}
	return places
}

// truth returns a place's value to South under best play.
func truth(places []place, p place) int {
	if p.over {
		return p.margin
	}
	a, b := truth(places, places[p.children[0]]), truth(places, places[p.children[1]])
	if p.player == mancala.South {
		return max(a, b)
	}
	return min(a, b)
}

func TestNoiseExploresAndIsReproducible(t *testing.T) {
	g := table{places: toy}
	for _, kind := range []Kind{Gumbel, PUCT} {
		actions := map[mancala.Action]int{}
		for seed := range uint64(200) {
			var first mancala.Action
			for try := range 2 {
				tree := NewTree(g, handConfig(kind), sign)
				root := g.state(0)
				tree.Reset(&root, 9, rand.New(rand.NewPCG(seed, 1)))
				for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
					tree.Expand(g.at(leaf).logits, g.at(leaf).value)
				}
				got := tree.Sample(1)
				if try == 0 {
					first = got
					actions[got]++
				} else if got != first {
					t.Fatalf("%v: seed %d plays %d, then %d", kind, seed, first, got)
				}
			}
		}
		if len(actions) != 2 {
			t.Errorf("%v with noise always plays %v", kind, actions)
		}
	}
}

// A search that starts with no simulation plays the network's policy.
func TestNoSimulationsPlayTheNetworksPolicy(t *testing.T) {
	g := table{places: toy}
	for _, kind := range []Kind{Gumbel, PUCT} {
		tree := NewTree(g, handConfig(kind), sign)
		g.search(tree, 0, 0)
		if got := tree.Best(); got != 0 {
			t.Errorf("%v plays %d, want 0, which the network prefers", kind, got)
		}
	}
}

// The gamma generator's mean and variance are its shape.
func TestGamma(t *testing.T) {
	tree := &Tree{noise: rand.New(rand.NewPCG(1, 2))}
	for _, alpha := range []float64{0.3, 1, 4.5} {
		const n = 200000
		sum, squares := 0.0, 0.0
		for range n {
			x := tree.gamma(alpha)
			sum += x
			squares += x * x
		}
		mean := sum / n
		variance := squares/n - mean*mean
		if math.Abs(mean-alpha) > 0.03*alpha || math.Abs(variance-alpha) > 0.06*alpha {
			t.Errorf("shape %v: mean %v, variance %v", alpha, mean, variance)
		}
	}
}

func TestSearchesReuseTheirMemory(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(Gumbel), sign)
	root := g.state(0)
	search := func() {
		tree.Reset(&root, 64, nil)
		for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
			tree.Expand(g.at(leaf).logits, g.at(leaf).value)
		}
	}
	search()
	if n := testing.AllocsPerRun(50, search); n > 0 {
		t.Errorf("%v allocations a search, want none", n)
	}
}

func TestConfigValidate(t *testing.T) {
	good := Default()
	if err := good.Validate(); err != nil {
		t.Errorf("the default: %v", err)
	}
	for name, spoil := range map[string]func(*Config){
		"kind":       func(c *Config) { c.Kind = 9 },
		"considered": func(c *Config) { c.Considered = 1 },
		"c_visit":    func(c *Config) { c.CVisit = math.NaN() },
		"c_scale":    func(c *Config) { c.CScale = 0 },
		"c_puct":     func(c *Config) { c.CPUCT = -1 },
		"alpha":      func(c *Config) { c.DirichletAlpha = 0 },
		"share":      func(c *Config) { c.DirichletShare = 1 },
	} {
		c := Default()
		spoil(&c)
		if c.Validate() == nil {
			t.Errorf("a bad %s is accepted", name)
		}
	}
}
