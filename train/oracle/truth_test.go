package oracle_test

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/agent/players"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/train/arena"
	"kiothi/train/oracle"
)

// This file holds searches against the truth.

// open opens an agent.
func open(t *testing.T, g mancala.Game, spec string) agent.Agent {
	t.Helper()
	a, err := players.Kinds().Open(g, spec)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A demand is the least that an agent must keep, in positions in which the moves' margins differ.
type demand struct {
	spec                     string
	result, decisive, margin float64
}

func TestSearchesFindTheResultsOfEndGames(t *testing.T) {
	for _, c := range []struct {
		game    string
		stones  int
		options endgame.Options
		demands []demand
	}{
		{"rio-kadalis", 8, endgame.Options{}, []demand{
			{"alphabeta:depth=26", 1, 1, 1},
			{"uct:sims=2000", 0.85, 0.8, 0.75},
			{"zero:../../models/rio-kadalis-quick", 0.95, 0.93, 0.9},
		}},
		{"kiothi", 5, endgame.Options{Marked: 4}, []demand{
			{"alphabeta:depth=16", 1, 1, 0.98},
			{"uct:sims=2000", 0.97, 0.95, 0.65}, // it plays for the result, not for the margin
			{"zero:../../models/kiothi-quick", 0.97, 0.95, 0.85},
		}},
	} {
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			g, table := build(t, c.game, c.stones, c.options)
			contenders := []arena.Contender{{Name: "random", Agent: open(t, g, "random")}}
			for _, d := range c.demands {
				contenders = append(contenders, arena.Contender{Name: d.spec, Agent: open(t, g, d.spec)})
			}
			r, err := oracle.Measure(t.Context(), g, table, contenders, oracle.Options{Positions: 150, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			random := r.Agents[0]
			for i, d := range c.demands {
				got := r.Agents[i+1]
				if got.Result.Share < d.result || got.Decisive.Share < d.decisive || got.Margin.Share < d.margin {
					t.Errorf("%s keeps the result in %.3f, where it can change in %.3f, the margin in %.3f, expected %+v",
						d.spec, got.Result.Share, got.Decisive.Share, got.Margin.Share, d)
				}
				if got.Decisive.Low <= random.Decisive.High {
					t.Errorf("%s is not clearly better than random: it keeps %+v, random %+v", d.spec, got.Decisive, random.Decisive)
				}
			}
		})
	}
}

// A player with a table of the smallest end games is perfect in these, and keeps more results where they are near.
func TestATableMakesSearchesBetter(t *testing.T) {
	for _, c := range []struct {
		game         string
		small, large int
		specs        []string
		least        []int // how many more results it keeps at the least
	}{
		{"rio-kadalis", 4, 8, []string{"alphabeta:depth=4", "uct:sims=200", "zero:../../models/rio-kadalis-quick,sims=4"}, []int{5, 3, 0}},
		{"kiothi", 4, 6, []string{"alphabeta:depth=1", "uct:sims=50", "zero:../../models/kiothi-quick,sims=4"}, []int{1, 1, 0}},
	} {
		t.Run(c.game, func(t *testing.T) {
			t.Parallel()
			g, small := build(t, c.game, c.small, endgame.Options{})
			_, large := build(t, c.game, c.large, endgame.Options{})
			path := filepath.Join(t.TempDir(), "small, é.kend")
			if err := small.Save(path); err != nil {
				t.Fatal(err)
			}
			var contenders []arena.Contender
			for _, spec := range c.specs {
				with := spec + ",table=" + strings.ReplaceAll(path, ",", ",,")
				contenders = append(contenders, arena.Contender{Name: spec, Agent: open(t, g, spec)}, arena.Contender{Name: with, Agent: open(t, g, with)})
			}
			inside, err := oracle.Measure(t.Context(), g, small, contenders, oracle.Options{Positions: 100, Seed: 4})
			if err != nil {
				t.Fatal(err)
			}
			outside, err := oracle.Measure(t.Context(), g, large, contenders, oracle.Options{Positions: 500, Seed: 5})
			if err != nil {
				t.Fatal(err)
			}
			for i, spec := range c.specs {
				if got := inside.Agents[2*i+1]; got.Margin.Kept != 100 {
					t.Errorf("%s with a table keeps %+v of what is in it", spec, got.Margin)
				}
				without, with := outside.Agents[2*i].Decisive, outside.Agents[2*i+1].Decisive
				if with.Kept < without.Kept+c.least[i] {
					t.Errorf("%s keeps %+v, with a table %+v", spec, without, with)
				}
			}
		})
	}
}

// A solver finds results by trying everything.
type solver struct {
	game mancala.Game
	seen map[mancala.State]int
}

// margin returns the final margin of the player to move when both play best for it. In the opening that player may be the
// same after an action.
func (v *solver) margin(s mancala.State) int {
	if s.Over() {
		return mancala.Margin(v.game, &s, s.Player)
	}
	if m, ok := v.seen[s]; ok {
		return m
	}
	best := -2 * mancala.MaxSeeds
	for _, a := range v.game.AppendLegal(nil, &s) {
		best = max(best, v.after(s, a))
	}
	v.seen[s] = best
	return best
}

// after returns what margin would for the player to move, when that player plays a.
func (v *solver) after(s mancala.State, a mancala.Action) int {
	after := s
	if _, err := v.game.Play(&after, a); err != nil {
		panic(err)
	}
	if after.Player == s.Player {
		return v.margin(after)
	}
	return -v.margin(after)
}

// result is the sign of a margin: a win, a draw or a loss.
func result(margin int) int { return max(-1, min(margin, 1)) }

// A whole game of Kiothi with four seeds, both openings included, is solved by trying everything. The table knows the same
// results, and the searches keep the result from the first action to the last.
func TestAWholeGameOfKiothi(t *testing.T) {
	g, err := games.Open("kiothi", "mancala-world,start=1x2,no_capture_limit=8")
	if err != nil {
		t.Fatal(err)
	}
	truth := &solver{g, map[mancala.State]int{}}
	if value := truth.margin(g.Start()); value != -4 {
		t.Errorf("the game is worth %+d to South, expected -4: North can win all seeds", value)
	}

	table, err := endgame.Build(t.Context(), g, 4, endgame.Options{Marked: 4})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "table")
	if err := table.Save(path); err != nil {
		t.Fatal(err)
	}
	known, unknown := 0, 0
	for s, want := range truth.seen {
		if s.Phase != mancala.Sow {
			continue
		}
		got, ok := table.Probe(&s)
		if !ok {
			unknown++
			continue
		}
		known++
		if got != want {
			t.Fatalf("%s: the table says %+d, trying everything %+d", g.Format(&s), got, want)
		}
	}
	if known < unknown {
		t.Errorf("the table knows %d positions of the game, and %d not", known, unknown)
	}

	for _, d := range []struct {
		spec            string
		opening, sowing float64
	}{
		{"alphabeta:depth=20", 0.85, 1}, // it searches the best by the evaluation only
		{"alphabeta:depth=20,table=" + path, 0.95, 1},
		{"uct:sims=2000", 0.95, 0.95},
		{"uct:sims=20", 0.75, 0.75}, // too few to be sure
	} {
		opening, sowing := playsOn(t, g, truth, open(t, g, d.spec))
		if opening.share() < d.opening || sowing.share() < d.sowing {
			t.Errorf("%s keeps the result in %+v where it can change in the opening, %+v after it, expected shares of %v and %v",
				d.spec, opening, sowing, d.opening, d.sowing)
		}
	}
}

// A tally counts the positions in which the result can change, and those in which it was kept.
type tally struct{ kept, asked int }

func (y tally) share() float64 { return float64(y.kept) / float64(y.asked) }

// playsOn plays games of an agent against random moves, and counts how often it keeps the result.
func playsOn(t *testing.T, g mancala.Game, truth *solver, a agent.Agent) (opening, sowing tally) {
	t.Helper()
	for game := range uint64(60) {
		rng := rand.New(rand.NewPCG(game, 11))
		s := g.Start()
		for !s.Over() {
			legal := g.AppendLegal(nil, &s)
			choice := legal[rng.IntN(len(legal))]
			if s.Player == mancala.Player(game%2) {
				var err error
				if choice, err = a.Choose(context.Background(), &s, rng); err != nil {
					t.Fatal(err)
				}
				best, matters := result(truth.margin(s)), false
				for _, other := range legal {
					matters = matters || result(truth.after(s, other)) != best
				}
				count := &sowing
				if s.Phase != mancala.Sow {
					count = &opening
				}
				if matters {
					count.asked++
					if result(truth.after(s, choice)) == best {
						count.kept++
					}
				}
			}
			if _, err := g.Play(&s, choice); err != nil {
				t.Fatal(err)
			}
		}
	}
	return opening, sowing
}
