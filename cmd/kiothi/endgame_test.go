package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/endgame"
)

func TestEndgameWritesATableAndSaysWhatItTook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rio é 8.kend")
	stdout, stderr, status := kiothi(t, "", "endgame", "--game", "rio-kadalis", "--stones", "8", "--out", path)
	if status != statusOK {
		t.Fatal(stderr)
	}
	if !strings.Contains(stdout, path+": 76948 positions in ") || !strings.HasSuffix(stdout, " MiB\n") {
		t.Errorf("standard output is %q", stdout)
	}
	if !strings.Contains(stderr, "rio-kadalis standard, up to 8 seeds: 76948 positions, about 2 MiB of memory\n") {
		t.Errorf("standard error is %q, expected what it will take", stderr)
	}
	table, err := endgame.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if table.Game().Name() != "rio-kadalis" || table.Scope().Stones != 8 {
		t.Errorf("the table is of %s, %d stones", table.Game().Name(), table.Scope().Stones)
	}
}

func TestEndgameRefusesWhatCannotBeBuilt(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "table")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--out", out}, statusUsage, "--stones is missing"},
		{[]string{"--stones", "4"}, statusUsage, "--out is missing"},
		{[]string{"--stones", "4", "--out", ""}, statusUsage, "--out is empty"},
		{[]string{"--stones", "61", "--out", out}, statusUsage, "expected 0 to 60"},
		{[]string{"--stones", "4", "--out", out, "--rules", "wikipedia-it"}, statusUsage, "protection=nki"},
		{[]string{"--stones", "20", "--out", out, "--game", "rio-kadalis", "--memory", "100"}, statusUsage, "more than the 100 MiB that --memory allows"},
		{[]string{"--stones", "48", "--out", out, "--game", "rio-kadalis"}, statusUsage, "choose fewer"},
		{[]string{"--stones", "4", "--out", dir}, statusFailure, dir},
		{[]string{"--stones", "4", "--out", filepath.Join(dir, "no", "table")}, statusFailure, "--out"},
		{[]string{"--stones", "4", "--out", out, "--workers", "-1"}, statusUsage, `flag --workers: "-1" is not a whole number from 0 up`},
		{[]string{"4"}, statusUsage, "takes no arguments"},
	} {
		_, stderr, status := kiothi(t, "", append([]string{"endgame"}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s, expected %d and %q", c.args, status, stderr, c.status, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}

// What is at the path may have taken hours, or be no table at all.
func TestEndgameReplacesATableOnlyWhenToldAndNothingElse(t *testing.T) {
	dir := t.TempDir()
	build := func(out, stones string, more ...string) (string, int) {
		_, stderr, status := kiothi(t, "", append([]string{"endgame", "--game", "rio-kadalis", "--stones", stones, "--out", out, "--progress", "none"}, more...)...)
		return stderr, status
	}
	diary, table := filepath.Join(dir, "diary"), filepath.Join(dir, "table")
	if err := os.WriteFile(diary, []byte("dear diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{nil, {"--force"}} {
		if stderr, status := build(diary, "4", more...); status != statusFailure || !strings.Contains(stderr, "no end-game table: choose another name") {
			t.Errorf("%v: over a diary: status %d, %s, want a refusal", more, status, stderr)
		}
	}
	if got := content(t, diary); got != "dear diary" {
		t.Errorf("the diary holds %q", got)
	}
	if err := os.WriteFile(table, nil, 0o600); err != nil { // as mktemp does
		t.Fatal(err)
	}
	if stderr, status := build(table, "8"); status != statusOK {
		t.Fatalf("over an empty file: %s", stderr)
	}
	before := content(t, table)
	if stderr, status := build(table, "4"); status != statusFailure || !strings.Contains(stderr, "add --force") || content(t, table) != before {
		t.Errorf("over a table: status %d, %s, want a refusal that tells of --force", status, stderr)
	}
	if stderr, status := build(table, "4", "--force"); status != statusOK || content(t, table) == before {
		t.Errorf("over a table with --force: status %d, %s, want another table", status, stderr)
	}
}
