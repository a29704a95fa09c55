package zero

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/network"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// timed returns a player by a clock that goes on by a millisecond whenever it is looked at, so that its searches are of a
// fixed number of batches.
func timed(t *testing.T, g mancala.Game, w *network.Weights, kind search.Kind, d time.Duration) (*Timed, *clock) {
	t.Helper()
	c := DefaultConfig()
	c.Search.Kind, c.Batch = kind, 4
	player, err := NewTimed(newPlayer(t, g, w, c), d)
	if err != nil {
		t.Fatal(err)
	}
	clock := &clock{}
	player.now = clock.now
	return player, clock
}

// A clock is one that is set by being looked at.
type clock struct {
	mutex sync.Mutex
	at    time.Time
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(time.Millisecond)
	return c.at
}

// playGame plays a game of a player against itself, and returns its actions and the time that each turn took.
func playGame(t *testing.T, g mancala.Game, player *Timed, clock *clock) (actions []mancala.Action, turns []time.Duration) {
	t.Helper()
	seats := [2]agent.Agent{player.Start(), player.Start()}
	began := clock.at
	for s := g.Start(); !s.Over() && len(actions) < 60; {
		mover := s.Player
		a, err := seats[mover].Choose(t.Context(), &s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if legal := g.AppendLegal(nil, &s); !slices.Contains(legal, a) {
			t.Fatalf("action %d is illegal in %s", a, g.Format(&s))
		}
		mancala.MustPlay(g, &s, a)
		actions = append(actions, a)
		if s.Player != mover {
			turns = append(turns, clock.at.Sub(began))
			began = clock.at
		}
	}
	for _, seat := range seats {
		if err := seat.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}
	return actions, turns
}

func TestAPlayerByTheClockPlaysWholeGamesInItsTime(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		for _, kind := range []search.Kind{search.Gumbel, search.PUCT} {
			const limit = 60 * time.Millisecond
			player, clock := timed(t, g, newWeights(t, g, 1), kind, limit)
			first, turns := playGame(t, g, player, clock)
			for i, took := range turns {
				// Each of some 12 actions of a turn looks at the clock twice more than it searches.
				if took > limit+30*time.Millisecond {
					t.Errorf("%s, %v: turn %d takes %v of %v", name, kind, i, took, limit)
				}
			}
			// With this clock a game is reproducible, whatever was played before it.
			if again, _ := playGame(t, g, player, clock); !slices.Equal(first, again) {
				t.Errorf("%s, %v: the same players play\n%v, then\n%v", name, kind, first, again)
			}
		}
	}
}

func TestAPlayerByTheClockAdvises(t *testing.T) {
	g := openGame(t, "kiothi", "")
	player, _ := timed(t, g, newWeights(t, g, 1), search.PUCT, 20*time.Millisecond)
	for _, s := range states(t, g, 10, 3, all) {
		advice, err := player.Advise(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		next := s
		for _, a := range advice.Line {
			if _, err := g.Play(&next, a); err != nil {
				t.Fatalf("%s: the line %v cannot be played: %v", g.Format(&s), advice.Line, err)
			}
		}
		if sum := advice.Win + advice.Draw + advice.Loss; len(advice.Line) == 0 || sum < 0.999 || sum > 1.001 {
			t.Errorf("%s: %+v", g.Format(&s), advice)
		}
	}
}

// A move is taken back, another game is shown: the player answers for what it is asked.
func TestAPlayerByTheClockIsAskedOutOfOrder(t *testing.T) {
	g := openGame(t, "kiothi", "")
	player, _ := timed(t, g, newWeights(t, g, 1), search.PUCT, 10*time.Millisecond)
	seat := player.Start()
	for _, s := range states(t, g, 30, 9, all) {
		for range 2 {
			a, err := seat.Choose(t.Context(), &s, nil)
			if err != nil {
				t.Fatal(err)
			}
			if legal := g.AppendLegal(nil, &s); !slices.Contains(legal, a) {
				t.Errorf("action %d is illegal in %s", a, g.Format(&s))
			}
		}
	}
}

func TestAPlayerByTheClockIsSafeForConcurrentUse(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	player, _ := timed(t, g, newWeights(t, g, 1), search.PUCT, 5*time.Millisecond)
	positions := states(t, g, 10, 9, all)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range positions {
				if _, err := player.Choose(t.Context(), &positions[i], nil); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestAPlayerByTheClockCountsItsSimulationsAndStopsWithItsContext(t *testing.T) {
	g := openGame(t, "kiothi", "")
	player, _ := timed(t, g, newWeights(t, g, 1), search.PUCT, 50*time.Millisecond)
	var effort agent.Effort
	ctx, cancel := context.WithCancel(agent.WithEffort(t.Context(), &effort))
	all := states(t, g, 60, 5, choices)
	s := all[slices.IndexFunc(all, func(s mancala.State) bool { return s.Phase == mancala.Sow && s.Stores[0]+s.Stores[1] < 20 })]
	if _, err := player.Choose(ctx, &s, nil); err != nil || effort.Simulations.Load() < 50 {
		t.Errorf("%d simulations (%v), want more than one a look at the clock", effort.Simulations.Load(), err)
	}
	cancel()
	if _, err := player.Choose(ctx, &s, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the context's", err)
	}
	if _, err := player.Advise(ctx, &s); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the context's", err)
	}
}

func TestAPlayerByTheClockThatIsStoppedPlaysTheBestSoFar(t *testing.T) {
	g := openGame(t, "kiothi", "")
	all := states(t, g, 60, 5, choices)
	s := all[slices.IndexFunc(all, func(s mancala.State) bool { return s.Phase == mancala.Sow && s.Stores[0]+s.Stores[1] < 20 })]
	w := newWeights(t, g, 1)
	short, _ := timed(t, g, w, search.PUCT, 50*time.Millisecond)
	want, err := short.Choose(t.Context(), &s, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []func(context.Context, *Timed) (mancala.Action, error){
		func(ctx context.Context, p *Timed) (mancala.Action, error) { return p.Choose(ctx, &s, nil) },
		func(ctx context.Context, p *Timed) (mancala.Action, error) {
			advice, err := p.Advise(ctx, &s)
			return append(advice.Line, -1)[0], err
		},
	} {
		// Stopped where the short search ends by itself, the long one answers as it does.
		long, clock := timed(t, g, w, search.PUCT, time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		long.now = func() time.Time {
			at := clock.now()
			if at.After(time.Time{}.Add(50 * time.Millisecond)) {
				cancel()
			}
			return at
		}
		if got, err := ask(ctx, long); err != nil || got != want {
			t.Errorf("stopped, the action is %d, %v; want %d", got, err, want)
		}
		cancel()
	}
}

func TestNewTimedRefusesSettingsWithoutAMeaning(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	c := quick()
	p := newPlayer(t, g, newWeights(t, g, 1), c)
	if _, err := NewTimed(p, 0); err == nil {
		t.Error("no time is accepted")
	}
	c.Search.Proofs = false
	if _, err := NewTimed(newPlayer(t, g, newWeights(t, g, 1), c), time.Second); err == nil {
		t.Error("a search that may go on for ever is accepted")
	}
}

// What is proven shows in the advice: in positions that one action wins, and in those that are won already.
func TestAdviceSaysWhatIsProven(t *testing.T) {
	g := openGame(t, "kiothi", "")
	c := quick()
	c.Simulations = 400
	p := newPlayer(t, g, newWeights(t, g, 1), c)
	for _, position := range []struct {
		text string
		win  float64
	}{
		{"3,0,2,0,5,0,1,0,0,2/0,4,0,0,3,0,0,2,0,6 - 31-1 S sow 0", 1},
		{"3,0,2,0,5,0,1,0,0,2/0,4,0,0,3,0,0,2,0,6 - 1-31 S sow 0", 0},
		// b3 ends in e, which faces six seeds: with the seed itself that makes 33.
		{"0,3,0,0,0,0,0,0,0,2/0,4,0,0,0,6,0,0,0,0 - 26-19 S sow 0", 1},
	} {
		s, err := g.Parse(position.text)
		if err != nil {
			t.Fatal(err)
		}
		advice, err := p.Advise(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		if advice.Win != position.win || advice.Loss != 1-position.win || (advice.Margin > 0) != (position.win == 1) {
			t.Errorf("%s: %+v, want a chance of %v", position.text, advice, position.win)
		}
		if position.win == 1 && g.ActionText(&s, advice.Line[0]) != "b3" && s.Stores[0] < 30 {
			t.Errorf("%s: plays %s, want the capture", position.text, g.ActionText(&s, advice.Line[0]))
		}
	}
}
