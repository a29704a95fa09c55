// This file checks that games and networks go into folders of their own, and that these are known again.

package distill

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/folders"
	"kiothi/agent/nnue"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// wantOnly checks that a folder holds the named files and nothing else, each with its name as its content.
func wantOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names) {
		t.Errorf("the folder of %v holds %v, %v", names, entries, err)
	}
	for _, name := range names {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != name {
			t.Errorf("%s became %q, %v", name, data, err)
		}
	}
}

func TestFoldersOfOtherKindsAreLeftAlone(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths := toyGames(t, g)
	for _, c := range []struct {
		names []string
		found folders.Kind
	}{
		{[]string{"config.toml", "metrics.jsonl"}, folders.Run},
		{[]string{"model.json", "eval.nnue"}, folders.Bot},
		{[]string{"eval.nnue"}, folders.Other},
		{[]string{"000001.kgr"}, folders.Other},
	} {
		dir := t.TempDir()
		for _, name := range c.names {
			write(t, dir, name, name)
		}
		var wrong *folders.Error
		if _, err := Learn(t.Context(), g, paths, dir, quick()); !errors.As(err, &wrong) || wrong.Found != c.found || wrong.Want != folders.Network {
			t.Errorf("a network into a folder with %v: %v, want a refusal of %v", c.names, err, c.found)
		}
		if _, err := Games(t.Context(), g, newPlayer(t, g), dir, fewGames()); !errors.As(err, &wrong) || wrong.Found != c.found || wrong.Want != folders.Games {
			t.Errorf("games into a folder with %v: %v, want a refusal of %v", c.names, err, c.found)
		}
		wantOnly(t, dir, c.names...)
	}
}

// A network whose state was lost cannot be told from anybody's.
func TestANetworkWithoutItsStateIsLeftAlone(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o, dir := toyGames(t, g), quick(), t.TempDir()
	o.Epochs = 1
	if _, err := Learn(t.Context(), g, paths, dir, o); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, stateFile)); err != nil {
		t.Fatal(err)
	}
	before := content(t, []string{filepath.Join(dir, MetricsFile)})
	if _, err := Learn(t.Context(), g, paths, dir, o); err == nil || !strings.Contains(err.Error(), "other files, such as metrics.jsonl, expected a network of distill learn (state.json)") {
		t.Errorf("a network without its state: %v, want a refusal", err)
	}
	if content(t, []string{filepath.Join(dir, MetricsFile)}) != before {
		t.Error("its metrics were replaced")
	}
}

func TestAStateOfSomethingElseIsLeftAlone(t *testing.T) {
	g, dir := open(t, "rio-kadalis"), t.TempDir()
	write(t, dir, stateFile, `{"counter": 3}`)
	if _, err := Learn(t.Context(), g, toyGames(t, g), dir, quick()); err == nil || !strings.Contains(err.Error(), "not the state of distill learn") {
		t.Errorf("another program's %s: %v, want a refusal", stateFile, err)
	}
	if got := content(t, []string{filepath.Join(dir, stateFile)}); !strings.HasSuffix(got, `{"counter": 3}`) {
		t.Errorf("it became %q", got)
	}
}

// A folder is a network's from the first epoch on, however that ends; while no epoch is done its options are free.
func TestAStopInTheFirstEpochIsNoObstacle(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o, dir := toyGames(t, g), quick(), t.TempDir()
	full := errors.New("no space left")
	o.OnEpoch = func(Metrics, *nnue.Float) error {
		write(t, dir, nnue.FileName, "a network")
		return full
	}
	if _, err := Learn(t.Context(), g, paths, dir, o); !errors.Is(err, full) {
		t.Fatalf("a disk that is full: %v, want that", err)
	}
	o.OnEpoch, o.Epochs, o.Lambda = nil, 1, 0.5
	if _, err := Learn(t.Context(), g, paths, dir, o); err != nil {
		t.Error(err)
	}
	o = quick()
	o.Init = t.TempDir()
	if err := newKeeper(o.Init, paths, &samples{}, &LearnOptions{Hidden: 64, Epochs: 1, Batch: 1, Rate: 0.1}).write(state{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Learn(t.Context(), g, paths, t.TempDir(), o); err == nil || !strings.Contains(err.Error(), "no epoch that is done") {
		t.Errorf("the weights of a run without an epoch: %v, want that there are none", err)
	}
}

// Games and the run to begin with are the same by whatever name, from wherever, and after they have moved together.
func TestARunKnowsItsGamesByAnyName(t *testing.T) {
	g := open(t, "rio-kadalis")
	root := t.TempDir()
	t.Chdir(root)
	o := fewGames()
	o.Games, o.Shard = 60, 30
	paths := play(t, g, "games", o)
	learn := quick()
	learn.Epochs, learn.Batch = 1, 4096 // more than there are
	if _, err := Learn(t.Context(), g, paths, "first", learn); err != nil {
		t.Fatal(err)
	}
	learn.Init = "first"
	if _, err := Learn(t.Context(), g, paths, "second", learn); err != nil {
		t.Fatal(err)
	}
	again := func(what, dir, games, first string) {
		t.Helper()
		var named []string
		for _, path := range paths {
			named = append(named, filepath.Join(games, filepath.Base(path)))
		}
		learn.Init = first
		learn.OnEpoch = func(Metrics, *nnue.Float) error {
			t.Errorf("%s: the run is learned again", what)
			return nil
		}
		if _, err := Learn(t.Context(), g, named, dir, learn); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	again("as before", "second", "games", "first")
	again("with whole paths", "second", filepath.Join(root, "games"), filepath.Join(root, "first"))
	t.Chdir("games")
	again("from another folder", filepath.Join("..", "second"), ".", filepath.Join("..", "first"))
	t.Chdir(root)
	moved := t.TempDir()
	for _, name := range []string{"games", "first", "second"} {
		if err := os.Rename(name, filepath.Join(moved, name)); err != nil {
			t.Fatal(err)
		}
	}
	again("moved", filepath.Join(moved, "second"), filepath.Join(moved, "games"), filepath.Join(moved, "first"))

	// A batch that nobody asked for is no difference: more games are.
	t.Chdir(moved)
	o.Games = 90
	paths = play(t, g, "games", o)
	learn.Init = "first"
	_, err := Learn(t.Context(), g, paths, "second", learn)
	if err == nil || !strings.Contains(err.Error(), "files of games: found 2, expected 3: give the same") || strings.Contains(err.Error(), "batch") {
		t.Errorf("more games: %v, want an error about them and nothing else", err)
	}
}
