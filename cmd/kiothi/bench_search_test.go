package main

import (
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/nnue"
	"kiothi/env/games"
)

// tinyBenchSearch makes bench search quick.
var tinyBenchSearch = []string{"--positions", "2", "--time", "1ms"}

func TestBenchSearchPrintsARowForEachGame(t *testing.T) {
	output := succeed(t, "", append([]string{"bench", "search"}, tinyBenchSearch...)...)
	rows := benchTable(t, output, "medians of 2 positions, 1ms each")
	if len(rows) != 2 || rows[0][0] != "kiothi" || rows[1][0] != "rio-kadalis" {
		t.Fatalf("rows %v, want one for each game", rows)
	}
	wantNumbers(t, rows, 2, 4, 5)
	wantPositive(t, rows, 3) // a search completes the first depth, however short its time
}

func TestBenchSearchMeasuresANetwork(t *testing.T) {
	g, err := games.Open("rio-kadalis", "five-holes")
	if err != nil {
		t.Fatal(err)
	}
	f, err := nnue.NewFloat(g, 64)
	if err != nil {
		t.Fatal(err)
	}
	network, _, err := f.Quantise(g, nnue.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), nnue.FileName)
	if err := network.Save(path); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--game", "rio-kadalis", "--rules", "five-holes"}, nil} { // the network says of which game it is
		output := succeed(t, "", append(append([]string{"bench", "search", "--net", path}, flags...), tinyBenchSearch...)...)
		rows := benchTable(t, output, "medians of 2 positions, 1ms each")
		if len(rows) != 2 || rows[0][0] != "rio-kadalis" || rows[0][1] != "five-holes" || !strings.Contains(output, "with network") {
			t.Errorf("%v: rows %v, want one of the game and one with the network", flags, rows)
			continue
		}
		wantPositive(t, rows[:1], 3) // depths
		wantPositive(t, rows[1:], 4)
	}
	for _, flags := range [][]string{{"--game", "kiothi"}, {"--game", "rio-kadalis"}} {
		_, message, status := kiothi(t, "", append([]string{"bench", "search", "--net", path}, flags...)...)
		if status != statusFailure || !strings.Contains(message, "kiothi: bench search: --net: ") || !strings.Contains(message, "expected one for "+flags[1]) {
			t.Errorf("for another game: status %d, %s", status, message)
		}
	}
}
