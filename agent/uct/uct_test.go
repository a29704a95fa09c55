package uct

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

func open(t testing.TB, game string) mancala.Sampler {
	t.Helper()
	return openRules(t, game, "")
}

func openRules(t testing.TB, game, rules string) mancala.Sampler {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g.(mancala.Sampler)
}

var parse = gamestest.Parse

func play(t testing.TB, g mancala.Game, s *mancala.State, a mancala.Action) {
	t.Helper()
	if _, err := g.Play(s, a); err != nil {
		t.Fatal(err)
	}
}

func player(t testing.TB, g mancala.Game, c Config) *Player {
	t.Helper()
	p, err := New(g, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exact returns the result of perfect play, as the player to move sees it, under rules by which the game soon ends.
func exact(t *testing.T, g mancala.Game, s *mancala.State) float64 {
	if s.Over() {
		return sign(mancala.Margin(g, s, s.Player))
	}
	best := -1.0
	for _, a := range g.AppendLegal(nil, s) {
		next := *s
		play(t, g, &next, a)
		value := exact(t, g, &next)
		if next.Player != s.Player {
			value = -value
		}
		best = max(best, value)
	}
	return best
}

func TestSearchFindsThePerfectResultOfSmallPositions(t *testing.T) {
	for _, c := range []struct{ game, rules, position string }{
		{"kiothi", "mancala-world,no_capture_limit=4", "0,0,1,0,2,0,0,0,0,1/0,1,0,0,2,0,0,0,0,0 - 26-27 S sow 0"},
		{"kiothi", "mancala-world,no_capture_limit=4", "0,0,1,0,2,0,0,1,0,1/0,1,0,0,2,0,0,0,0,0 - 26-26 N sow 0"},
		{"kiothi", "mancala-world,no_capture_limit=4", "0,0,1,0,0,0,0,0,0,1/0,1,0,0,1,0,0,0,0,1 - 27-28 S sow 0"},
		{"rio-kadalis", "standard,no_capture_limit=4", "1,0,2,0,1,3/3,0,1,0,2,3 - 16-16 S sow 0"},
		{"rio-kadalis", "standard,no_capture_limit=4", "1,0,2,0,1,1/0,0,1,0,1,1 - 20-20 N sow 0"},
	} {
		g := openRules(t, c.game, c.rules)
		s := parse(t, g, c.position)
		found, err := player(t, g, Config{Simulations: 60_000}).Analyse(t.Context(), &s, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		want := exact(t, g, &s)
		after := s
		play(t, g, &after, found.Best)
		if got := -exact(t, g, &after); got != want {
			t.Errorf("%s: %s leads to %v, perfect play to %v", c.position, g.ActionText(&s, found.Best), got, want)
		}
		if d := found.Value - want; d < -0.15 || d > 0.15 {
			t.Errorf("%s: judged %.2f, perfect play leads to %v", c.position, found.Value, want)
		}
	}
}

func TestValuesBelongToThePlayerWhoMovesThroughTheOpening(t *testing.T) {
	g := open(t, "kiothi")
	// North, who places the last seeds of the opening, gives South nothing to capture or everything. A search that took
	// North's placings for South's would give it away.
	p := player(t, g, Config{Simulations: 3000})
	s := g.Start()
	rng := rand.New(rand.NewPCG(3, 3))
	points := 0.0
	const rounds = 12
	for round := range rounds {
		s = g.Start()
		clever := mancala.Player(round % 2)
		for s.Opening > 0 {
			var a mancala.Action
			var err error
			if s.Player == clever {
				a, err = p.Choose(t.Context(), &s, rng)
			} else {
				a, err = scripted.Random{Game: g}.Choose(t.Context(), &s, rng)
			}
			if err != nil {
				t.Fatal(err)
			}
			play(t, g, &s, a)
		}
		tree := newTree(g, 1000)
		tree.reset(&s, rng)
		for range 2000 {
			tree.simulate(&s)
		}
		south := tree.nodes[0].points / 2000
		if clever == mancala.South {
			points += south
		} else {
			points -= south
		}
	}
	if points <= 0 {
		t.Errorf("after %d openings against a random one the searching player stands at %.2f on average", rounds, points/rounds)
	}
}

func TestVisitsAddUpAndNothingIsLost(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game)
		s := g.Start()
		tr := newTree(g, 1000)
		tr.reset(&s, rand.New(rand.NewPCG(1, 1)))
		for range 5000 {
			tr.simulate(&s)
		}
		if tr.nodes[0].visits != 5000 {
			t.Errorf("%s: the root has %d visits, want 5000", game, tr.nodes[0].visits)
		}
		for i := range tr.nodes {
			n := &tr.nodes[i]
			if n.count == 0 {
				continue
			}
			visits := int32(0)
			for _, c := range tr.nodes[n.first : n.first+n.count] {
				visits += c.visits
			}
			// A node is visited once before it has children; the root has them from the start.
			if want := n.visits - min(int32(i), expandAt-1); visits != want {
				t.Fatalf("%s: the children of node %d have %d visits, want %d", game, i, visits, want)
			}
		}
	}
}

func TestTheSameSourceGivesTheSameAction(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game)
		p := player(t, g, Config{Simulations: 500})
		run := func() []mancala.Action {
			var played []mancala.Action
			s := g.Start()
			rng := rand.New(rand.NewPCG(5, 5))
			for len(played) < 40 && !s.Over() {
				a, err := p.Choose(t.Context(), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				play(t, g, &s, a)
				played = append(played, a)
			}
			return played
		}
		first, second := run(), run()
		for i := range first {
			if first[i] != second[i] {
				t.Fatalf("%s: action %d is %d, and %d again", game, i, first[i], second[i])
			}
		}
	}
}

func TestAFullTreeGoesOnWithoutGrowing(t *testing.T) {
	g := open(t, "rio-kadalis")
	s := g.Start()
	tr := newTree(g, 1000)
	tr.nodes = make([]node, 0, maxNodes)
	tr.reset(&s, rand.New(rand.NewPCG(1, 1)))
	tr.nodes = tr.nodes[:maxNodes-3] // as if it had been filled
	for range 100 {
		tr.simulate(&s)
	}
	if len(tr.nodes) > maxNodes || tr.nodes[0].visits != 100 {
		t.Errorf("%d nodes with %d visits, want at most %d with 100", len(tr.nodes), tr.nodes[0].visits, maxNodes)
	}
}

func TestASearchStopsInTimeAndWithItsContext(t *testing.T) {
	g := open(t, "kiothi")
	s := g.Start()
	p := player(t, g, Config{Time: time.Millisecond})
	if found, err := p.Analyse(t.Context(), &s, rand.New(rand.NewPCG(1, 1))); err != nil || found.Simulations < 1 {
		t.Errorf("%d simulations and error %v", found.Simulations, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := player(t, g, Config{Simulations: MaxSimulations}).Choose(ctx, &s, rand.New(rand.NewPCG(1, 1))); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v, want the context's", err)
	}
}

func TestNoPlayerWithoutExactlyOneLimit(t *testing.T) {
	g := open(t, "kiothi")
	for _, c := range []Config{{}, {Simulations: 5, Time: time.Second}, {Simulations: -1}, {Time: -1}, {Simulations: MaxSimulations + 1}} {
		if _, err := New(g, c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

func TestAForcedMoveAndAFinishedGame(t *testing.T) {
	g := open(t, "rio-kadalis")
	rng := rand.New(rand.NewPCG(1, 1))
	p := player(t, g, Config{Simulations: 10})
	s := parse(t, g, "0,0,2,0,0,0/0,0,1,0,2,3 - 20-20 S sow 0")
	if a, err := p.Choose(t.Context(), &s, rng); err != nil || a != 2 {
		t.Errorf("chose %d with error %v, want the only move 2", a, err)
	}
	s = parse(t, g, "0,0,0,0,0,0/0,0,1,0,2,3 - 20-22 S sow 0")
	if _, err := p.Choose(t.Context(), &s, rng); err == nil {
		t.Error("there is a choice in a game that is over")
	}
}
