// This file checks that games are played as promised, and that playing them can stop and go on.

package distill

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/alphabeta"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

func newPlayer(t testing.TB, g mancala.Game) *alphabeta.Player {
	t.Helper()
	p, err := alphabeta.New(g, alphabeta.Config{Limits: alphabeta.Limits{Depth: 2}, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fewGames are quick to play.
func fewGames() GamesOptions {
	o := DefaultGamesOptions()
	o.Games, o.Shard, o.Workers = 10, 4, 1
	return o
}

func play(t testing.TB, g mancala.Game, dir string, o GamesOptions) []string {
	t.Helper()
	paths, err := Games(t.Context(), g, newPlayer(t, g), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// content returns the files of games, one after the other.
func content(t testing.TB, paths []string) string {
	t.Helper()
	var all strings.Builder
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}

func TestGamesAreTheSameForAnyNumberOfWorkers(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g, o := open(t, name), fewGames()
		one := play(t, g, t.TempDir(), o)
		if len(one) != 3 {
			t.Fatalf("%s: 10 games are in %d files, want 3 of 4 games at most", name, len(one))
		}
		o.Workers = 3
		if content(t, one) != content(t, play(t, g, t.TempDir(), o)) {
			t.Errorf("%s: three workers wrote other bytes than one", name)
		}
	}
}

func TestGamesAreByTheRulesAndJudged(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := open(t, name)
		distinct := map[string]bool{}
		for _, path := range play(t, g, t.TempDir(), fewGames()) {
			_, games, err := replay.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, game := range games {
				if err := game.Check(g); err != nil {
					t.Error(err)
				}
				judged, last := 0, float32(0)
				var text strings.Builder
				for _, ply := range game.Plies {
					if ply.Value != 0 {
						judged++
					}
					last = ply.Value
					text.WriteString(" " + string(rune(ply.Action)))
				}
				if judged < len(game.Plies)/4 {
					t.Errorf("%s: the search judged %d of %d positions, want most of those in which to sow", game.ID, judged, len(game.Plies))
				}
				if game.Final[0] != game.Final[1] && last != certain && last != -certain {
					t.Errorf("%s: the last position has the value %v, want the certain result", game.ID, last)
				}
				distinct[text.String()] = true
			}
		}
		if len(distinct) != 10 {
			t.Errorf("%s: 10 games, but only %d differ", name, len(distinct))
		}
	}
}

func TestGamesGoOnAfterAStop(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	want := content(t, play(t, g, t.TempDir(), o))
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done int) {
		if done == 6 {
			cancel()
		}
	}
	if _, err := Games(ctx, g, newPlayer(t, g), dir, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stopped run returned %v, want that it was cancelled", err)
	}
	if _, err := os.Stat(filepath.Join(dir, replay.FileName(0))); err != nil {
		t.Error("the file that was complete before the stop is not there")
	}
	played := 0
	o.Progress = func(int) { played++ }
	if got := content(t, play(t, g, dir, o)); got != want {
		t.Error("a run that went on wrote other bytes than one without a stop")
	}
	if played > 6+3 {
		t.Errorf("%d steps of progress after the stop, want the games of the first file not played again", played)
	}
}

// A file that is torn, altered or too short is played again; the others stay as they are.
func TestDamagedFilesArePlayedAgain(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	dir := t.TempDir()
	paths := play(t, g, dir, o)
	want := content(t, paths)
	whole, err := os.ReadFile(paths[1])
	if err != nil {
		t.Fatal(err)
	}
	altered := append([]byte(nil), whole...)
	altered[len(altered)/2] ^= 1
	for what, data := range map[string][]byte{"torn": whole[:len(whole)/2], "empty": {}, "altered": altered} {
		if err := os.WriteFile(paths[1], data, 0o644); err != nil {
			t.Fatal(err)
		}
		if got := content(t, play(t, g, dir, o)); got != want {
			t.Errorf("%s: the file was not played again", what)
		}
	}
}

func TestAFolderOfOtherGamesIsRefused(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	dir := t.TempDir()
	play(t, g, dir, o)
	more := o
	more.Games++
	if paths := play(t, g, dir, more); len(paths) != 3 {
		t.Errorf("a game more makes %d files, want 3", len(paths))
	}
	other := o
	other.Seed++
	if _, err := Games(t.Context(), g, newPlayer(t, g), dir, other); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("games of another seed in the same folder: %v, want an error", err)
	}
	for _, wrong := range []func(*GamesOptions){
		func(o *GamesOptions) { o.Games = 0 }, func(o *GamesOptions) { o.Shard = 0 }, func(o *GamesOptions) { o.First = -1 },
		func(o *GamesOptions) { o.Random = 1.5 }, func(o *GamesOptions) { o.Planned = -0.1 }, func(o *GamesOptions) { o.Workers = -1 },
	} {
		o := fewGames()
		wrong(&o)
		if _, err := Games(t.Context(), g, newPlayer(t, g), t.TempDir(), o); err == nil {
			t.Errorf("%+v is not refused", o)
		}
	}
}
