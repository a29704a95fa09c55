package main

import "testing"

// tinyBenchSearch makes bench search quick.
var tinyBenchSearch = []string{"--positions", "2", "--time", "1ms"}

func TestBenchSearchPrintsARowForEachGame(t *testing.T) {
	output := succeed(t, "", append([]string{"bench", "search"}, tinyBenchSearch...)...)
	rows := benchTable(t, output, "medians of 2 positions, 1ms each")
	if len(rows) != 2 || rows[0][0] != "kiothi" || rows[1][0] != "rio-kadalis" {
		t.Fatalf("rows %v, want one for each game", rows)
	}
	wantPositive(t, rows, 2, 3, 4, 5)
}
