package fit_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"kiothi/agent/alphabeta"
	"kiothi/agent/alphabeta/fit"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func open(t *testing.T, game string) mancala.Game {
	t.Helper()
	g, err := games.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestFitFindsWeightsThatPredictBetterThanTheStores fits a little, and expects of every round that the terms say more than
// the stores alone.
func TestFitFindsWeightsThatPredictBetterThanTheStores(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game)
		o := fit.Options{Rounds: 2, Games: 60, Depth: 1, Random: 0.2, Seed: 1, Workers: 2}
		played := 0
		o.Progress = func(int) { played++ }
		w, reports, err := fit.Weights(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(reports) != 2 || played != 120 {
			t.Errorf("%s: %d rounds and %d games, want 2 and 120", game, len(reports), played)
		}
		for _, r := range reports {
			if !(r.Deviation < r.Stores) || r.Positions < 60 {
				t.Errorf("%s: %+v, want a deviation below that of the stores", game, r)
			}
		}
		names, err := alphabeta.TermNames(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if ends, ok := w.Terms[name]; !ok || math.IsNaN(ends[0]+ends[1]) {
				t.Errorf("%s: term %s has the weights %v", game, name, ends)
			}
		}
	}
	g := open(t, "kiothi")
	for _, o := range []fit.Options{{}, {Rounds: 1, Games: 1}, {Rounds: 1, Games: 1, Depth: 1, Random: 2}} {
		if _, _, err := fit.Weights(t.Context(), g, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

// Once the context ends no game is begun, and none that was not finished is counted.
func TestAnErrorEndsAllGames(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		played := 0
		o := fit.Options{Rounds: 1, Games: 1000, Depth: 1, Seed: 1, Workers: workers}
		o.Progress = func(done int) {
			if played++; done != played {
				t.Errorf("%d games are played, and %d counted", played, done)
			}
			cancel()
		}
		if _, _, err := fit.Weights(ctx, open(t, "rio-kadalis"), o); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want that the context has ended", err)
		}
		if played < 1 || played > workers {
			t.Errorf("%d games were played by %d workers, want none after the first but those under way", played, workers)
		}
	}
}
