package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/train/arena"
)

func TestEvaluatePrintsTheScoreWithItsInterval(t *testing.T) {
	stdout, stderr, status := kiothi(t, "", "evaluate", "greedy", "random", "--games", "40", "--warrior", "10")
	if status != statusOK {
		t.Fatal(stderr)
	}
	for _, want := range []string{"greedy against random\n", "40 games of kiothi mancala-world from both seats", "random, seed 1",
		"score ", "95 % interval", "as South", "as North", "counting 10", "distinct   40 of 40 games", "turns a game"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the result lacks %q:\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "greedy against random: 40 games") || strings.Contains(stderr, "\r") {
		t.Errorf("without a terminal progress is %q, want plain lines", stderr)
	}
}

func TestEvaluateIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	args := []string{"evaluate", "greedy", "random", "--games", "20", "--json", "--progress", "none", "--workers"}
	one, four := succeed(t, "", append(args, "1")...), succeed(t, "", append(args, "4")...)
	if one != four {
		t.Errorf("one worker gives\n%s\nfour give\n%s", one, four)
	}
	var r arena.Result
	if err := json.Unmarshal([]byte(one), &r); err != nil || r.Games != 20 || r.Agents != [2]string{"greedy", "random"} {
		t.Errorf("the JSON reads back as %+v, %v", r, err)
	}
}

func TestEvaluateWarnsWhenGamesRepeat(t *testing.T) {
	text := resultText(&arena.Result{Games: 10, Distinct: 4})
	if !strings.Contains(text, "warning") {
		t.Errorf("got %s", text)
	}
	if text := resultText(&arena.Result{}); !strings.Contains(text, "no pair of games was finished") {
		t.Errorf("without games the result is %s", text)
	}
}

func TestGamesOutIsReadByTraceBatch(t *testing.T) {
	for _, game := range []string{"kiothi", "rio-kadalis"} {
		path := filepath.Join(t.TempDir(), "games é, all.jsonl")
		succeed(t, "", "evaluate", "random", "greedy", "--game", game, "--games", "6", "--games-out", path)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		answers := succeed(t, string(content), "trace", "--batch")
		if n := strings.Count(answers, `"over":true`); n != 6 {
			t.Errorf("%s: %d of 6 games replay to their end", game, n)
		}
	}
}

func TestAPathThatCannotBeWrittenIsFoundBeforeTheMatch(t *testing.T) {
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "missing", "games.jsonl"), dir} {
		stdout, stderr, status := kiothi(t, "", "evaluate", "random", "greedy", "--games-out", path)
		if status != statusFailure || stdout != "" || !strings.Contains(stderr, path) || strings.Contains(stderr, "games\n") {
			t.Errorf("%s: status %d, output %q, error %q", path, status, stdout, stderr)
		}
	}
}
