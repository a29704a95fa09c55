package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kiothi/train/arena"
	"kiothi/train/rating"
)

func TestEvaluatePrintsTheScoreWithItsInterval(t *testing.T) {
	stdout, stderr, status := kiothi(t, "", "evaluate", "greedy", "random", "--games", "40", "--warrior", "10")
	if status != statusOK {
		t.Fatal(stderr)
	}
	for _, want := range []string{"greedy against random\n", "40 games of kiothi mancala-world from both seats", "random, seed 1",
		"score ", "95 % interval", "as South", "as North", "counting 10", "won by exactly two seeds, ", "seeds a game (95 % interval +", "distinct   40 of 40 games", "turns a game"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the result lacks %q:\n%s", want, stdout)
		}
	}
	if !strings.Contains(stderr, "greedy against random: 40 games") || strings.Contains(stderr, "\r") {
		t.Errorf("without a terminal progress is %q, want plain lines", stderr)
	}
}

// timeless takes out of JSON what the clock measured.
func timeless(text string) string {
	return regexp.MustCompile(`"seconds": [0-9.e-]+`).ReplaceAllString(text, `"seconds": 0`)
}

func TestEvaluateIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, agents := range [][]string{{"greedy", "random"}, {"greedy", "random", "uct:sims=5"}} {
		args := append(append([]string{"evaluate"}, agents...), "--games", "20", "--json", "--progress", "none", "--workers")
		one, four := succeed(t, "", append(args, "1")...), succeed(t, "", append(args, "4", "--concurrent", "9")...)
		if timeless(one) != timeless(four) {
			t.Errorf("one worker gives\n%s\nfour give\n%s", one, four)
		}
	}
}

func TestTheJSONOfTwoAgentsIsTheirMatch(t *testing.T) {
	text := succeed(t, "", "evaluate", "uct:sims=7", "random", "--games", "20", "--json", "--game", "rio-kadalis")
	var r struct {
		arena.Result
		Costs   []arena.Cost
		Anchor  int
		Ratings *rating.Ratings
	}
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	if r.Games != 20 || r.Agents != [2]string{"uct:sims=7", "random"} || len(r.Costs) != 2 || r.Costs[0].Answers == 0 ||
		r.Anchor != 1 || r.Ratings == nil || r.Ratings.Elo[1].Value != 0 || r.Ratings.Elo[0].Value <= 0 {
		t.Errorf("the JSON reads back as %+v, from\n%s", r, text)
	}
}

func TestEvaluateWarnsWhenGamesRepeat(t *testing.T) {
	text := func(m arena.Result) string {
		return (&report{table: &arena.Table{Matches: []*arena.Result{&m}}}).matchText()
	}
	if text := text(arena.Result{Games: 10, Distinct: 4}); !strings.Contains(text, "warning") {
		t.Errorf("got %s", text)
	}
	if text := text(arena.Result{}); !strings.Contains(text, "no pair of games was finished") {
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
		for _, flag := range []string{"--games-out", "--games-text", "--csv"} {
			wantUnwritable(t, flag, path)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, filepath.Join(file, "below"), filepath.Join(dir, "missing", "a.png")} {
		wantUnwritable(t, "--plot", path)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v is left in the folder, want the one file (%v)", entries, err)
	}
}

// wantUnwritable checks that a path for a flag is refused before a game is played.
func wantUnwritable(t *testing.T, flag, path string) {
	t.Helper()
	stdout, stderr, status := kiothi(t, "", "evaluate", "random", "greedy", flag, path)
	if status != statusFailure || stdout != "" || !strings.Contains(stderr, path) || strings.Contains(stderr, "games\n") {
		t.Errorf("%s %s: status %d, output %q, error %q", flag, path, status, stdout, stderr)
	}
}
