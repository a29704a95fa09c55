package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"kiothi/agent/alphabeta"
	"kiothi/env/games"
)

// tinyFit makes fit quick.
var tinyFit = []string{"--games", "3", "--depth", "1", "--rounds", "1"}

func TestFitWritesWeightsForEveryGame(t *testing.T) {
	printed := succeed(t, "", append([]string{"fit", "--workers", "1"}, tinyFit...)...)
	path := filepath.Join(t.TempDir(), "weights.json")
	succeed(t, "", append([]string{"fit", "--workers", "3", "--out", path}, tinyFit...)...)
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if printed != string(written) {
		t.Errorf("one worker prints\n%s\nthree write\n%s", printed, written)
	}
	var all map[string]alphabeta.Weights
	if err := json.Unmarshal(written, &all); err != nil {
		t.Fatal(err)
	}
	for _, name := range games.Names() {
		if len(all[name].Terms) == 0 || all[name].Fit == "" {
			t.Errorf("there are no weights for %s in\n%s", name, written)
		}
	}
}
