package main

import (
	"testing"

	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/config"
	"kiothi/train/selfplay"
)

// tinyBenchSelfPlay makes bench selfplay quick. It follows other flags: a number given twice is the last one, and a list is added to.
var tinyBenchSelfPlay = []string{"--runs", "2", "--time", "20ms", "--width", "16", "--blocks", "1", "--games", "4", "--simulations", "2", "--workers", "1,3"}

// tinyNetwork returns a game and a small network for it.
func tinyNetwork(t *testing.T, game string) (mancala.Game, *network.Weights) {
	t.Helper()
	g, err := games.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	c, err := zero.ConfigOf(g, 16, 1, 16)
	if err != nil {
		t.Fatal(err)
	}
	w, err := weights.New(c, seed.Rand(1, seed.Weights))
	if err != nil {
		t.Fatal(err)
	}
	return g, w
}

func TestBenchSelfPlayPrintsARowForEachNumberOfWorkers(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		output := succeed(t, "", append([]string{"bench", "selfplay", "--game", game}, tinyBenchSelfPlay...)...)
		rows := benchTable(t, output, "4 games a worker at once, 2 simulations a move and 16 in the opening, the median of 2 runs of 20ms each\n")
		if len(rows) != 2 || rows[0][0] != "1" || rows[1][0] != "3" {
			t.Fatalf("%s: rows %v, want one for 1 worker and one for 3", game, rows)
		}
		wantNumbers(t, rows, 1, 2, 5)    // evaluations, times, moves
		wantPositive(t, rows, 9, 12, 13) // forward, training, times
	}
}

// The bench measures what a run of the preset does.
func TestBenchPlaysByTheSettingsOfEveryPreset(t *testing.T) {
	for _, name := range config.PresetNames() {
		c, err := config.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"gumbel", "puct"} {
			c.Search.Kind = kind
			play := benchPlay(&c, 2)
			if err := play.Validate(); err != nil {
				t.Errorf("preset %s, search %s: %v", name, kind, err)
			}
			if got := play.Search.Kind.String(); got != kind {
				t.Errorf("preset %s: search %s, want %s", name, got, kind)
			}
		}
	}
}

func TestGamesUnderWayAreAcceptedAndDiffer(t *testing.T) {
	for _, game := range games.Names() {
		g, w := tinyNetwork(t, game)
		c, err := config.Preset("quick")
		if err != nil {
			t.Fatal(err)
		}
		c.SelfPlay.GamesPerStream = 16
		play := benchPlay(&c, 2)
		state := underWay(g, &play)
		plies := map[int]bool{}
		for _, record := range state.UnderWay {
			plies[len(record.Plies)] = true
		}
		if len(plies) < 8 {
			t.Errorf("%s: 32 games are under way at plies %v, want many", game, plies)
		}
		pool, err := selfplay.NewPool(g, w, play)
		if err != nil {
			t.Fatal(err)
		}
		if err := pool.Restore(state); err != nil {
			t.Errorf("%s: %v", game, err)
		}
	}
}
