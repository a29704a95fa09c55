package scripted

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent"
	"kiothi/env/games"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open, parse = gamestest.Open, gamestest.Parse

// choices counts what an agent chooses in a state with many random sources.
func choices(t *testing.T, a agent.Agent, s mancala.State, draws int) map[mancala.Action]int {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	counts := map[mancala.Action]int{}
	for range draws {
		before := s
		action, err := a.Choose(t.Context(), &s, rng)
		if err != nil {
			t.Fatal(err)
		}
		if s != before {
			t.Fatal("the agent changed the state")
		}
		counts[action]++
	}
	return counts
}

// uniform checks that draws fell evenly on a number of outcomes: chi-squared within five standard deviations of its mean.
func uniform[K comparable](t *testing.T, what string, counts map[K]int, outcomes int) {
	t.Helper()
	if len(counts) != outcomes {
		t.Errorf("%s: %d different outcomes, want %d", what, len(counts), outcomes)
		return
	}
	draws := 0
	for _, n := range counts {
		draws += n
	}
	expected := float64(draws) / float64(outcomes)
	chi := 0.0
	for _, n := range counts {
		chi += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	free := float64(outcomes - 1)
	if d := chi - free; d*d > 25*2*free {
		t.Errorf("%s: chi-squared %.1f with %d outcomes: not uniform", what, chi, outcomes)
	}
}

func TestRandomPlaysEachLegalSowingEquallyOften(t *testing.T) {
	for _, c := range []struct{ game, position string }{
		{"kiothi", "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 - 20-20 S sow 0"},
		{"rio-kadalis", "4,4,0,4,4,4/4,4,4,4,4,4 - 0-0 N sow 1"},
	} {
		g := open(t, c.game, "")
		s := parse(t, g, c.position)
		uniform(t, c.position, choices(t, Random{g}, s, 4000), len(g.AppendLegal(nil, &s)))
	}
}

func TestGreedyPlaysTheLargestGainAndBreaksTiesAtRandom(t *testing.T) {
	for _, c := range []struct{ game, position string }{
		{"kiothi", "0,0,3,0,5,0,0,0,0,0/0,0,0,0,5,5,0,0,0,2 - 20-20 S sow 0"},
		{"kiothi", "0,0,0,0,0,0,1,0,0,1/3,0,4,4,0,0,0,0,0,0 - 20-20 S sow 0"},
		{"rio-kadalis", "4,4,0,4,4,4/4,4,4,4,4,4 - 0-0 N sow 1"},
		{"rio-kadalis", "3,1,0,1,0,0/3,0,0,0,0,0 - 20-20 S sow 0"},
	} {
		g := open(t, c.game, "")
		s := parse(t, g, c.position)
		best, ties := -1, 0
		gains := map[mancala.Action]int{}
		for _, a := range g.AppendLegal(nil, &s) {
			next := s
			turn, err := g.Play(&next, a)
			if err != nil {
				t.Fatal(err)
			}
			gains[a] = int(turn.Captured[s.Player])
			if gains[a] > best {
				best, ties = gains[a], 0
			}
			if gains[a] == best {
				ties++
			}
		}
		counts := choices(t, Greedy{g}, s, 2000)
		for a := range counts {
			if gains[a] != best {
				t.Errorf("%s: greedy plays %s for %d, the best is %d", c.position, g.ActionText(&s, a), gains[a], best)
			}
		}
		uniform(t, c.position, counts, ties)
	}
}

func TestTheSameSourceGivesTheSameGame(t *testing.T) {
	for _, spec := range []string{"random", "greedy"} {
		for _, game := range games.Names() {
			g := open(t, game, "")
			a, err := Kinds().Open(g, spec)
			if err != nil {
				t.Fatal(err)
			}
			play := func() mancala.State {
				s, rng := g.Start(), rand.New(rand.NewPCG(9, 9))
				for range 60 {
					if s.Over() {
						break
					}
					action, err := a.Choose(t.Context(), &s, rng)
					if err == nil {
						_, err = g.Play(&s, action)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				return s
			}
			if first, second := play(), play(); first != second {
				t.Errorf("%s plays %s differently with the same source", spec, game)
			}
		}
	}
}
