package solve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/agent/solve/certificate"
	"kiothi/env/durable"
	"kiothi/env/mancala"
)

// tiny are rule sets so small that everything can be tried; the clock matters much in them.
var tiny = []struct {
	game, rules string
	seeds       int
}{
	{"rio-kadalis", "five-holes,no_capture_limit=7", 8},
	{"rio-kadalis", "standard,no_capture_limit=6", 8},
	{"rio-kadalis", "clockwise,no_capture_limit=3", 12},
	{"kiothi", "mancala-world,start=1x2,no_capture_limit=6", 4},
	{"kiothi", "wikipedia-it,start=1x2,no_capture_limit=8", 4},
	{"kiothi", "mancala-world,start=1x3,lifts=1,no_capture_limit=4", 6},
}

func TestResultsAreThoseOfTryingEverything(t *testing.T) {
	for _, c := range tiny {
		g := open(t, c.game, c.rules)
		truth := newTruth(g)
		rng := rand.New(rand.NewPCG(1, 2))
		s := solver(t, g)
		for _, state := range small(g, c.seeds, 20, rng) {
			r, err := s.Solve(t.Context(), &state, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := truth.margin(state)
			if r.Low != want || r.High != want {
				t.Errorf("%s %s: margin from %d to %d, want %d", c.rules, g.Format(&state), r.Low, r.High, want)
			}
			after := state
			if _, err := g.Play(&after, r.Best); err != nil {
				t.Fatal(err)
			}
			got := truth.margin(after)
			if after.Player != state.Player {
				got = -got
			}
			if got != want {
				t.Errorf("%s %s: action %d gets %d, want %d", c.rules, g.Format(&state), r.Best, got, want)
			}
		}
		testClaims(t, s, truth, rng)
	}
}

// testClaims checks some of a solver's claims, at each of their clocks.
func testClaims(t *testing.T, s *Solver, truth *truth, rng *rand.Rand) {
	t.Helper()
	if s.Claims() == 0 {
		t.Fatalf("%s: nothing was claimed", s.game.Rules())
	}
	for range 100 {
		c := &s.claims.list[rng.IntN(s.Claims())]
		for clock := c.clocks.from; clock <= c.clocks.to; clock++ {
			state := c.board.state(s.closing)
			state.Clock = clock
			got := truth.margin(state)
			if c.atMost && got > int(c.bound) || !c.atMost && got < int(c.bound) {
				t.Fatalf("%s %s: at most %v, %d is claimed at the clocks %v, found %d", s.game.Rules(), s.game.Format(&state), c.atMost, c.bound, c.clocks, got)
			}
		}
	}
}

func TestBoardsHoldWholePositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ game, rules string }{
		{"kiothi", ""}, {"kiothi", "wikipedia-it"}, {"rio-kadalis", ""}, {"rio-kadalis", "five-holes"},
	} {
		g := open(t, c.game, c.rules)
		states := small(g, mancala.MaxSeeds, 2000, rng)
		if c.rules == "" && c.game == "rio-kadalis" {
			states = append(states, parse(t, g, "x,x,0,1,5,4/3,0,2,4,4,1 - 0-24 N sow 3"))
		}
		for _, s := range states {
			want := s
			want.Stores, want.Clock, want.End = [2]uint8{}, 0, mancala.Running
			if want.Player == mancala.North {
				want = want.Swapped(g.Width())
			}
			if got := boardOf(&s, g.Width()).state(c.game == "rio-kadalis"); got != want {
				t.Fatalf("%s: read back as\n%+v, want\n%+v", g.Format(&s), got, want)
			}
		}
	}
}

func TestTheClockEndsWhatIsPlayedOutForEver(t *testing.T) {
	// A move without a capture fills the clock; a player without stones is stuck all the same.
	g := open(t, "rio-kadalis", "five-holes")
	truth := newTruth(g)
	for _, position := range []string{
		"0,0,0,0,1/1,0,0,0,2 - 18-18 S sow 99",
		"0,0,0,0,1/1,0,0,0,2 - 18-18 S sow 98",
		"0,0,0,0,1/0,0,0,0,3 - 18-18 N sow 97",
		"1,0,0,0,0/0,0,0,0,3 - 18-18 S sow 95",
		"1,0,0,0,0/0,0,0,0,3 - 18-18 S sow 0",
	} {
		state := parse(t, g, position)
		r, err := solver(t, g).Solve(t.Context(), &state, 0)
		if want := truth.margin(state); err != nil || r.Low != want || r.High != want {
			t.Errorf("%s: margin from %d to %d (%v), want %d", position, r.Low, r.High, err, want)
		}
	}
}

func TestATableGivesTheSameResults(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	table, err := endgame.Build(t.Context(), g, 8, endgame.Options{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := New(g, Options{Memory: 64, Table: table})
	if err != nil {
		t.Fatal(err)
	}
	without := solver(t, g)
	for _, state := range small(g, 24, 15, rand.New(rand.NewPCG(5, 6))) {
		a, err := with.Solve(t.Context(), &state, 0)
		if err != nil {
			t.Fatal(err)
		}
		b, err := without.Solve(t.Context(), &state, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a.Low != b.Low || a.High != b.High {
			t.Errorf("%s: from %d to %d with a table, from %d to %d without", g.Format(&state), a.Low, a.High, b.Low, b.High)
		}
	}
	if state := g.Start(); true {
		if _, err := with.Certify(&state, Result{}); err == nil {
			t.Error("what rests on a table was certified")
		}
		if err := with.Write(io.Discard); err == nil {
			t.Error("what rests on a table was saved")
		}
	}
}

// certify solves a start and returns its certificate as a file.
func certify(t *testing.T, g mancala.Game, s *Solver) (Result, []byte) {
	t.Helper()
	state := g.Start()
	r, err := s.Solve(t.Context(), &state, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Certify(&state, r)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := c.Write(&file); err != nil {
		t.Fatal(err)
	}
	return r, file.Bytes()
}

func TestFiveHolesAreADrawAndTheProofIsAccepted(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	r, file := certify(t, g, solver(t, g))
	if r.Low != 0 || r.High != 0 {
		t.Errorf("the margin is from %d to %d, want 0", r.Low, r.High)
	}
	c, err := certificate.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
	if _, again := certify(t, g, solver(t, g)); !bytes.Equal(file, again) {
		t.Error("a second search gives another certificate")
	}
}

func TestTheOpeningIsSolvedToo(t *testing.T) {
	for _, c := range []struct {
		rules string
		want  int
	}{{"mancala-world,start=1x2", -4}, {"mancala-world,start=1x3", -6}} {
		g := open(t, "kiothi", c.rules)
		r, file := certify(t, g, solver(t, g))
		if r.Low != c.want || r.High != c.want {
			t.Errorf("%s: the margin is from %d to %d, want %d", c.rules, r.Low, r.High, c.want)
		}
		proof, err := certificate.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := certificate.Verify(t.Context(), proof); err != nil {
			t.Errorf("%s: %v", c.rules, err)
		}
	}
}

func TestAStoppedSearchGoesOnFromItsFile(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes")
	path := filepath.Join(t.TempDir(), "claims")
	state := g.Start()
	var s *Solver
	stops := 0
	for ; ; stops++ {
		if stops == 20 {
			t.Fatal("the search does not come to an end")
		}
		s = solver(t, g)
		if stops > 0 {
			if err := s.Load(path); err != nil {
				t.Fatal(err)
			}
		}
		r, err := s.Solve(t.Context(), &state, 100_000)
		if err == nil {
			if r.Low != 0 || r.High != 0 {
				t.Errorf("the margin is from %d to %d, want 0", r.Low, r.High)
			}
			break
		}
		if !errors.Is(err, ErrNodes) {
			t.Fatal(err)
		}
		if r.Low > 0 || r.High < 0 {
			t.Errorf("stopped at a margin from %d to %d, which 0 is not in", r.Low, r.High)
		}
		if err := durable.WriteFile(path, s.Write); err != nil {
			t.Fatal(err)
		}
	}
	if stops == 0 {
		t.Error("the search was never stopped")
	}
	_, file := certify(t, g, s)
	c, err := certificate.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := certificate.Verify(t.Context(), c); err != nil {
		t.Error(err)
	}
	if err := solver(t, open(t, "rio-kadalis", "standard")).Load(path); err == nil {
		t.Error("the claims of another rule set were loaded")
	}
}

func TestASearchEndsWithItsContextAndItsMemory(t *testing.T) {
	g := open(t, "rio-kadalis", "standard")
	state := g.Start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := solver(t, g).Solve(ctx, &state, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, want that the context was cancelled", err)
	}
	s, err := New(g, Options{Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Solve(t.Context(), &state, 0); !errors.Is(err, ErrMemory) {
		t.Errorf("found %v, want that the memory is full", err)
	}
}

func BenchmarkSolveFiveHoles(b *testing.B) {
	g := open(b, "rio-kadalis", "five-holes")
	state := g.Start()
	s := solver(b, g)
	nodes := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		if _, err := s.Solve(b.Context(), &state, 0); err != nil {
			b.Fatal(err)
		}
		nodes += s.Nodes()
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// An oware is a game that boards do not know.
type oware struct{ mancala.Game }

func (oware) Name() string { return "oware" }

func TestAGameThatIsNotKnownIsRefused(t *testing.T) {
	_, err := New(oware{open(t, "rio-kadalis", "")}, Options{Memory: 1})
	if err == nil || !strings.Contains(err.Error(), `game "oware" cannot be solved, expected kiothi or rio-kadalis`) {
		t.Errorf("found %v, want that the game is refused", err)
	}
}
