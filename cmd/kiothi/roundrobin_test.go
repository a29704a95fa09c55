package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"kiothi/agent"
	"kiothi/agent/players"
	"kiothi/env/mancala"
	"kiothi/train/arena"
)

// This file tests evaluate with more than two agents, and with agents that misbehave.

// lines returns the lines of a part of a text, from the line after a heading up to an empty one, as words.
func lines(text, heading string) (rows [][]string) {
	_, rest, _ := strings.Cut(text, heading)
	_, rest, _ = strings.Cut(rest, "\n")
	for line := range strings.SplitSeq(rest, "\n") {
		if line == "" {
			break
		}
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

func TestARoundRobinShowsScoresRatingsMatchesAndCosts(t *testing.T) {
	out := succeed(t, "", "evaluate", "random", "uct:sims=40", "greedy", "alphabeta:depth=2", "greedy", "--games", "20", "--game", "rio-kadalis", "--warrior", "10")
	for _, want := range []string{"5 agents, 10 matches, 200 games of rio-kadalis standard from both seats\n", "openings random, seed 1\n",
		"Elo by maximum likelihood, agent 1 being 0.", "Such a win counts 10 points", "  greedy#2\n", "Likelihood that the row is stronger"} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	standings := lines(out, "  #     Elo")
	elo := []float64{}
	for _, row := range standings[:5] {
		x, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		elo = append(elo, x)
	}
	if !slices.IsSortedFunc(elo, func(a, b float64) int { return int(b - a) }) || elo[0] < 100 {
		t.Errorf("the ratings are %v, want the strongest first", elo)
	}
	grid := lines(out, "Score of the row")
	if len(grid) != 6 || len(grid[1]) != 6 || grid[1][1] != "-" || grid[1][0] != standings[0][0] {
		t.Errorf("the cross table is %v", grid)
	}
	for i := 1; i < 6; i++ {
		for j := 1; j < 6; j++ {
			a, _ := strconv.ParseFloat(grid[i][j], 64)
			b, _ := strconv.ParseFloat(grid[j][i], 64)
			if i != j && (a+b < 99.8 || a+b > 100.2) {
				t.Errorf("%v and %v stand across", a, b)
			}
		}
	}
	costs := lines(out, "  #  sims/move")
	if costs[1][4] != "-" || costs[1][5] != "uct:sims=40" {
		t.Errorf("the costs are %v", costs)
	}
}

func TestTheTextsFitTheirWidth(t *testing.T) {
	long := "mixed:greedy,eps=0." + strings.Repeat("1", 300)
	agents := append([]string{"evaluate", long}, slices.Repeat([]string{"random"}, 24)...)
	out := succeed(t, "", append(agents, "--games", "2", "--warrior", "2")...)
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > reportWidth {
			t.Errorf("a line has %d characters: %s", n, line)
		}
	}
	if joined := strings.Join(strings.Fields(out), ""); !strings.Contains(joined, long) {
		t.Error("the long name is not in the text")
	}
}

func TestTheOtherFormsOfARoundRobinSayTheSame(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	out := succeed(t, "", "evaluate", "random", "greedy", "greedy", "--games", "10", "--json", "--csv", path("é a.csv"), "--games-out", path("g.jsonl"), "--games-text", path("g.txt"))
	var table arena.Table
	if err := json.Unmarshal([]byte(out), &table); err != nil {
		t.Fatal(err)
	}
	if len(table.Standings) != 3 || len(table.Matches) != 3 || table.Games != 30 || table.Ratings == nil || table.Standings[2].Agent != "greedy#2" {
		t.Fatalf("the JSON reads back as %+v", table)
	}
	file, err := os.Open(path("é a.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("the CSV has %d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		i, _ := strconv.Atoi(row[0])
		cell := func(column string) string { return row[slices.Index(rows[0], column)] }
		number := func(column string) float64 { x, _ := strconv.ParseFloat(cell(column), 64); return x }
		s := table.Standings[i-1]
		if cell("agent") != s.Agent || number("score") != s.Score || number("elo") != table.Ratings.Elo[i-1].Value ||
			number("won") != float64(s.Total.Wins) || number("milliseconds_a_move") <= 0 || cell("against_"+row[0]) != "" {
			t.Errorf("row %v, standing %+v", row, s)
		}
	}
	lines, err := os.ReadFile(path("g.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if answers := succeed(t, string(lines), "trace", "--batch"); strings.Count(answers, `"over":true`) != 30 {
		t.Error("not all of 30 games replay to their end")
	}
	text, err := os.ReadFile(path("g.txt"))
	if err != nil || strings.Count(string(text), "result  ") != 30 || strings.Count(string(text), "\n1. ") != 30 {
		t.Errorf("the text has not 30 games, %v:\n%.500s", err, text)
	}
}

func TestPicturesAreOfRatingsAndMatches(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		plot  string
		files []string
	}{
		{"é a", []string{"é a/ratings.png", "é a/ratings.svg", "é a/matches.png", "é a/matches.svg"}},
		{"b.svg", []string{"b.svg", "b-matches.svg"}},
		{"c.PNG", []string{"c.PNG", "c-matches.PNG"}},
	} {
		succeed(t, "", "evaluate", "random", "greedy", "random", "--games", "4", "--plot", filepath.Join(dir, c.plot))
		for _, name := range c.files {
			content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil {
				t.Error(err)
			}
			if svg, png := bytes.Contains(content, []byte("random#2")), bytes.HasPrefix(content, []byte("\x89PNG")); svg != strings.HasSuffix(name, "svg") || png == svg {
				t.Errorf("%s is no picture of its kind", name)
			}
		}
	}
}

func TestCSVToStandardOutputReplacesTheText(t *testing.T) {
	out := succeed(t, "", "evaluate", "random", "greedy", "--games", "4", "--csv", "-")
	if rows, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil || len(rows) != 3 {
		t.Errorf("%v in\n%s", err, out)
	}
}

func TestASequentialTestSaysWhatItAccepted(t *testing.T) {
	for _, c := range []struct{ first, second, sprt, want string }{
		{"greedy", "random", "0,100", "H1 accepted after "},
		{"random", "greedy", "0,100,0.01", "H0 accepted after "},
		{"random", "random", "0,1", "undecided after 40 games between 0 and 1 Elo (LLR "},
	} {
		out := succeed(t, "", "evaluate", c.first, c.second, "--games", "40", "--sprt", c.sprt)
		if !strings.Contains(out, c.want) || !strings.Contains(out, ", bounds -") {
			t.Errorf("--sprt %s says\n%s\nwant %q", c.sprt, out, c.want)
		}
	}
	var r arena.Result
	if err := json.Unmarshal([]byte(succeed(t, "", "evaluate", "greedy", "random", "--sprt", "0,100", "--json")), &r); err != nil || r.SPRT == nil || !r.SPRT.Accepted() || r.Games > 100 {
		t.Errorf("%+v after %d games, %v", r.SPRT, r.Games, err)
	}
}

func TestOpeningsAreReadFromAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := "# two\n5,0,5,5,5,4/4,4,4,4,4,4 - 0-0 N sow 1\n\n4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0\n"
	path := write("good é.txt", good)
	out := succeed(t, "", "evaluate", "random", "greedy", "--game", "rio-kadalis", "--openings", path)
	if !strings.Contains(out, "4 games of rio-kadalis") || !strings.Contains(out, "openings   from "+path+", seed 1\n") {
		t.Errorf("got\n%s", out)
	}
	if out := succeed(t, "", "evaluate", "random", "greedy", "--game", "rio-kadalis", "--openings", path, "--games", "6"); !strings.Contains(out, "6 games of") {
		t.Errorf("got\n%s", out)
	}
	for _, c := range []struct{ content, want string }{
		{"# nothing\n", "found no position"},
		{good + "4,4\n", "line 5: "},
		{"0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0\n", "is over"},
	} {
		path := write("bad.txt", c.content)
		stdout, stderr, status := kiothi(t, "", "evaluate", "random", "greedy", "--game", "rio-kadalis", "--openings", path)
		if status != statusFailure || stdout != "" || !strings.Contains(stderr, path) || !strings.Contains(stderr, c.want) {
			t.Errorf("status %d, output %q, error %q, want %q", status, stdout, stderr, c.want)
		}
	}
	if _, stderr, status := kiothi(t, "", "evaluate", "random", "greedy", "--openings", dir); status != statusFailure || !strings.Contains(stderr, dir) {
		t.Errorf("a folder of openings: status %d, %q", status, stderr)
	}
}

// A culprit misbehaves in every position with a clock of 3.
type culprit func(ctx context.Context, g mancala.Game, s *mancala.State) (mancala.Action, error)

func (c culprit) kind(name string) agent.Kind {
	return agent.Kind{Name: name, Doc: "Misbehaves.", New: func(g mancala.Game, _ agent.Spec) (agent.Agent, error) { return &culpritAgent{g, c}, nil }}
}

type culpritAgent struct {
	game mancala.Game
	do   culprit
}

func (c *culpritAgent) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if s.Clock == 3 {
		return c.do(ctx, c.game, s)
	}
	legal := c.game.AppendLegal(nil, s)
	return legal[rng.IntN(len(legal))], nil
}

func TestAgentsThatMisbehaveLoseAndTheOthersGoOn(t *testing.T) {
	var out, stderr bytes.Buffer
	kinds := append(players.Kinds(),
		culprit(func(context.Context, mancala.Game, *mancala.State) (mancala.Action, error) { return 4711, nil }).kind("cheat"),
		culprit(func(context.Context, mancala.Game, *mancala.State) (mancala.Action, error) { panic("no idea") }).kind("crash"),
		culprit(func(context.Context, mancala.Game, *mancala.State) (mancala.Action, error) {
			return 0, errors.New("it has had enough")
		}).kind("quitter"),
		culprit(func(ctx context.Context, _ mancala.Game, _ *mancala.State) (mancala.Action, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}).kind("sleeper"))
	a := &app{in: strings.NewReader(""), out: &out, err: &stderr, kinds: kinds}
	text := filepath.Join(t.TempDir(), "games.txt")
	status := a.run(t.Context(), []string{"evaluate", "random", "cheat", "crash", "quitter", "sleeper", "--games", "4", "--game", "rio-kadalis",
		"--move-time", "150ms", "--workers", "16", "--games-text", text})
	if status != statusOK {
		t.Fatal(stderr.String())
	}
	for _, want := range []string{"10 matches, 40 games", "by an illegal action:\n  against ", "4711", "by a panic:", "no idea", "by an error:", "it has had enough",
		"by taking too long:", "more than the bound of 150ms"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the result lacks %q:\n%s", want, out.String())
		}
	}
	if games, err := os.ReadFile(text); err != nil || !strings.Contains(string(games), "by forfeit (time)\nreason  the answer took ") {
		t.Errorf("the games do not say why they ended, %v", err)
	}
}

func TestAnAgentThatIgnoresItsTimeDoesNotHoldUpTheOthers(t *testing.T) {
	var out, stderr bytes.Buffer
	a := &app{in: strings.NewReader(""), out: &out, err: &stderr, kinds: append(players.Kinds(), stubborn)}
	// On a busy machine the other one may be late, too, and lose the game in which it is the first to move.
	if status := a.run(t.Context(), []string{"evaluate", "stubborn", "random", "--games", "2", "--move-time", "100ms"}); status != statusOK {
		t.Fatal(stderr.String())
	}
	if !strings.Contains(out.String(), "match      2 games of") || !strings.Contains(out.String(), "left behind") || strings.Contains(out.String(), "drawn, 0 lost") {
		t.Errorf("the result is\n%s", out.String())
	}
}
