package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// All games would be lost to a path that cannot be written.
func TestFitBeginsItsFileBeforeTheGames(t *testing.T) {
	dir := t.TempDir()
	for _, out := range []string{filepath.Join(dir, "no", "weights.json"), dir} {
		_, stderr, status := kiothi(t, "", append([]string{"fit", "--out", out, "--progress", "plain"}, tinyFit...)...)
		if status != statusFailure || !strings.Contains(stderr, "fit: --out: ") || strings.Contains(stderr, "round 1") {
			t.Errorf("--out %s: status %d, %q, want a failure before the first round", out, status, stderr)
		}
	}
	if _, stderr, status := kiothi(t, "", "fit", "--games", "1", "--depth", "99", "--out", filepath.Join(dir, "weights.json")); status == statusOK {
		t.Errorf("fit succeeds: %s", stderr)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

func TestTheWeightsOfTheProgramAreKnownAsWeights(t *testing.T) {
	for path, want := range map[string]bool{filepath.Join("..", "..", "agent", "alphabeta", "weights.json"): true, "fit.go": false, filepath.Join("..", "..", "README.md"): false} {
		if got, err := isWeights(path); got != want || err != nil {
			t.Errorf("%s is a file of weights: %v (%v), want %v", path, got, err, want)
		}
	}
}

// What is nearly one may be somebody's only copy of something else.
func TestOnlyWeightsAreKnownAsWeights(t *testing.T) {
	weights := `{"kiothi":{"terms":{"stores":[1,0.5]},"fit":"by hand"}}`
	for text, want := range map[string]bool{
		weights:        true,
		weights + "\n": true,
		weights + "x":  false,
		weights + "{}": false,
		weights + strings.Repeat(" ", maxWeights) + "x": false,
		"":                                       false,
		"null":                                   false,
		"{}":                                     false,
		`{"prec":{}}`:                            false,
		`{"kiothi":null}`:                        false,
		`{"kiothi":{}}`:                          false,
		`{"kiothi":{"fit":"x"}}`:                 false,
		`{"chess":{"terms":{"stores":[1,0.5]}}}`: false,
		`{"kiothi":{"terms":{"stores":[1]}}}`:    false,
		`{"kiothi":{"terms":{"stores":[1,2,3]}}}`:          false,
		`{"kiothi":{"terms":{"stores":[1,null]}}}`:         false,
		`{"kiothi":{"terms":{"stores":null}}}`:             false,
		`{"kiothi":{"terms":{"stores":[1,2]},"more":"x"}}`: false,
		`{"kiothi":{"terms":{"stores":["1","2"]}}}`:        false,
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := isWeights(path); got != want || err != nil {
			t.Errorf("%.60q is a file of weights: %v (%v), want %v", text, got, err, want)
		}
	}
}
