// This file checks that games are played as promised, and that playing them can stop and go on.

package distill

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/alphabeta"
	"kiothi/agent/folders"
	"kiothi/agent/nnue"
	"kiothi/env/durable"
	"kiothi/env/lock"
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

// A stop loses the game that is being played alone: those of the file under way are in it, and are not played again.
func TestAStopKeepsTheGamesOfTheFileUnderWay(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	o.Games, o.Shard = 8, 8
	want := content(t, play(t, g, t.TempDir(), o))
	for _, workers := range []int{1, 3} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		stopped := o
		stopped.Workers = workers
		stopped.Progress = func(done int) {
			if done == 3 {
				cancel()
			}
		}
		if _, err := Games(ctx, g, newPlayer(t, g), dir, stopped); !errors.Is(err, context.Canceled) {
			t.Fatalf("a stopped run returned %v, want that it was cancelled", err)
		}
		_, kept, err := replay.ReadFile(filepath.Join(dir, replay.FileName(0)))
		if err != nil || len(kept) < 3 || len(kept) == 8 {
			t.Fatalf("%d workers kept %d games, %v; want the 3 that were finished, and not all", workers, len(kept), err)
		}
		var counts []int
		o.Progress = func(done int) { counts = append(counts, done) }
		if got := content(t, play(t, g, dir, o)); got != want {
			t.Errorf("%d workers: a run that went on wrote other bytes than one without a stop", workers)
		}
		if counts[0] != len(kept) || counts[1] != len(kept)+1 {
			t.Errorf("the run went on from %v, want from %d", counts[:2], len(kept))
		}
	}
}

// What is there stays when fewer games are asked for, and more can be asked for again.
func TestFewerGamesLeaveTheOthersThere(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	dir := t.TempDir()
	all := play(t, g, dir, o)
	want := content(t, all)
	fewer := o
	fewer.Games = 6
	if paths := play(t, g, dir, fewer); len(paths) != 2 {
		t.Errorf("6 games are in %d files, want 2", len(paths))
	}
	if content(t, all) != want {
		t.Error("fewer games changed the files that were there")
	}
	if found, err := readOrigin(dir); err != nil || found.Games != 10 {
		t.Errorf("%s says %d games, %v; want the 10 that are there", optionsFile, found.Games, err)
	}
}

// Games that no options stand beside, or of other options under the same name, are never overwritten.
func TestGamesOfOthersAreNotOverwritten(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	theirs := o
	theirs.Seed = 7
	source := play(t, g, t.TempDir(), theirs)[0]
	data, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		claimed bool
		say     string
	}{"without options": {false, optionsFile}, "in place of its own": {true, "seed"}} {
		dir := t.TempDir()
		path := filepath.Join(dir, replay.FileName(0))
		if c.claimed {
			play(t, g, dir, o)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Games(t.Context(), g, newPlayer(t, g), dir, o); err == nil || !strings.Contains(err.Error(), c.say) || !strings.Contains(err.Error(), "another folder") {
			t.Errorf("games of others %s: %v, want a refusal that says %q", what, err, c.say)
		}
		if got := content(t, []string{path}); got != string(data) {
			t.Errorf("games of others %s: the file was changed", what)
		}
	}
	network := t.TempDir()
	if err := os.WriteFile(filepath.Join(network, stateFile), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Games(t.Context(), g, newPlayer(t, g), network, o); err == nil || !strings.Contains(err.Error(), "network") {
		t.Errorf("games into the folder of a network: %v, want a refusal", err)
	}
}

func TestAFolderInUseIsRefused(t *testing.T) {
	g, o, dir := open(t, "rio-kadalis"), fewGames(), t.TempDir()
	held, err := enter(dir, folders.Games)
	if err != nil {
		t.Fatal(err)
	}
	var locked *lock.HeldError
	if _, err := Games(t.Context(), g, newPlayer(t, g), dir, o); !errors.As(err, &locked) {
		t.Errorf("games into a folder in use: %v, want a HeldError", err)
	}
	if _, err := Learn(t.Context(), g, nil, dir, quick()); !errors.As(err, &locked) {
		t.Errorf("a network into a folder in use: %v, want a HeldError", err)
	}
	held.Close()
	play(t, g, dir, o)
}

// Names that a pattern of names would read otherwise are names.
func TestFilesAreThoseOfTheFolderAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "g[1] é")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{replay.FileName(1), replay.FileName(0), "lock", "games.json", "000002.kgr.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Files(dir)
	if want := []string{filepath.Join(dir, replay.FileName(0)), filepath.Join(dir, replay.FileName(1))}; err != nil || !slices.Equal(got, want) {
		t.Errorf("the files are %q, %v; want %q", got, err, want)
	}
	if _, err := Files(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is missing: %v, want that", err)
	}
}

func TestTeachersAreThoseOfAllFolders(t *testing.T) {
	folder := func(text string) string {
		dir := t.TempDir()
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, optionsFile), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	a, b, unknown := folder(`{"agent":"a"}`), folder(`{"agent":"b"}`), folder("")
	for _, c := range []struct {
		dirs []string
		want string
	}{{[]string{a}, "a"}, {[]string{a, b, a}, "a; b"}, {[]string{unknown, b}, "b"}, {[]string{unknown}, ""}} {
		if got, err := Teacher(c.dirs...); err != nil || got != c.want {
			t.Errorf("the teachers are %q, %v; want %q", got, err, c.want)
		}
	}
	if _, err := Teacher(folder(`{"agent":`)); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a torn %s: %v, want what to do", optionsFile, err)
	}
}

// What a file that is torn or altered has lost is played again; the others stay as they are.
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
	if _, err := Games(t.Context(), g, newPlayer(t, g), dir, other); err == nil || !strings.Contains(err.Error(), "seed: found 1, expected 2:") {
		t.Errorf("games of another seed in the same folder: %v, want an error that names it", err)
	}
	if _, err := Games(t.Context(), open(t, "kiothi"), newPlayer(t, g), dir, o); err == nil || !strings.Contains(err.Error(), `game: found "rio-kadalis", expected "kiothi"`) {
		t.Errorf("another game in the same folder: %v, want an error that names it", err)
	}
}

// networkPlayer returns a player with a network of some seed.
func networkPlayer(t testing.TB, g mancala.Game, seed uint64) *alphabeta.Player {
	t.Helper()
	f, err := nnue.NewFloat(g, 64)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range f.Tables {
		f.Tables[i] = float32(rng.NormFloat64() * 0.1)
	}
	f.Clip()
	n, _, err := f.Quantise(g, nnue.Provenance{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := alphabeta.New(g, alphabeta.Config{Limits: alphabeta.Limits{Depth: 1}, Hash: 1, Network: n})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What counts is the network, not how its path is written, nor where it lies.
func TestTheNetworkOfAFolderIsKnownByAnyPath(t *testing.T) {
	g, o := open(t, "rio-kadalis"), fewGames()
	o.Games = 2
	there, err := filepath.Abs("net")
	if err != nil {
		t.Fatal(err)
	}
	agentOf := func(path string) string { return "alphabeta:depth=1,net=" + strings.ReplaceAll(path, ",", ",,") }
	older := func(dir string) { // what a version wrote that knew no checksums
		path := filepath.Join(dir, optionsFile)
		found, err := readOrigin(dir)
		if err != nil {
			t.Fatal(err)
		}
		found.Network = ""
		if err := durable.WriteJSON(path, found); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name   string
		older  bool
		agent  string
		seed   uint64
		refuse string // "": not
	}{
		{"the same text", false, agentOf("net"), 1, ""},
		{"another path to the same network", false, agentOf("elsewhere/copy.nnue"), 1, ""},
		{"another network at the same path", false, agentOf("net"), 2, "network: found "},
		{"another network at another path", false, agentOf("other"), 2, "agent: found "},
		{"another depth", false, strings.Replace(agentOf("net"), "depth=1", "depth=2", 1), 1, "agent: found "},
		{"the absolute path, of older games", true, agentOf(there), 1, ""},
		{"another path, of older games", true, agentOf("other"), 1, "agent: found "},
	} {
		dir := t.TempDir()
		o.Agent = agentOf("net")
		if _, err := Games(t.Context(), g, networkPlayer(t, g, 1), dir, o); err != nil {
			t.Fatal(err)
		}
		if c.older {
			older(dir)
		}
		o.Agent = c.agent
		_, err := Games(t.Context(), g, networkPlayer(t, g, c.seed), dir, o)
		if c.refuse == "" && err != nil || c.refuse != "" && (err == nil || !strings.Contains(err.Error(), c.refuse)) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.refuse)
		}
		if found, err := readOrigin(dir); err != nil || found.Agent != agentOf("net") || !c.older && found.Network == "" {
			t.Errorf("%s: the folder says that its games are of %+v, %v", c.name, found, err)
		}
	}
}

// What is out of bounds is refused by its name, before it is multiplied or allocated.
func TestOptionsOutOfBoundsAreNamed(t *testing.T) {
	g := open(t, "rio-kadalis")
	for _, c := range []struct {
		set  func(*GamesOptions)
		want string
	}{
		{func(o *GamesOptions) { o.Games = 0 }, "games: found 0, expected 1 to 1000000000"},
		{func(o *GamesOptions) { o.Games, o.Shard = math.MaxInt, math.MaxInt }, "games: found 9223372036854775807, expected 1 to"},
		{func(o *GamesOptions) { o.Shard = 0 }, "shard: found 0, expected 1 to 100000"},
		{func(o *GamesOptions) { o.Shard = math.MaxInt }, "shard: found"},
		{func(o *GamesOptions) { o.Games, o.Shard = 1_000_001, 1 }, "shard: found 1, which makes 1000001 files"},
		{func(o *GamesOptions) { o.First = -1 }, "first: found -1"},
		{func(o *GamesOptions) { o.First = math.MaxInt }, "first: found"},
		{func(o *GamesOptions) { o.Random = 1.5 }, "random: found 1.5, expected 0 to 1"},
		{func(o *GamesOptions) { o.Random = math.NaN() }, "random: found NaN"},
		{func(o *GamesOptions) { o.Planned = -0.1 }, "planned: found -0.1"},
		{func(o *GamesOptions) { o.Workers = -1 }, "workers: found -1, expected 0 to 1024"},
		{func(o *GamesOptions) { o.Workers = math.MaxInt }, "workers: found"},
	} {
		o, dir := fewGames(), filepath.Join(t.TempDir(), "new")
		c.set(&o)
		if _, err := Games(t.Context(), g, newPlayer(t, g), dir, o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", o, err, c.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%+v: the folder was made", o)
		}
	}
}
