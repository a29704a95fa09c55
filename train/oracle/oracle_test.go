package oracle_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/train/arena"
	"kiothi/train/oracle"
)

// build builds a table.
func build(t *testing.T, game string, stones int, o endgame.Options) (mancala.Game, *endgame.Table) {
	t.Helper()
	g, err := games.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	table, err := endgame.Build(t.Context(), g, stones, o)
	if err != nil {
		t.Fatal(err)
	}
	return g, table
}

// chooser is an agent made of a function.
type chooser func(s *mancala.State) (mancala.Action, error)

func (c chooser) Choose(_ context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	return c(s)
}

// batch makes a batch agent of another one.
type batch struct{ agent.Agent }

func (b batch) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) (err error) {
	for i := range states {
		if actions[i], err = b.Choose(ctx, &states[i], rngs[i]); err != nil {
			return err
		}
	}
	return nil
}

// follow returns an agent that plays by the table, or the worst that it can find there.
func follow(g mancala.Game, t *endgame.Table, worst bool) agent.Agent {
	return chooser(func(s *mancala.State) (mancala.Action, error) {
		best, most := mancala.Action(0), -1000
		for _, a := range g.AppendLegal(nil, s) {
			after := *s
			if _, err := g.Play(&after, a); err != nil {
				return 0, err
			}
			m := mancala.Margin(g, &after, after.Player)
			if !after.Over() {
				m, _ = t.Probe(&after)
			}
			if !worst {
				m = -m
			}
			if m > most {
				best, most = a, m
			}
		}
		return best, nil
	})
}

func TestTheScaleGoesFromThePerfectToTheWorstAgent(t *testing.T) {
	for _, source := range []oracle.Source{oracle.Uniform, oracle.Play} {
		for _, c := range []struct {
			game    string
			stones  int
			options endgame.Options
		}{
			{"rio-kadalis", 8, endgame.Options{}},
			{"kiothi", 5, endgame.Options{Marked: 3}},
		} {
			t.Run(c.game+" "+source.String(), func(t *testing.T) {
				g, table := build(t, c.game, c.stones, c.options)
				r, err := oracle.Measure(t.Context(), g, table, []arena.Contender{
					{Name: "perfect", Agent: follow(g, table, false)},
					{Name: "random", Agent: scripted.Random{Game: g}},
					{Name: "worst", Agent: follow(g, table, true)},
				}, oracle.Options{Positions: 300, Source: source, Seed: 1})
				if err != nil {
					t.Fatal(err)
				}
				perfect, random, worst := r.Agents[0], r.Agents[1], r.Agents[2]
				if perfect.Result.Kept != 300 || perfect.Margin.Kept != 300 || perfect.MeanLoss != 0 {
					t.Errorf("the perfect agent keeps %+v", perfect)
				}
				if r.Decisive == 0 || r.Decisive == 300 || worst.Decisive.Kept != 0 || worst.Decisive.Of != r.Decisive || worst.Margin.Kept != 0 {
					t.Errorf("of %d positions in which it matters the worst agent keeps %+v", r.Decisive, worst)
				}
				for name, pair := range map[string]struct {
					share  oracle.Share
					chance float64
				}{
					"result":   {random.Result, r.Chance.Result},
					"decisive": {random.Decisive, r.Chance.Decisive},
					"margin":   {random.Margin, r.Chance.Margin},
				} {
					if pair.chance < pair.share.Low || pair.chance > pair.share.High {
						t.Errorf("%s: a random agent keeps %+v, expected about %.3f", name, pair.share, pair.chance)
					}
				}
				if worst.MeanLoss <= random.MeanLoss || random.MeanLoss <= 0 {
					t.Errorf("the worst agent loses %.2f seeds, a random one %.2f", worst.MeanLoss, random.MeanLoss)
				}
			})
		}
	}
}

func TestWorkersAndBatchesDoNotChangeTheResult(t *testing.T) {
	g, table := build(t, "rio-kadalis", 8, endgame.Options{})
	var results []*oracle.Result
	for _, c := range []struct {
		agent   agent.Agent
		workers int
	}{
		{scripted.Random{Game: g}, 1},
		{scripted.Random{Game: g}, 4},
		{batch{scripted.Random{Game: g}}, 1},
	} {
		last := 0
		r, err := oracle.Measure(t.Context(), g, table, []arena.Contender{{Name: "random", Agent: c.agent}},
			oracle.Options{Positions: 300, Seed: 2, Workers: c.workers, Progress: func(n int) {
				last = max(last, n)
			}})
		if err != nil {
			t.Fatal(err)
		}
		if last != 300 {
			t.Errorf("progress ended at %d of 300", last)
		}
		results = append(results, r)
	}
	for _, r := range results[1:] {
		if diff := cmp.Diff(results[0], r); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWhatGoesWrongNamesTheAgent(t *testing.T) {
	g, table := build(t, "rio-kadalis", 4, endgame.Options{})
	broken := errors.New("broken")
	for want, a := range map[string]agent.Agent{
		"agent A: chose the illegal action 17 in position": chooser(func(*mancala.State) (mancala.Action, error) { return 17, nil }),
		"agent A: broken": chooser(func(*mancala.State) (mancala.Action, error) { return 0, broken }),
	} {
		_, err := oracle.Measure(t.Context(), g, table, []arena.Contender{{Name: "A", Agent: a}}, oracle.Options{Positions: 10})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected %q", err, want)
		}
	}
}

func TestATableWithoutDecisionsIsRefused(t *testing.T) {
	g, table := build(t, "rio-kadalis", 0, endgame.Options{})
	for _, source := range []oracle.Source{oracle.Uniform, oracle.Play} {
		_, err := oracle.Measure(t.Context(), g, table, nil, oracle.Options{Positions: 3, Source: source})
		if err == nil || !strings.Contains(err.Error(), "only 0 of 3") {
			t.Errorf("%s: error %v", source, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := oracle.Measure(ctx, g, table, nil, oracle.Options{Positions: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected that the context ended", err)
	}
}
