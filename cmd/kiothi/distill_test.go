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

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

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
	// The same again, by two threads, of games that lie elsewhere, gives the same bytes.
	second := filepath.Join(dir, "second")
	t.Chdir(dir)
	learn[2] = "games é"
	succeed(t, "", append(learn, "--dir", "second", "--workers", "2", "--progress", "plain", "--seed", "1")...)
	if a, b := content(t, path), content(t, filepath.Join(second, nnue.FileName)); a != b {
		t.Error("two threads made another file than one")
	}
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
	more := filepath.Join(dir, "more")
	succeed(t, "", append([]string{"distill", "games", "--dir", more, "--net", first}, tinyGames...)...)
	learn[2] = more
	succeed(t, "", append(learn, "--dir", filepath.Join(dir, "third"), "--init", first)...)
	if n, err = nnue.Open(filepath.Join(dir, "third")); err != nil {
		t.Fatal(err)
	}
	if p := n.Provenance(); p.Teacher != "alphabeta:depth=1,net=first" || !strings.Contains(p.Command, " more --") || !strings.Contains(p.Command, "--init=first ") ||
		strings.Contains(p.Command, dir) {
		t.Errorf("the network says that it comes from %+v, want names without where they lie", p)
	}
	succeed(t, "", "evaluate", "alphabeta:depth=1,net="+first, "random", "--game", "rio-kadalis", "--games", "2")
}

// A network that was lost comes back, by the same command.
func TestDistillLearnMakesALostNetworkAgain(t *testing.T) {
	dir := t.TempDir()
	games, network := filepath.Join(dir, "g[1] games"), filepath.Join(dir, "net work")
	succeed(t, "", append([]string{"distill", "games", "--dir", games}, tinyGames...)...)
	learn := []string{"distill", "learn", games, "--game", "rio-kadalis", "--epochs", "1", "--dir", network}
	succeed(t, "", learn...)
	path := filepath.Join(network, nnue.FileName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n, err := nnue.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if command := n.Provenance().Command; !strings.HasPrefix(command, "kiothi distill learn 'g[1] games' --batch=") {
		t.Errorf("the network says it was made by %s, want the folder quoted", command)
	}
	for what, lose := range map[string]func() error{
		"removed": func() error { return os.Remove(path) },
		"torn":    func() error { return os.Truncate(path, 100) },
	} {
		if err := lose(); err != nil {
			t.Fatal(err)
		}
		succeed(t, "", learn...)
		if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
			t.Errorf("%s: the network did not come back as it was: %v", what, err)
		}
	}
	// It is only a matter of record how the games were played.
	if err := os.Remove(filepath.Join(games, "games.json")); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", append(learn, "--dir", filepath.Join(dir, "second"))...)
}

func TestDistillGamesSaysWhatElseIsThere(t *testing.T) {
	dir := t.TempDir()
	play := append([]string{"distill", "games", "--dir", dir}, tinyGames...)
	succeed(t, "", play...)
	if out, want := succeed(t, "", append(play, "--games", "10")...), dir+": 10 games in 1 file; 10 games more there; 1 file of more games there\n"; out != want {
		t.Errorf("distill games prints %q, want %q", out, want)
	}
}

func TestDistillRefusesWhatCannotBe(t *testing.T) {
	dir := t.TempDir()
	games := filepath.Join(dir, "games")
	succeed(t, "", append([]string{"distill", "games", "--dir", games}, tinyGames...)...)
	alias := filepath.Join(games, "..", "games")
	for _, c := range []struct {
		line   []string
		status int
		say    string
	}{
		{[]string{"distill", "games"}, statusUsage, "distill games: --dir is missing, expected as in kiothi distill games --dir games1"},
		{[]string{"distill", "games", "--dir", ""}, statusUsage, "distill games: --dir is empty, expected a path"},
		{[]string{"distill", "learn", games}, statusUsage, "distill learn: --dir is missing, expected as in kiothi distill learn games1 --dir first"},
		{[]string{"distill", "games", "--dir", dir, "--games", "0"}, statusUsage, "--games: found 0, expected 1 to"},
		{[]string{"distill", "games", "--dir", dir, "--games", "9223372036854775807", "--shard", "9223372036854775807"}, statusUsage, "--games: found"},
		{[]string{"distill", "games", "--dir", dir, "--shard", "0"}, statusUsage, "--shard: found 0, expected 1 to"},
		{[]string{"distill", "games", "--dir", dir, "--depth", "0"}, statusUsage, "--depth: found 0, expected 1 to 64"},
		{[]string{"distill", "games", "--dir", dir, "--net", filepath.Join(dir, "missing")}, statusFailure, "--net"},
		{[]string{"distill", "learn", "--dir", dir}, statusUsage, "no arguments"},
		{[]string{"distill", "learn", filepath.Join(dir, "missing"), "--dir", dir}, statusFailure, "missing"},
		{[]string{"distill", "learn", dir, "--dir", filepath.Join(dir, "new")}, statusFailure, "no files of games"},
		{[]string{"distill", "learn", games, "--dir", dir, "--hidden", "33"}, statusUsage, "--hidden: found 33"},
		{[]string{"distill", "learn", games, "--dir", dir, "--batch", "0"}, statusUsage, "--batch: found 0, expected 1 to"},
		{[]string{"distill", "learn", games, alias, "--dir", dir}, statusUsage, "the same folder"},
		{[]string{"distill", "learn", games, "--dir", alias}, statusUsage, "of its own"},
		{[]string{"distill", "other"}, statusUsage, "other"},
	} {
		if _, stderr, status := kiothi(t, "", c.line...); status != c.status || !strings.Contains(stderr, c.say) {
			t.Errorf("%q ends with status %d and %q, want status %d and %q", c.line, status, stderr, c.status, c.say)
		} else if strings.Count(stderr, "expected") > 1 {
			t.Errorf("%q says %q, want what is expected once", c.line, stderr)
		}
	}
}
