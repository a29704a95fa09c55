package alphabeta

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/nnue"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

func TestWholeGamesOfEveryRuleSetAreLegal(t *testing.T) {
	for _, e := range games.All() {
		for _, set := range e.Sets {
			g := open(t, e.Name, set.Name)
			p := player(t, g, Limits{Nodes: 200})
			s, rng := g.Start(), rand.New(rand.NewPCG(1, 1))
			for !s.Over() {
				before := s
				a, err := p.Choose(t.Context(), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				if s != before {
					t.Fatal("the player changed the state")
				}
				play(t, g, &s, a)
			}
		}
	}
}

func TestTheSameSourceGivesTheSameOpening(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, l := range []Limits{{Depth: 1}, {Nodes: 3000}} {
		run := func() mancala.State {
			p := player(t, g, l)
			s, rng := g.Start(), rand.New(rand.NewPCG(7, 7))
			for s.Opening > 1 {
				a, err := p.Choose(t.Context(), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				play(t, g, &s, a)
			}
			return s
		}
		if first, second := run(), run(); first != second {
			t.Errorf("%+v: openings %s and %s", l, g.Format(&first), g.Format(&second))
		}
	}
}

// TestTheOpeningIsChosen lets the player open for North, whose turn the sowing follows at once, and compares what a search
// says of the positions with that of random openings.
func TestTheOpeningIsChosen(t *testing.T) {
	g := open(t, "kiothi", "")
	p, judge := player(t, g, Limits{Nodes: 30_000}), player(t, g, Limits{Depth: 5})
	gain := 0.0
	for game := range uint64(4) {
		rng := rand.New(rand.NewPCG(5, game))
		start := g.Start()
		for _, a := range scripted.SampleOpening(g, &start, rng) {
			play(t, g, &start, a)
		}
		for sign, opener := range map[float64]agent.Agent{1: p, -1: scripted.Random{Game: g}} {
			s := start
			for s.Opening > 0 {
				a, err := opener.Choose(t.Context(), &s, rng)
				if err != nil {
					t.Fatal(err)
				}
				play(t, g, &s, a)
			}
			found, err := judge.Analyse(t.Context(), &s)
			if err != nil {
				t.Fatal(err)
			}
			gain -= sign * found.Score // South's score: what North wants low
		}
	}
	if gain <= 0 {
		t.Errorf("over four openings the player stands %.1f seeds better than random openings, want better", gain)
	}
}

func TestASearchStopsInTimeAndWithItsContext(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, s := range []mancala.State{g.Start(), sowing(t, g, rand.New(rand.NewPCG(1, 1)), 3)} {
		rng := rand.New(rand.NewPCG(1, 1))
		if _, err := player(t, g, Limits{Time: time.Millisecond}).Choose(t.Context(), &s, rng); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err := player(t, g, Limits{Depth: MaxDepth}).Choose(ctx, &s, rng)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: the error is %v, want the context's", g.Format(&s), err)
		}
	}
}

func TestAForcedMoveAndAFinishedGame(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	p := player(t, g, Limits{Depth: 3})
	s := parse(t, g, "0,0,2,0,0,0/0,0,1,0,2,3 - 20-20 S sow 0")
	if a, err := p.Choose(t.Context(), &s, nil); err != nil || a != 2 {
		t.Errorf("chose %d with error %v, want the only move 2", a, err)
	}
	s = parse(t, g, "0,0,0,0,0,0/0,0,1,0,2,3 - 20-22 S sow 0")
	if _, err := p.Choose(t.Context(), &s, nil); err == nil {
		t.Error("there is a choice in a game that is over")
	}
	if _, err := p.Analyse(t.Context(), &s); err == nil {
		t.Error("there is an analysis of a game that is over")
	}
}

func TestTheKindReadsANetwork(t *testing.T) {
	g := open(t, "kiothi", "")
	dir := t.TempDir()
	path := filepath.Join(dir, nnue.FileName)
	if err := network(t, g).Save(path); err != nil {
		t.Fatal(err)
	}
	for _, net := range []string{path, dir} {
		a, err := Kinds().Open(g, "alphabeta:depth=2,net="+net)
		if err != nil {
			t.Fatal(err)
		}
		if a.(*Player).eval.network == nil {
			t.Errorf("net=%s: the player has no network", net)
		}
	}
	rio := open(t, "rio-kadalis", "")
	if _, err := Kinds().Open(rio, "alphabeta:depth=2,net="+path); err == nil || !strings.Contains(err.Error(), "expected one for rio-kadalis") {
		t.Errorf("for another game: %v", err)
	}
	if _, err := Kinds().Open(g, "alphabeta:depth=2,net="+path+".absent"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without the file: %v", err)
	}
	if _, err := New(rio, Config{Limits: Limits{Depth: 1}, Hash: 1, Network: network(t, g)}); err == nil {
		t.Error("a network for another game is accepted")
	}
}

func TestTheKindReadsItsOptions(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, text := range []string{"alphabeta:depth=6", "alphabeta:movetime=100ms", "alphabeta:nodes=5000,hash=1", "alphabeta,depth=2"} {
		if _, err := Kinds().Open(g, text); err != nil {
			t.Errorf("Open(%q): %v", text, err)
		}
	}
	for _, text := range []string{"alphabeta", "alphabeta:depth=0", "alphabeta:depth=65", "alphabeta:depth=2,nodes=3", "alphabeta:movetime=-1s", "alphabeta:nodes=x", "alphabeta:depth=2,hash=0", "alphabeta:hash=2"} {
		var mistake *agent.SpecError
		if _, err := Kinds().Open(g, text); !errors.As(err, &mistake) {
			t.Errorf("Open(%q) = %v, want a SpecError", text, err)
		}
	}
	for _, c := range []Config{{}, {Limits: Limits{Depth: 1, Nodes: 1}, Hash: 1}, {Limits: Limits{Depth: 1}}, {Limits: Limits{Time: -1}, Hash: 1}, {Limits: Limits{Depth: -1}, Hash: 1}} {
		if _, err := New(g, c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}
