package selfplay

import (
	"context"
	"math/rand/v2"
	"testing"

	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/agent/search"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/replay"
)

// A search that recalls judgements is the search that asks the network each time.
func TestRecallingChangesNoSearch(t *testing.T) {
	for _, name := range games.Names() {
		g := openGame(t, name)
		w := newWeights(t, g, 0)
		for _, kind := range []search.Kind{search.Gumbel, search.PUCT} {
			c := small()
			c.Search.Kind, c.Simulations = kind, 16
			p := newPool(t, g, w, c)
			if err := p.Begin(); err != nil {
				t.Fatal(err)
			}
			records, cost, err := p.Play(context.Background(), 1, func() {})
			if err != nil {
				t.Fatal(err)
			}
			if share := float64(cost.Recalled) / float64(cost.Recalled+cost.Evaluations); share < 0.1 || share > 0.9 {
				t.Errorf("%s, %v: %.0f %% of the judgements were recalled, want some", name, kind, 100*share)
			}
			for _, r := range records {
				checkSearches(t, g, w, &c, r)
			}
		}
	}
}

// checkSearches does the searches of a game again, each on its own.
func checkSearches(t *testing.T, g mancala.Game, w *network.Weights, c *Config, r *replay.Game) {
	t.Helper()
	inference, err := network.NewInference(w, 1)
	if err != nil {
		t.Fatal(err)
	}
	evaluator, err := zero.NewEvaluator(g, inference, c.Utility)
	if err != nil {
		t.Fatal(err)
	}
	scale, err := margin.Of(g)
	if err != nil {
		t.Fatal(err)
	}
	tree := search.NewTree(g, &c.Search, func(m int) float32 { return float32(c.Utility.Of(m, scale)) })
	var source rand.PCG
	s := g.Start()
	for i, ply := range r.Plies {
		if ply.Flags&replay.PolicyTarget != 0 {
			seed.Reseed(&source, seed.Mix(r.Seed, seed.SelfPlay, uint64(i)))
			tree.Reset(&s, c.simulationsFor(&s), rand.New(&source))
			for n := 1; n > 0; {
				if n, err = search.Round(evaluator, []*search.Tree{tree}, make([]int, 1), func(int) bool { return false }); err != nil {
					t.Fatal(err)
				}
			}
			if action := tree.Sample(c.Temperature); action != mancala.Action(ply.Action) || tree.Value() != ply.Value {
				t.Fatalf("game %s, ply %d: the search alone plays %d and says %v, in self-play it played %d and said %v", r.ID, i, action, tree.Value(), ply.Action, ply.Value)
			}
		}
		if _, err := g.Play(&s, mancala.Action(ply.Action)); err != nil {
			t.Fatal(err)
		}
	}
}
