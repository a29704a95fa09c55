package alphabeta

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

// negamax is the search that all pruning must agree with.
func negamax(t *testing.T, e *evaluator, s *mancala.State, depth int) int32 {
	if s.Over() || depth == 0 {
		return e.of(s)
	}
	best := int32(-infinite)
	for _, a := range e.game.AppendLegal(nil, s) {
		next := *s
		play(t, e.game, &next, a)
		score := negamax(t, e, &next, depth-1)
		if next.Player != s.Player {
			score = -score
		}
		best = max(best, score)
	}
	return best
}

func TestThePlainSearchIsNegamax(t *testing.T) {
	for _, c := range []struct {
		game, rules string
		depth       int
	}{
		{"kiothi", "", 4},
		{"kiothi", "mancala-world,no_capture_limit=3", 4},
		{"kiothi", "mancala-world,no_capture_limit=66", 4},
		{"kiothi", "wikipedia-it", 4},
		{"kiothi", "mancala-world,pickup=all", 4},
		{"rio-kadalis", "", 6},
		{"rio-kadalis", "five-holes,no_capture_limit=3", 6},
		{"rio-kadalis", "clockwise", 6},
	} {
		g := open(t, c.game, c.rules)
		for name, p := range players(t, g, Limits{Depth: c.depth}) {
			s := newSearcher(g, p.eval, 1)
			s.plain = true
			rng := rand.New(rand.NewPCG(1, 1))
			for range 12 {
				root := sowing(t, g, rng, 14+rng.IntN(20))
				s.reset(t.Context(), p.config.Limits, time.Now())
				best, score, depth := s.iterate(&root)
				if want := negamax(t, p.eval, &root, c.depth); score != want || depth != c.depth {
					t.Errorf("%s %s by its %s, %s: score %d at depth %d, want %d at %d", c.game, c.rules, name, g.Format(&root), score, depth, want, c.depth)
				}
				next := root
				play(t, g, &next, best)
				got := negamax(t, p.eval, &next, c.depth-1)
				if next.Player != root.Player {
					got = -got
				}
				if got != score {
					t.Errorf("%s by its %s, %s: the best action is worth %d, the search says %d", c.game, name, g.Format(&root), got, score)
				}
			}
		}
	}
}

// TestTheEndIsPlayedPerfectly searches positions to the end of the game, where the evaluation has no part any more, and
// with all pruning.
func TestTheEndIsPlayedPerfectly(t *testing.T) {
	for _, c := range []struct{ game, rules, position string }{
		{"kiothi", "mancala-world,no_capture_limit=4", "0,0,1,0,2,0,0,0,0,1/0,1,0,0,2,0,0,0,0,0 - 26-27 S sow 0"},
		{"kiothi", "mancala-world,no_capture_limit=4", "0,0,1,0,2,0,0,1,0,1/0,1,0,0,2,0,0,0,0,0 - 26-26 N sow 0"},
		{"kiothi", "mancala-world,no_capture_limit=5", "0,0,1,0,0,0,0,0,0,1/0,1,0,0,1,0,0,0,0,1 c 27-28 S sow 0"},
		{"rio-kadalis", "standard,no_capture_limit=4", "1,0,2,0,1,3/3,0,1,0,2,3 - 16-16 S sow 0"},
		{"rio-kadalis", "standard,no_capture_limit=4", "1,0,2,0,1,1/0,0,1,0,1,1 - 20-20 N sow 0"},
	} {
		g := open(t, c.game, c.rules)
		s := parse(t, g, c.position)
		p := player(t, g, Limits{Depth: MaxDepth})
		found, err := p.Analyse(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		want := negamax(t, p.eval, &s, MaxDepth)
		if margin := want % won; found.Score != float64(margin)/cents {
			t.Errorf("%s: margin %v, want %v", c.position, found.Score, float64(margin)/cents)
		}
		next := s
		play(t, g, &next, found.Best)
		if got := -negamax(t, p.eval, &next, MaxDepth); got != want {
			t.Errorf("%s: %s leads to %d, perfect play to %d", c.position, g.ActionText(&s, found.Best), got, want)
		}
	}
}

func TestACertainWinOutweighsAnyHope(t *testing.T) {
	if decided(2) <= decided(1) || decided(1) <= 60*cents || decided(-1) >= -60*cents || decided(0) != 0 || decided(60) >= infinite {
		t.Error("scores of results are out of order")
	}
}

// TestTheClockCountsWhereItCanDecide searches a position with several clocks in one table: some that the limit is within
// reach of, and some that it is not. What was found with one must not serve another where it is wrong.
func TestTheClockCountsWhereItCanDecide(t *testing.T) {
	g := open(t, "kiothi", "mancala-world,no_capture_limit=80")
	for name, p := range players(t, g, Limits{Depth: 4}) {
		rng := rand.New(rand.NewPCG(2, 2))
		differ := 0
		for range 40 {
			root := sowing(t, g, rng, 15)
			s := newSearcher(g, p.eval, 1)
			s.plain = true
			s.reset(t.Context(), Limits{Depth: 4}, time.Now())
			scores := map[int32]bool{}
			for _, clock := range []uint16{10, 70, 78, 79, 75, 77, 78} {
				root.Clock = clock
				_, score, _ := s.iterate(&root) // without a reset: the table is full of the other clocks
				if want := negamax(t, p.eval, &root, 4); score != want {
					t.Errorf("%s by its %s: score %d, want %d", g.Format(&root), name, score, want)
				}
				scores[score] = true
			}
			if len(scores) > 1 {
				differ++
			}
		}
		if differ < 10 {
			t.Errorf("the clock decides in %d of 40 positions: too few to show anything", differ)
		}
	}
}

func TestASearchDependsOnNothingBeforeIt(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		rng := rand.New(rand.NewPCG(3, 3))
		used := player(t, g, Limits{Nodes: 20_000})
		for range 20 {
			s := sowing(t, g, rng, 10)
			again, err := used.Analyse(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := player(t, g, Limits{Nodes: 20_000}).Analyse(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			if again != fresh {
				t.Errorf("%s: %+v by a player that has searched before, %+v by a new one", g.Format(&s), again, fresh)
			}
			if again.Nodes > 20_000+mancala.MaxSeeds {
				t.Errorf("%s: %d nodes, want 20000 and the moves of a position at most", g.Format(&s), again.Nodes)
			}
		}
	}
}

func TestASearchAllocatesNothing(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		p := player(t, g, Limits{Depth: 5})
		root := sowing(t, g, rand.New(rand.NewPCG(1, 1)), 6)
		s := newSearcher(g, p.eval, 1)
		ctx := context.Background()
		if n := testing.AllocsPerRun(50, func() {
			s.reset(ctx, p.config.Limits, time.Now())
			s.iterate(&root)
		}); n != 0 {
			t.Errorf("%s: %v allocations a search, want none", game, n)
		}
	}
}

// TestDeeperSearchesWin plays the deeper against the shallower from both seats of the same openings.
func TestDeeperSearchesWin(t *testing.T) {
	if testing.Short() {
		t.Skip("a match takes seconds")
	}
	g := open(t, "kiothi", "")
	points, pairs := 0, 20
	deep, shallow := player(t, g, Limits{Depth: 6}), player(t, g, Limits{Depth: 4})
	for pair := range pairs {
		start := sowing(t, g, rand.New(rand.NewPCG(11, uint64(pair))), 0)
		for seat := range mancala.Player(2) {
			s := start
			for !s.Over() {
				p := shallow
				if s.Player == seat {
					p = deep
				}
				a, err := p.Choose(t.Context(), &s, nil)
				if err != nil {
					t.Fatal(err)
				}
				play(t, g, &s, a)
			}
			points += int(decided(mancala.Margin(g, &s, seat)) / won)
		}
	}
	if points < pairs/2 {
		t.Errorf("depth 6 won %d games more than depth 4 of %d, want at least %d", points, 2*pairs, pairs/2)
	}
}

func BenchmarkSearch(b *testing.B) {
	for _, game := range games.Names() {
		b.Run(game, func(b *testing.B) {
			g := open(b, game, "")
			p := player(b, g, Limits{Depth: 7})
			rng := rand.New(rand.NewPCG(1, 1))
			roots := make([]mancala.State, 16)
			for i := range roots {
				roots[i] = sowing(b, g, rng, 6)
			}
			s := newSearcher(g, p.eval, DefaultHash)
			nodes, n := uint64(0), 0
			b.ReportAllocs()
			for b.Loop() {
				s.reset(context.Background(), p.config.Limits, time.Now())
				s.iterate(&roots[n%len(roots)])
				nodes += s.nodes
				n++
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
