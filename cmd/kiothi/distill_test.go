package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/nnue"
)

// tinyGames makes distill games quick.
var tinyGames = []string{"--game", "rio-kadalis", "--games", "40", "--shard", "20", "--depth", "1"}

// A generation: games, a network, and games with the network; the network plays.
func TestDistillLearnsANetworkThatPlays(t *testing.T) {
	dir := t.TempDir()
	games, first := filepath.Join(dir, "games é"), filepath.Join(dir, "first")
	out := succeed(t, "", append([]string{"distill", "games", "--dir", games}, tinyGames...)...)
	if !strings.Contains(out, "40 games in 2 files") {
		t.Errorf("distill games prints %q, want what it made", out)
	}
	learn := []string{"distill", "learn", games, "--game", "rio-kadalis", "--hidden", "64", "--epochs", "2", "--batch", "64", "--workers", "1"}
	out = succeed(t, "", append(learn, "--dir", first)...)
	path := filepath.Join(first, nnue.FileName)
	if out != path+"\n" {
		t.Errorf("distill learn prints %q, want %q", out, path)
	}
	n, err := nnue.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if p := n.Provenance(); p.Games != 38 || p.Positions == 0 || p.Teacher != "alphabeta:depth=1" || !strings.Contains(p.Command, "--hidden=64") {
		t.Errorf("the network says that it comes from %+v", p)
	}
	// The same again, by two threads, gives the same bytes but for the command.
	second := filepath.Join(dir, "second")
	succeed(t, "", append(learn, "--dir", second, "--workers", "2")...)
	metrics := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, "state.json"))
		if err != nil {
			t.Fatal(err)
		}
		_, checksum, _ := strings.Cut(string(data), `"checksum":`)
		checksum, _, _ = strings.Cut(checksum, ",")
		return checksum
	}
	if metrics(first) != metrics(second) {
		t.Error("two threads learned something else than one")
	}
	succeed(t, "", append([]string{"distill", "games", "--dir", filepath.Join(dir, "more"), "--net", first}, tinyGames...)...)
	succeed(t, "", "evaluate", "alphabeta:depth=1,net="+first, "random", "--game", "rio-kadalis", "--games", "2")
}

func TestDistillRefusesWhatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for _, line := range [][]string{
		{"distill", "games"},
		{"distill", "games", "--dir", ""},
		{"distill", "games", "--dir", dir, "--games", "0"},
		{"distill", "games", "--dir", dir, "--depth", "0"},
		{"distill", "games", "--dir", dir, "--net", filepath.Join(dir, "missing")},
		{"distill", "learn", "--dir", dir},
		{"distill", "learn", dir, "--dir", dir},
		{"distill", "learn", dir, "--dir", dir, "--hidden", "33"},
		{"distill", "other"},
	} {
		if _, stderr, status := kiothi(t, "", line...); status != statusUsage {
			t.Errorf("%q ends with status %d and %q, want status %d", line, status, stderr, statusUsage)
		}
	}
}
