package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawn are runs to draw.
var drawn = []string{"../../train/plot/testdata/first", "../../train/plot/testdata/second"}

func TestPlotDrawsRunsIntoOneFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "un é")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "all.png")
	if got := succeed(t, "", "plot", drawn[0], drawn[1], "--out", path); got != path+"\n" {
		t.Errorf("plot prints %q, want the file's name", got)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
	path = filepath.Join(dir, "all.svg")
	succeed(t, "", "plot", drawn[0], "--x", "iteration", "--out", path)
	if data, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"first: kiothi mancala-world", "Policy loss", "Value loss", "Total loss", "Entropy", "Rating", "Score against random",
		"Score against greedy", "Turns a game", "Positions a second", "iterations"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("the picture of a run lacks %q", want)
		}
	}
}

func TestPlotDrawsRunsIntoAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "curves")
	names := strings.Fields(succeed(t, "", "plot", drawn[0], drawn[1], "--out", dir))
	if len(names) != 20 {
		t.Errorf("plot prints the names of %d files, want 9 charts and all of them in two formats", len(names))
	}
	for _, name := range []string{"all", "policy-loss", "value-loss", "loss", "entropy", "rating", "score-random", "score-greedy", "game-length", "speed"} {
		for _, ending := range []string{".png", ".svg"} {
			if info, err := os.Stat(filepath.Join(dir, name+ending)); err != nil || info.Size() < 1000 {
				t.Errorf("the picture %s%s: %v", name, ending, err)
			}
		}
	}
}

func TestPlotSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		status int
		args   []string
		want   string
	}{
		{statusUsage, []string{"plot"}, "plot: needs the folder of a run"},
		{statusUsage, []string{"plot", drawn[0]}, "plot: --out is missing, expected as in kiothi plot runs/kiothi-quick --out curves.png"},
		{statusUsage, []string{"plot", drawn[0], "--out", ""}, "plot: --out is empty, expected a path"},
		{statusUsage, []string{"plot", drawn[0], "--out", "a.pdf"}, "a.pdf: expected a name that ends in .png or .svg, or a folder"},
		{statusUsage, []string{"plot", drawn[0], "--out", "a.png", "--x", "tim"}, `unknown horizontal axis "tim", did you mean "time"`},
		{statusFailure, []string{"plot", dir, "--out", filepath.Join(dir, "a.png")}, "found no run"},
		{statusFailure, []string{"plot", drawn[0], "--out", file}, "is a file, expected .png, .svg or a folder"},
		{statusFailure, []string{"plot", drawn[0], "--out", filepath.Join(dir, "none", "a.png")}, "writing a picture"},
	} {
		stdout, stderr, status := kiothi(t, "", c.args...)
		if status != c.status || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("kiothi %q: status %d and %q, want %d and one line with %q", c.args, status, stderr, c.status, c.want)
		}
	}
}
