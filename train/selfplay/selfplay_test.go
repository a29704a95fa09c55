package selfplay

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/search"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/replay"
)

// small is a configuration that plays a few short games.
func small() Config {
	return Config{Seed: 7, Streams: 2, Slots: 6, Quota: 4, Simulations: 8, OpeningSimulations: 4, Temperature: 1,
		RandomOpenings: 0.5, Search: search.Default()}
}

func openGame(t testing.TB, name string) mancala.Game {
	t.Helper()
	g, err := games.Open(name, "")
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newWeights(t testing.TB, g mancala.Game, from uint64) *network.Weights {
	t.Helper()
	c, err := zero.ConfigOf(g, 16, 1, 16)
	if err != nil {
		t.Fatal(err)
	}
	w, err := weights.New(c, seed.Rand(from, seed.Weights))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newPool(t testing.TB, g mancala.Game, w *network.Weights, c Config) *Pool {
	t.Helper()
	p, err := NewPool(g, w, c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// file returns the games as the bytes that a file of them would hold.
func file(t testing.TB, g mancala.Game, records []*replay.Game) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := replay.NewWriter(&out, replay.HeaderOf(g))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// iterations plays some iterations, with other weights in each, and returns the games of each as bytes.
func iterations(t testing.TB, g mancala.Game, c Config, workers, count int) [][]byte {
	t.Helper()
	w := newWeights(t, g, 0)
	p := newPool(t, g, w, c)
	var out [][]byte
	for i := range count {
		if err := w.CopyFrom(newWeights(t, g, uint64(i))); err != nil {
			t.Fatal(err)
		}
		if err := p.Begin(); err != nil {
			t.Fatal(err)
		}
		records, _, err := p.Play(context.Background(), workers, func() {})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, file(t, g, records))
	}
	return out
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	for _, name := range games.Names() {
		g := openGame(t, name)
		c := small()
		c.Streams = 3
		one, two := iterations(t, g, c, 1, 2), iterations(t, g, c, 2, 2)
		for i := range one {
			if !bytes.Equal(one[i], two[i]) {
				t.Errorf("%s: iteration %d differs between one worker and two", name, i)
			}
		}
	}
}

func TestAnotherSeedPlaysOtherGames(t *testing.T) {
	g := openGame(t, "rio-kadalis")
	a, b := small(), small()
	b.Seed = 8
	if bytes.Equal(iterations(t, g, a, 1, 1)[0], iterations(t, g, b, 1, 1)[0]) {
		t.Error("seeds 7 and 8 play the same games")
	}
}

// rounds is a context that ends after so many looks at it: a stop at any moment, without a clock.
type rounds struct {
	context.Context
	left int
}

func (r *rounds) Err() error {
	if r.left--; r.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestStoppedAndResumedIsUninterrupted(t *testing.T) {
	for _, name := range games.Names() {
		g := openGame(t, name)
		for _, kind := range []search.Kind{search.Gumbel, search.PUCT} {
			c := small()
			c.Search.Kind = kind
			want := iterations(t, g, c, 1, 1)[0]
			var finished []*replay.Game
			p := newPool(t, g, newWeights(t, g, 0), c)
			if err := p.Begin(); err != nil {
				t.Fatal(err)
			}
			stops := 0
			for {
				var err error
				finished, _, err = p.Play(&rounds{context.Background(), 23}, 1, func() {})
				if err == nil {
					break
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				stops++
				// The state goes through a file, as it does between two processes.
				state := throughFile(t, g, p.State())
				p = newPool(t, g, newWeights(t, g, 0), c)
				if err := p.Restore(state); err != nil {
					t.Fatal(err)
				}
			}
			if stops < 5 {
				t.Errorf("%s, %v: stopped %d times only", name, kind, stops)
			}
			if !bytes.Equal(want, file(t, g, finished)) {
				t.Errorf("%s, %v: stopped %d times, the games differ", name, kind, stops)
			}
		}
	}
}

// throughFile writes a state's games and reads them back.
func throughFile(t *testing.T, g mancala.Game, s State) State {
	t.Helper()
	read := func(records []*replay.Game) (out []*replay.Game) {
		r, err := replay.NewReader(bytes.NewReader(file(t, g, records)), "memory")
		if err != nil {
			t.Fatal(err)
		}
		for range records {
			record, err := r.Next()
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, record)
		}
		return out
	}
	return State{Begun: slices.Clone(s.Begun), UnderWay: read(s.UnderWay), Finished: read(s.Finished)}
}

func TestRecordsAreWhatTheRulesConfirm(t *testing.T) {
	for _, name := range games.Names() {
		g := openGame(t, name)
		c := small()
		p := newPool(t, g, newWeights(t, g, 0), c)
		if err := p.Begin(); err != nil {
			t.Fatal(err)
		}
		counted := 0
		records, cost, err := p.Play(context.Background(), 1, func() { counted++ })
		if err != nil {
			t.Fatal(err)
		}
		stats := Describe(g, records)
		if len(records) < c.Streams*c.Quota || stats.Games != len(records) || counted != len(records) {
			t.Errorf("%s: %d games, %d in the statistics, %d announced, quota %d", name, len(records), stats.Games, counted, c.Streams*c.Quota)
		}
		distinct, random := map[string]bool{}, 0
		for _, r := range records {
			if err := r.Check(g); err != nil {
				t.Error(err)
			}
			var line strings.Builder
			for _, ply := range r.Plies {
				line.WriteString(" ")
				line.WriteRune(rune(ply.Action))
				if ply.Flags&replay.Random != 0 {
					random++
				}
			}
			distinct[line.String()] = true
		}
		if len(distinct) != len(records) {
			t.Errorf("%s: %d distinct games of %d", name, len(distinct), len(records))
		}
		if random == 0 {
			t.Errorf("%s: no game began at random, expected half of them", name)
		}
		searched := stats.learned[0] + stats.learned[1]
		if searched == 0 || cost.Evaluations < searched || cost.Network <= 0 || cost.Elapsed < cost.Network || stats.SowingEntropy() <= 0 || stats.Turns > stats.Plies {
			t.Errorf("%s: statistics %+v, cost %+v", name, stats, cost)
		}
	}
}

func TestRestoreRefusesAnotherRunsState(t *testing.T) {
	g := openGame(t, "rio-kadalis")
	state := func() State {
		p := newPool(t, g, newWeights(t, g, 0), small())
		if err := p.Begin(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Play(&rounds{context.Background(), 30}, 1, func() {}); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped with %v", err)
		}
		return throughFile(t, g, p.State())
	}
	for name, spoil := range map[string]func(*State){
		"a stream too few":      func(s *State) { s.Begun = s.Begun[1:] },
		"a game too few":        func(s *State) { s.UnderWay = s.UnderWay[1:] },
		"a stream too many":     func(s *State) { s.UnderWay[0].ID.Stream = 9 },
		"no search to resume":   func(s *State) { s.UnderWay[0].Resume = nil },
		"an endless search":     func(s *State) { s.UnderWay[0].Resume = []byte{0x7f} },
		"an illegal action":     func(s *State) { mustAppend(t, s.UnderWay[0], 77) },
		"a record that is over": func(s *State) { s.UnderWay[0].End = mancala.Stuck },
	} {
		s := state()
		spoil(&s)
		p := newPool(t, g, newWeights(t, g, 0), small())
		if err := p.Restore(s); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func mustAppend(t *testing.T, r *replay.Game, a mancala.Action) {
	t.Helper()
	if err := r.Append(a, 0, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
}

func TestConfigValidate(t *testing.T) {
	for name, spoil := range map[string]func(*Config){
		"streams":        func(c *Config) { c.Streams = 0 },
		"slots":          func(c *Config) { c.Slots = 0 },
		"quota":          func(c *Config) { c.Quota = 0 },
		"simulations":    func(c *Config) { c.Simulations = 0 },
		"openings":       func(c *Config) { c.OpeningSimulations = 0 },
		"temperature":    func(c *Config) { c.Temperature = -1 },
		"random":         func(c *Config) { c.RandomOpenings = 1.5 },
		"utility":        func(c *Config) { c.Utility.MarginShare = 2 },
		"search setting": func(c *Config) { c.Search.CScale = 0 },
	} {
		c := small()
		spoil(&c)
		if c.Validate() == nil {
			t.Errorf("a bad value of %s is accepted", name)
		}
	}
	c := small()
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// Where a turn without a capture ends the game, random plies often do, even before Play is called.
func TestGamesThatEndInTheirRandomPlies(t *testing.T) {
	g, err := games.Open("rio-kadalis", "standard,no_capture_limit=1")
	if err != nil {
		t.Fatal(err)
	}
	c := small()
	c.RandomOpenings = 1
	if games := iterations(t, g, c, 2, 2); len(games) != 2 {
		t.Errorf("%d iterations, want 2", len(games))
	}
}

func TestRulesThatLeaveNoChoiceAreAnError(t *testing.T) {
	g, err := games.Open("kiothi", "mancala-world,start=1x1,lifts=0,no_capture_limit=1")
	if err != nil {
		t.Fatal(err)
	}
	p := newPool(t, g, newWeights(t, g, 0), small())
	if err := p.Begin(); err == nil || !strings.Contains(err.Error(), "start=1x1") || !strings.Contains(err.Error(), "choose other rules") {
		t.Errorf("got %v, want an error that names the rules and says what to do", err)
	}
}
