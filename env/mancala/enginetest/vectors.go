package enginetest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// This file replays what another implementation recorded.

// A vector is a recorded game, a line of a file.
type vector struct {
	Game    string           `json:"game"`
	Rules   string           `json:"rules"`
	Actions []mancala.Action `json:"actions"`
	States  json.RawMessage  `json:"states"` // an array of trace.Step, written without spaces
}

// A count is a recorded number of action sequences, a line of a file.
type count struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Position string `json:"position"`
	Depth    int    `json:"depth"`
	Count    uint64 `json:"count"`
}

// Vectors replays every game of the files that match pattern and compares every field of every state, then the JSON
// text byte for byte.
func Vectors(t *testing.T, open Opener, pattern string) {
	for _, path := range files(t, pattern) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			for i, v := range readLines[vector](t, path) {
				g := mustOpen(t, open, v.Rules)
				if v.Game != g.Name() {
					t.Fatalf("line %d is a game of %s, not of %s", i+1, v.Game, g.Name())
				}
				replay(t, g, i+1, v)
			}
		})
	}
}

// replay plays one recorded game.
func replay(t *testing.T, g mancala.Game, line int, v vector) {
	t.Helper()
	var want []trace.Step
	decodeStrictly(t, v.States, &want)
	got, err := trace.Play(g, g.Start(), v.Actions)
	if err != nil {
		t.Fatalf("line %d: %v", line, err)
	}
	for ply := range min(len(got), len(want)) {
		if diff := cmp.Diff(want[ply], got[ply]); diff != "" {
			t.Fatalf("line %d, ply %d (-recorded +played):\n%s", line, ply, diff)
		}
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, v.States) {
		t.Fatalf("line %d: the states are equal, but their JSON text is not, or their number: %d recorded, %d played",
			line, len(want), len(got))
	}
}

// Counts compares mancala.Perft with every count of the file at path. Short tests leave out the counts over 100,000.
func Counts(t *testing.T, open Opener, path string) {
	found := 0
	for i, c := range readLines[count](t, path) {
		g := mustOpen(t, open, c.Rules)
		if c.Game != g.Name() {
			t.Fatalf("line %d counts %s, not %s", i+1, c.Game, g.Name())
		}
		if testing.Short() && c.Count > 100_000 {
			continue
		}
		found++
		s := mustParse(t, g, c.Position)
		if got := mancala.Perft(g, s, c.Depth); got != c.Count {
			t.Errorf("line %d: %s %s: depth %d counts %d sequences, recorded are %d", i+1, c.Rules, c.Position, c.Depth, got, c.Count)
		}
		sum := uint64(0)
		for _, n := range mancala.Divide(g, s, min(c.Depth, 4)) {
			sum += n
		}
		if want := mancala.Perft(g, s, min(c.Depth, 4)); sum != want {
			t.Errorf("line %d: divided by first action, depth %d adds up to %d, not %d", i+1, min(c.Depth, 4), sum, want)
		}
	}
	if found == 0 {
		t.Fatalf("%s holds no counts", path)
	}
}

// files returns the files that match a pattern; a pattern that matches nothing ends the test.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no file matches %s", pattern)
	}
	return paths
}

// readLines decodes a file of JSON lines.
func readLines[T any](t *testing.T, path string) []T {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var values []T
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for lines.Scan() {
		var value T
		decodeStrictly(t, lines.Bytes(), &value)
		values = append(values, value)
	}
	return values
}

// decodeStrictly decodes JSON and refuses fields that the type does not have.
func decodeStrictly(t *testing.T, data []byte, into any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatal(err)
	}
}
