package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kiothi/env/games"
	"kiothi/train/config"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
)

// tiny returns the configuration of a run of two iterations.
func tiny(game string) config.Config {
	c := config.Default()
	c.Game, c.Run.Iterations, c.Evaluation.Games = game, 2, 10
	return c
}

// runFolder makes the folder of a run that has just begun.
func runFolder(t testing.TB, game string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lauf é")
	for _, sub := range []string{runfiles.Games, runfiles.Checkpoints} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var text bytes.Buffer
	if err := config.Print(&text, tiny(game)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, runfiles.Config), text.String())
	return dir
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// line returns an iteration's line, evaluated that of an evaluation.
func line(iteration int) string {
	return fmt.Sprintf(`{"iteration":%d,"policy_loss":1.5}`, iteration) + "\n"
}

func evaluated(iteration int, opponent string, games int) string {
	return fmt.Sprintf(`{"iteration":%d,"evaluation":{"agents":["zero:run","%s"],"games":%d}}`, iteration, opponent, games) + "\n"
}

// writeGames writes random games as those of an iteration, and returns their records.
func writeGames(t testing.TB, dir, game string, iteration, number int) []*replay.Game {
	t.Helper()
	rules, err := games.Open(game, "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(iteration), 7))
	var records []*replay.Game
	for n := range number {
		g := &replay.Game{ID: replay.ID{Stream: 1, Number: uint64(n)}}
		s := rules.Start()
		for !s.Over() {
			legal := rules.AppendLegal(nil, &s)
			a := legal[rng.IntN(len(legal))]
			policy := make([]float32, len(legal))
			policy[0] = 1
			if len(g.Plies) == 0 {
				err = g.Append(a, 0, replay.Random, legal, nil)
			} else {
				err = g.Append(a, 0.25, 0, legal, policy)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rules.Play(&s, a); err != nil {
				t.Fatal(err)
			}
		}
		g.Finish(rules, &s)
		records = append(records, g)
	}
	if err := replay.WriteFile(runfiles.GamesOf(dir, iteration), replay.HeaderOf(rules), records); err != nil {
		t.Fatal(err)
	}
	return records
}

// texts returns lines as text.
func texts(lines []json.RawMessage) string {
	var b strings.Builder
	for _, l := range lines {
		b.Write(l)
		b.WriteByte('\n')
	}
	return b.String()
}

func TestAReaderIsToldEachLineOnceAndNoTornOne(t *testing.T) {
	dir := runFolder(t, "kiothi")
	path := filepath.Join(dir, runfiles.Metrics)
	w := New(dir, true)
	r := reader{watcher: w}
	u, changed := r.next()
	if !u.Reset || len(u.Lines) != 0 || u.About == nil || u.About.Name != "lauf é" || u.About.Game != "kiothi" || u.Newest != 0 {
		t.Errorf("a new run is told as %+v", u)
	}
	step := func(content, want string, reset bool) {
		t.Helper()
		write(t, path, content)
		w.poll(time.Now())
		if u, changed = r.next(); texts(u.Lines) != want || u.Reset != reset {
			t.Errorf("after %q: told %q (reset: %v), want %q (%v)", content, texts(u.Lines), u.Reset, want, reset)
		}
	}
	step(line(1), line(1), false)
	step(line(1)+line(2)[:20], "", false)
	select {
	case <-changed:
		t.Error("half a line is news")
	default:
	}
	step(line(1)+line(2), line(2), false)
	step(line(1)+line(2)+line(3), line(3), false)
	// The run was killed and goes on from iteration 1; the file is written again.
	step(line(1), line(1), true)
	step(line(1)+"{\"torn\n"+evaluated(1, "random", 2), evaluated(1, "random", 2), false)

	late := reader{watcher: w}
	if u, _ := late.next(); !u.Reset || texts(u.Lines) != line(1)+evaluated(1, "random", 2) {
		t.Errorf("a reader who comes late is told %q", texts(u.Lines))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w.poll(time.Now())
	if u, _ := late.next(); !u.Reset || len(u.Lines) != 0 {
		t.Errorf("without the file %q is told", texts(u.Lines))
	}
}

func TestARunThatIsNotThereYetOrNotAnyMore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	w := New(dir, false)
	if w.Status() != Waiting {
		t.Errorf("the status is %q, want waiting", w.Status())
	}
	made := runFolder(t, "rio-kadalis")
	write(t, filepath.Join(made, runfiles.Metrics), line(1))
	writeGames(t, made, "rio-kadalis", 1, 1)
	if err := os.Rename(made, dir); err != nil {
		t.Fatal(err)
	}
	w.poll(time.Now())
	r := reader{watcher: w}
	if u, _ := r.next(); u.Status != Stopped || texts(u.Lines) != line(1) || u.Newest != 1 {
		t.Errorf("told %+v, want the run, which nobody trains", u)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	w.poll(time.Now())
	if u, _ := r.next(); u.Status != Gone || u.About != nil || len(u.Lines) != 0 || u.Newest != 0 {
		t.Errorf("told %+v, want that the run is gone", u)
	}
}

func TestStatus(t *testing.T) {
	dir := runFolder(t, "kiothi")
	metrics, lock := filepath.Join(dir, runfiles.Metrics), filepath.Join(dir, runfiles.Checkpoints, "lock")
	now := time.Now()
	w := New(dir, false)
	check := func(what string, want Status) {
		t.Helper()
		if w.poll(now); w.Status() != want {
			t.Errorf("%s: the status is %q, want %q", what, w.Status(), want)
		}
	}
	check("nobody has the run open", Stopped)
	write(t, lock, fmt.Sprintln(os.Getpid()))
	check("a process has it open", Training)
	write(t, metrics, line(1)+line(2)+evaluated(2, "random", 10))
	write(t, lock, "999999999\n")
	check("that process has just ended", Training)
	now = now.Add(stoppedAfter)
	check("no process has it open, and nothing comes", Stopped)
	write(t, metrics, line(1)+line(2)+evaluated(2, "random", 10)+evaluated(2, "greedy", 4))
	check("the last evaluation has other games", Stopped)
	write(t, metrics, line(1)+line(2)+evaluated(2, "random", 10)+evaluated(2, "greedy", 10))
	check("all is done", Finished)
	for _, holder := range []string{"nonsense", fmt.Sprintln(os.Getpid())} { // the number of a process is given to another one later
		write(t, lock, holder)
		check("all is done", Finished)
	}

	own := New(dir, true)
	if own.poll(now); own.Status() != Training {
		t.Errorf("the status of the own run is %q", own.Status())
	}
	own.End(Failed)
	own.poll(now)
	r := reader{watcher: own}
	if u, _ := r.next(); u.Status != Failed || !u.Last {
		t.Errorf("told %+v, want the end", u)
	}
}

// Whoever trains a run writes its last lines and leaves it. However that falls between two looks, nobody is told that the run
// has stopped.
func TestARunThatEndsWhileItIsReadIsFinished(t *testing.T) {
	for range 100 {
		dir := runFolder(t, "kiothi")
		metrics, lock := filepath.Join(dir, runfiles.Metrics), filepath.Join(dir, runfiles.Checkpoints, "lock")
		begun := line(1) + line(2) + evaluated(2, "random", 10)
		write(t, metrics, begun)
		write(t, lock, fmt.Sprintln(os.Getpid()))
		w := New(dir, false)
		ended := make(chan error, 1)
		go func() {
			ended <- errors.Join(
				os.WriteFile(metrics, []byte(begun+evaluated(2, "greedy", 10)), 0o644),
				os.WriteFile(lock, []byte("999999999\n"), 0o644))
		}()
		for now := time.Now(); w.Status() != Finished; now = now.Add(time.Hour) { // so that nothing is news
			if w.poll(now); w.Status() != Training && w.Status() != Finished {
				t.Fatalf("the status is %q, want training and then finished", w.Status())
			}
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheNewestGamesAreFound(t *testing.T) {
	dir := runFolder(t, "rio-kadalis")
	f := folder{dir: dir}
	for _, c := range []struct {
		what string
		do   func() error
		want int
	}{
		{"no games", func() error { return nil }, 0},
		{"names of others", func() error {
			for _, name := range []string{"000009.kgr.tmp", "9.kgr", "x00008.kgr", "000007.txt"} {
				write(t, filepath.Join(dir, runfiles.Games, name), "")
			}
			return nil
		}, 0},
		{"one", func() error { writeGames(t, dir, "rio-kadalis", 1, 1); return nil }, 1},
		{"two more", func() error {
			writeGames(t, dir, "rio-kadalis", 2, 1)
			writeGames(t, dir, "rio-kadalis", 3, 1)
			return nil
		}, 3},
		{"one less", func() error { return os.Remove(runfiles.GamesOf(dir, 3)) }, 2},
	} {
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		if f.read(); f.newest != c.want {
			t.Errorf("%s: the newest iteration is %d, want %d", c.what, f.newest, c.want)
		}
	}
}

// What is read is never changed, and nothing is left behind.
func TestWatchingChangesNothing(t *testing.T) {
	dir := runFolder(t, "kiothi")
	write(t, filepath.Join(dir, runfiles.Metrics), line(1))
	writeGames(t, dir, "kiothi", 1, 2)
	before := listing(t, dir)
	w := New(dir, false)
	w.poll(time.Now())
	if _, err := readGame(runfiles.GamesOf(dir, 1), 1, 0); err != nil {
		t.Fatal(err)
	}
	if after := listing(t, dir); !slices.Equal(before, after) {
		t.Errorf("found %q, want %q", after, before)
	}
}

// listing returns the paths below a folder, with sizes and times.
func listing(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			list = append(list, fmt.Sprint(path, info.Size(), info.ModTime()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// boardAfter applies events to a board as the page does.
func boardAfter(b Board, events []Event) Board {
	b.Pits = slices.Clone(b.Pits)
	for _, e := range events {
		switch e.Kind {
		case "lift":
			b.Pits[e.Pit] -= e.Seeds
			b.Hand += e.Seeds
			if e.Unmark {
				b.Marks &^= 1 << e.Pit
			}
		case "drop":
			b.Pits[e.Pit]++
			b.Hand--
		case "win":
			b.Pits[e.Pit] -= e.Seeds
			b.Stores[e.To] += e.Seeds
		case "mark":
			b.Marks |= 1 << e.Pit
		}
	}
	return b
}

func TestAGameIsToldAsTheEnginePlaysIt(t *testing.T) {
	for _, game := range games.Names() {
		dir := runFolder(t, game)
		records := writeGames(t, dir, game, 3, 20)
		rules, err := games.Open(game, "")
		if err != nil {
			t.Fatal(err)
		}
		for i, record := range records {
			g, err := readGame(runfiles.GamesOf(dir, 3), 3, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if g.Iteration != 3 || g.Number != i+1 || g.Games != 20 || g.ID != record.ID.String() || g.Game != game || g.Width != rules.Width() {
				t.Fatalf("game %d is told as %d of %d, record %s", i+1, g.Number, g.Games, g.ID)
			}
			s := rules.Start()
			board := g.Start
			plies := 0
			for n, turn := range g.Turns {
				if turn.Player != s.Player {
					t.Fatalf("%s: turn %d is %s's, want %s's", game, n+1, turn.Player, s.Player)
				}
				actions, err := rules.ParseTurn(&s, turn.Text)
				if err != nil {
					t.Fatalf("%s: turn %d: %v", game, n+1, err)
				}
				plies += len(actions)
				for _, a := range actions {
					if _, err := rules.Play(&s, a); err != nil {
						t.Fatal(err)
					}
				}
				want := boardOf(&s, rules.Width())
				if fmt.Sprint(turn.After) != fmt.Sprint(want) {
					t.Fatalf("%s: after turn %d the board is %v, want %v", game, n+1, turn.After, want)
				}
				if board = boardAfter(board, turn.Events); !turn.Left && fmt.Sprint(board) != fmt.Sprint(want) {
					t.Fatalf("%s: the events of turn %d lead to %v, want %v", game, n+1, board, want)
				}
				board = want
				if (turn.Value == nil) != (n == 0) || turn.Random != (n == 0) {
					t.Fatalf("%s: turn %d has the value %v; only the first was drawn", game, n+1, turn.Value)
				}
			}
			if plies != len(record.Plies) || g.Final != rules.Final(&s) || g.Reason != s.End.String() {
				t.Errorf("%s: game %d has %d actions and ends %v (%s)", game, i+1, plies, g.Final, g.Reason)
			}
		}
		last, err := readGame(runfiles.GamesOf(dir, 3), 3, 0)
		if err != nil || last.Number != 20 {
			t.Errorf("%s: without a number game %d is told (%v), want the last", game, last.Number, err)
		}
	}
}

func TestOfATornFileTheSoundGamesAreTold(t *testing.T) {
	dir := runFolder(t, "rio-kadalis")
	writeGames(t, dir, "rio-kadalis", 1, 5)
	path := runfiles.GamesOf(dir, 1)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data[:len(data)-40]))
	if g, err := readGame(path, 1, 0); err != nil || g.Number != 4 || g.Games != 4 {
		t.Errorf("got %v (%v), want the fourth game", g, err)
	}
	for _, text := range []string{"", "x", string(data[:20])} {
		write(t, path, text)
		if _, err := readGame(path, 1, 0); err == nil {
			t.Errorf("of a file with %q a game is told", text)
		}
	}
}

// A relay can have a thousand laps: the page gets its beginning, and the board at its end.
func TestOfALongRelayTheBeginIsTold(t *testing.T) {
	rules, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		s := rules.Start()
		for !s.Over() {
			legal := rules.AppendLegal(nil, &s)
			a := legal[rng.IntN(len(legal))]
			before := s
			turn, err := rules.Play(&s, a)
			if err != nil {
				t.Fatal(err)
			}
			if !turn.Cut {
				continue
			}
			told, _, err := tellTurn(rules, &before, []replay.Ply{{Action: uint16(a)}})
			if err != nil || !told.Left || len(told.Events) != maxEvents || fmt.Sprint(told.After) != fmt.Sprint(boardOf(&s, rules.Width())) {
				t.Errorf("a relay that was cut is told by %d events (left out: %v, %v)", len(told.Events), told.Left, err)
			}
			return
		}
	}
	t.Fatal("no relay was cut in 20000 random games")
}
