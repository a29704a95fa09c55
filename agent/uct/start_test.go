package uct

import (
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/agent"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// game plays a game of an agent against itself, up to a number of actions, each with a source of its own.
func game(t *testing.T, g mancala.Game, players [2]agent.Agent, actions int, each func(s *mancala.State, a mancala.Action)) {
	t.Helper()
	s := g.Start()
	for i := 0; i < actions && !s.Over(); i++ {
		a, err := players[s.Player].Choose(t.Context(), &s, rand.New(rand.NewPCG(5, uint64(i))))
		if err != nil {
			t.Fatal(err)
		}
		if each != nil {
			each(&s, a)
		}
		play(t, g, &s, a)
	}
}

func TestAPlayerOfOneGameStartsFromWhatItFoundBefore(t *testing.T) {
	for _, name := range games.Names() {
		g := open(t, name)
		p := player(t, g, Config{Simulations: 800})
		seats := [2]agent.Agent{p.Start(), p.Start()}
		searched, carried := 0, 0
		game(t, g, seats, 60, func(s *mancala.State, _ mancala.Action) {
			found := seats[s.Player].(*seat)
			searched++
			if len(found.found) > 0 && found.found[0].visits > 800 {
				carried++ // more than one search can have given it
			}
		})
		if carried*10 < searched {
			t.Errorf("%s: %d of %d searches began with many visits, want a tenth or more", name, carried, searched)
		}
	}
}

func TestAGameDoesNotDependOnOthers(t *testing.T) {
	for _, name := range games.Names() {
		g := open(t, name)
		var lines [2][]mancala.Action
		p := player(t, g, Config{Simulations: 300})
		for i := range lines {
			game(t, g, [2]agent.Agent{p.Start(), p.Start()}, 40, func(_ *mancala.State, a mancala.Action) { lines[i] = append(lines[i], a) })
		}
		for i := range lines[0] {
			if lines[0][i] != lines[1][i] {
				t.Fatalf("%s: action %d is %d, and %d again", name, i, lines[0][i], lines[1][i])
			}
		}
	}
}

func TestAPositionThatIsNotOfTheGameIsSearchedAnew(t *testing.T) {
	g := open(t, "rio-kadalis")
	p := player(t, g, Config{Simulations: 200})
	one := p.Start()
	s := g.Start()
	if _, err := one.Choose(t.Context(), &s, rand.New(rand.NewPCG(1, 1))); err != nil {
		t.Fatal(err)
	}
	s = parse(t, g, "1,0,2,0,1,1/0,0,1,0,1,1 - 20-20 N sow 0")
	got, err := one.Choose(t.Context(), &s, rand.New(rand.NewPCG(2, 2)))
	if err != nil {
		t.Fatal(err)
	}
	want, err := p.Choose(t.Context(), &s, rand.New(rand.NewPCG(2, 2)))
	if err != nil || got != want {
		t.Errorf("chose %d, want %d as without memory; error %v", got, want, err)
	}
}

func TestASubtreeIsCopiedWholeOrItsShallowPart(t *testing.T) {
	g := open(t, "kiothi")
	s := g.Start()
	tr := newTree(g, 1000)
	tr.reset(&s, rand.New(rand.NewPCG(1, 1)))
	for range 20_000 {
		tr.simulate(&s)
	}
	root := tr.best()
	// same compares two subtrees, and counts their nodes. Where the copy was cut it has no children.
	var same func(a []node, i int32, b []node, j int32, cut bool) int
	same = func(a []node, i int32, b []node, j int32, cut bool) int {
		x, y := a[i], b[j]
		if x.action != y.action || x.visits != y.visits || math.Abs(x.points-y.points) > 0 {
			t.Fatalf("node %+v became %+v", x, y)
		}
		if y.count != x.count && (!cut || y.count != 0) {
			t.Fatalf("%d children became %d", x.count, y.count)
		}
		n := 1
		for k := range y.count {
			n += same(a, x.first+k, b, y.first+k, cut)
		}
		return n
	}
	whole := appendSubtree(nil, tr.nodes, root, maxNodes)
	if n := same(tr.nodes, root, whole, 0, false); n != len(whole) || n < 1000 {
		t.Errorf("%d nodes in a copy of %d, want all, and many", n, len(whole))
	}
	part := appendSubtree(nil, tr.nodes, root, 500)
	if n := same(tr.nodes, root, part, 0, true); n != len(part) || n > 500 || n < 400 {
		t.Errorf("%d nodes in a copy of %d, want nearly 500", n, len(part))
	}
}

func TestEffortCountsEverySimulation(t *testing.T) {
	g := open(t, "rio-kadalis")
	s := g.Start()
	p := player(t, g, Config{Simulations: 150})
	var effort agent.Effort
	ctx := agent.WithEffort(t.Context(), &effort)
	for _, a := range []agent.Agent{p, p.Start()} {
		if _, err := a.Choose(ctx, &s, rand.New(rand.NewPCG(1, 1))); err != nil {
			t.Fatal(err)
		}
	}
	if n := effort.Simulations.Load(); n != 300 {
		t.Errorf("%d simulations are counted, want 300", n)
	}
}
