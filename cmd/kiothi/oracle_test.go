package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kiothi/train/oracle"
)

func TestEvaluateOracleComparesChoicesWithATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rio8.kend")
	succeed(t, "", "endgame", "--game", "rio-kadalis", "--stones", "8", "--out", path, "--progress", "none")
	args := []string{"evaluate", "alphabeta:depth=6", "greedy", "random", "--game", "rio-kadalis", "--oracle", path, "--oracle-positions", "200", "--progress", "none"}
	text := succeed(t, "", args...)
	for _, want := range []string{"200 end games of rio-kadalis standard", "uniform, seed 1", "keeps the result", "keeps the margin", "alphabeta:depth=6  ", "(a random move)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the result lacks %q:\n%s", want, text)
		}
	}
	one, four := succeed(t, "", append(args, "--json", "--workers", "1")...), succeed(t, "", append(args, "--json", "--workers", "4")...)
	if one != four {
		t.Errorf("one worker gives\n%s\nfour give\n%s", one, four)
	}
	var r oracle.Result
	if err := json.Unmarshal([]byte(one), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Agents) != 3 || r.Agents[0].Margin.Low <= r.Agents[1].Margin.High || r.Agents[1].Margin.Share <= r.Agents[2].Margin.Share {
		t.Errorf("alphabeta, greedy and random keep %+v", r.Agents)
	}
	if text := succeed(t, "", "evaluate", "random", "random", "--game", "rio-kadalis", "--oracle", path, "--oracle-positions", "10", "--progress", "none"); !strings.Contains(text, "random#2") {
		t.Errorf("the same agent twice is not told apart:\n%s", text)
	}

	for want, args := range map[string][]string{
		"expected kiothi mancala-world":                        {"evaluate", "random", "--oracle", path},
		"unknown source of positions":                          {"evaluate", "random", "--oracle", path, "--oracle-source", "heaven", "--game", "rio-kadalis"},
		"--oracle-positions: 0 positions, expected at least 1": {"evaluate", "random", "--oracle", path, "--oracle-positions", "0", "--game", "rio-kadalis"},
		"needs agents":      {"evaluate", "--oracle", path, "--game", "rio-kadalis"},
		"no such file":      {"evaluate", "random", "--oracle", path + "x"},
		"--oracle is empty": {"evaluate", "random", "random", "--oracle", ""},
	} {
		if _, stderr, status := kiothi(t, "", args...); status == statusOK || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d, %s, expected %q", args, status, stderr, want)
		}
	}
}

// A flag that would be passed over is one that the caller has misunderstood, above all one for a file that would never be written.
func TestEvaluateRefusesFlagsThatMeanNothingWithOrWithoutAnOracle(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "rio4.kend")
	succeed(t, "", "endgame", "--game", "rio-kadalis", "--stones", "4", "--out", table, "--progress", "none")
	values := map[string]string{
		"games": "4", "openings": "own", "move-time": "1s", "sprt": "0,50", "warrior": "2", "concurrent": "8",
		"csv": "x.csv", "plot": "x.svg", "force": "true", "games-out": "x.jsonl", "games-text": "x.txt",
		"oracle-source": "play", "oracle-positions": "5", "seed": "3", "workers": "1", "json": "true", "blas": "go", "progress": "none",
	}
	t.Chdir(dir)
	newEvaluate(&app{}).Flags().VisitAll(func(f *pflag.Flag) {
		value, ok := values[f.Name]
		if !ok {
			if f.Name != "oracle" && f.Name != "game" && f.Name != "rules" {
				t.Errorf("--%s is not tried", f.Name)
			}
			return
		}
		flag := "--" + f.Name + "=" + value
		args := []string{"evaluate", "greedy", "random", "--game", "rio-kadalis", flag}
		if slices.Contains(ofOracle, f.Name) {
			if _, stderr, status := kiothi(t, "", args...); status != statusUsage || !strings.Contains(stderr, "--"+f.Name+" would be passed over") {
				t.Errorf("%s without --oracle: status %d, %s, want a mistake in the command line", flag, status, stderr)
			}
		}
		want := statusUsage
		if slices.Contains(ofOracle, f.Name) || slices.Contains(withOracle, f.Name) {
			want = statusOK
		}
		args = append(args, "--oracle", table)
		if _, stderr, status := kiothi(t, "", args...); status != want || want == statusUsage && !strings.Contains(stderr, "--"+f.Name) {
			t.Errorf("%s with --oracle: status %d, %s, want %d", flag, status, stderr, want)
		}
	})
}
