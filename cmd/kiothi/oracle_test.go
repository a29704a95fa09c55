package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

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

	for want, args := range map[string][]string{
		"expected kiothi mancala-world":    {"evaluate", "random", "--oracle", path},
		"unknown source of positions":      {"evaluate", "random", "--oracle", path, "--oracle-source", "heaven", "--game", "rio-kadalis"},
		"0 positions, expected at least 1": {"evaluate", "random", "--oracle", path, "--oracle-positions", "0", "--game", "rio-kadalis"},
		"needs agents":                     {"evaluate", "--oracle", path, "--game", "rio-kadalis"},
		"no such file":                     {"evaluate", "random", "--oracle", path + "x"},
		"--oracle is empty":                {"evaluate", "random", "random", "--oracle", ""},
	} {
		if _, stderr, status := kiothi(t, "", args...); status == statusOK || !strings.Contains(stderr, want) {
			t.Errorf("%v: status %d, %s, expected %q", args, status, stderr, want)
		}
	}
}
