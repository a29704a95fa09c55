package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/trace"
)

// A cheat is what a planted agent does in the one position in which it misbehaves.
type cheat struct {
	name   string
	reason ForfeitReason
	detail string // part of it
	do     func(ctx context.Context, s *mancala.State) (mancala.Action, error)
}

// cheats returns all of them. The one that hangs for ever goes on when the channel is closed.
func cheats(g mancala.Game, forever <-chan struct{}) []cheat {
	return []cheat{
		{"plays what is illegal", IllegalAction, "illegal action", func(_ context.Context, s *mancala.State) (mancala.Action, error) {
			legal := g.AppendLegal(nil, s)
			for a := mancala.Action(0); ; a++ {
				if !slices.Contains(legal, a) {
					return a, nil
				}
			}
		}},
		{"invents an action", IllegalAction, "99999", func(context.Context, *mancala.State) (mancala.Action, error) { return 99999, nil }},
		{"plays a negative action", IllegalAction, "-7", func(context.Context, *mancala.State) (mancala.Action, error) { return -7, nil }},
		{"fails", Failure, "out of order", func(context.Context, *mancala.State) (mancala.Action, error) { return 0, errors.New("out of\norder") }},
		{"panics", Panic, "forfeit_test.go", func(context.Context, *mancala.State) (mancala.Action, error) { panic("out of order") }},
		{"divides by zero", Panic, "divide by zero", func(_ context.Context, s *mancala.State) (mancala.Action, error) {
			return mancala.Action(1 / int(s.End)), nil
		}},
		{"hangs until it is told to stop", Overdue, "more than the bound", func(ctx context.Context, _ *mancala.State) (mancala.Action, error) {
			<-ctx.Done()
			return 0, ctx.Err()
		}},
		{"answers too late", Overdue, "more than the bound", func(ctx context.Context, s *mancala.State) (mancala.Action, error) {
			<-ctx.Done()
			return g.AppendLegal(nil, s)[0], nil
		}},
		{"hangs for ever", Overdue, "left behind", func(context.Context, *mancala.State) (mancala.Action, error) {
			<-forever
			return 0, nil
		}},
	}
}

// planted is a random player that misbehaves in a few positions, which depend on nothing but the position.
func (c *cheat) planted(g mancala.Game) agent.Agent {
	return asked(func(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
		if s.Clock == 2 && (s.Rows[0].At(0)+s.Rows[1].At(1))%4 == 0 {
			return c.do(ctx, s)
		}
		return scripted.Random{Game: g}.Choose(ctx, s, rng)
	})
}

// wait runs what depends on time by a clock that goes on only when everybody waits: however busy the machine is, an honest move
// is never late.
func wait(t *testing.T, f func(t *testing.T, forever <-chan struct{})) {
	synctest.Test(t, func(t *testing.T) {
		forever := make(chan struct{})
		defer close(forever)
		f(t, forever)
	})
}

func TestACheatLosesThatGameAndTheTournamentGoesOn(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := open(t, name, "")
		for i, c := range cheats(g, nil) {
			o := Options{Games: 30, Seed: 2, Forfeits: true, Workers: 16}
			if c.reason == Overdue {
				o.Games, o.MoveTime, o.grace = 10, 200*time.Millisecond, 20*time.Millisecond
			}
			honest := mustPlay(t, g, []Contender{contender(t, g, "random"), contender(t, g, "greedy"), contender(t, g, "random")},
				Options{Games: o.Games, Seed: o.Seed})
			t.Run(name+" "+c.name, func(t *testing.T) {
				wait(t, func(t *testing.T, forever <-chan struct{}) {
					c := cheats(g, forever)[i]
					for _, a := range []agent.Agent{c.planted(g), &batched{Agent: c.planted(g)}} {
						table := mustPlay(t, g, []Contender{{"cheat", a}, contender(t, g, "greedy"), contender(t, g, "random")}, o)
						wantCaught(t, g, &c, honest, table)
					}
				})
			})
		}
	}
}

// wantCaught checks that a tournament with a cheat as its first contender is that with an honest player, but for the games in
// which it cheated.
func wantCaught(t *testing.T, g mancala.Game, c *cheat, honest, table *Table) {
	t.Helper()
	if diff := cmp.Diff(honest.Matches[2], table.Matches[2]); diff != "" {
		t.Errorf("the match of the others changed:\n%s", diff)
	}
	forfeits := 0
	for i, r := range table.Matches[:2] {
		if len(r.Played) != len(honest.Matches[i].Played) || len(r.Forfeits) == 0 || len(r.Forfeits) == len(r.Played) {
			t.Fatalf("match %d has %d games and %d forfeits, want %d and some", i, len(r.Played), len(r.Forfeits), len(honest.Matches[i].Played))
		}
		forfeits += len(r.Forfeits)
		for j := range r.Played {
			p := &r.Played[j]
			if p.Forfeit == nil {
				if diff := cmp.Diff(honest.Matches[i].Played[j], *p); diff != "" {
					t.Errorf("match %d: game %d changed without a forfeit:\n%s", i, j, diff)
				}
				continue
			}
			f := p.Forfeit
			s, err := g.Parse(f.Position)
			if err != nil || f.Game != j || f.Loser != 0 || f.Reason != c.reason || !strings.Contains(f.Detail, c.detail) || strings.Contains(f.Detail, "\n") ||
				s.Player != p.First || p.Score() != 0 || p.Margin() != 0 {
				t.Errorf("match %d, game %d: %+v (%v), want a loss of the first by %s, with %q", i, j, *f, err, c.reason, c.detail)
			}
			if n := len(p.Actions); !slices.Equal(p.Actions, honest.Matches[i].Played[j].Actions[:n]) {
				t.Errorf("match %d: game %d is another one before its forfeit", i, j)
			}
		}
		if r.Total.Losses < len(r.Forfeits) || r.Points[1] < float64(len(r.Forfeits)) {
			t.Errorf("match %d: %+v", i, r)
		}
	}
	if s := table.Standings[0]; s.Forfeits[c.reason] != forfeits || s.Forfeited() != forfeits || table.Standings[1].Forfeited() != 0 {
		t.Errorf("%v forfeits in the standings, want %d by %s", s.Forfeits, forfeits, c.reason)
	}
	wantReplayable(t, table)
}

// wantReplayable checks that the games of a table are written, and read by trace.
func wantReplayable(t *testing.T, table *Table) {
	t.Helper()
	var lines, answers bytes.Buffer
	if err := table.WriteGames(&lines); err != nil {
		t.Fatal(err)
	}
	n := strings.Count(lines.String(), "\n")
	if failed, err := trace.Batch(&lines, &answers, games.Open); failed > 0 || err != nil || n != table.Games {
		t.Errorf("%d of %d lines failed: %v", failed, n, err)
	}
}

// Whatever the order in which games are played, a cheat loses the same ones.
func TestForfeitsAreTheSameForAnyWorkersAndGamesAtOnce(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, c := range cheats(g, nil)[:5] {
		contenders := []Contender{{"cheat", c.planted(g)}, contender(t, g, "greedy"), {"batch", &batched{Agent: c.planted(g)}}}
		want := mustPlay(t, g, contenders, Options{Games: 20, Seed: 2, Forfeits: true, Workers: 1, Concurrent: 1})
		for _, o := range []Options{{Workers: 1, Concurrent: 60}, {Workers: 8, Concurrent: 60}, {Workers: 3, Concurrent: 11}} {
			o.Games, o.Seed, o.Forfeits = 20, 2, true
			if diff := cmp.Diff(want, mustPlay(t, g, contenders, o), withoutTime); diff != "" {
				t.Errorf("%s: workers %d, concurrent %d (-one by one +this):\n%s", c.name, o.Workers, o.Concurrent, diff)
			}
		}
	}
}

// An agent that does not even begin a game has lost it.
type unready struct{ agent.Agent }

func (unready) Start() agent.Agent { panic("no memory") }

func TestAPlayerThatCannotBeMadeLosesTheGame(t *testing.T) {
	g := open(t, "kiothi", "")
	r := mustMatch(t, g, contender(t, g, "random"), Contender{"unready", unready{scripted.Random{Game: g}}}, Options{Games: 4, Forfeits: true})
	if r.Total != (Tally{Wins: 4}) || len(r.Forfeits) != 4 || r.Forfeits[1].Reason != Panic || !strings.Contains(r.Forfeits[1].Detail, "no memory") {
		t.Errorf("%+v", r)
	}
}

func TestAPanicWithoutForfeitsIsAnError(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, a := range []agent.Agent{cheats(g, nil)[4].planted(g), &batched{Agent: cheats(g, nil)[4].planted(g)}} {
		_, err := Match(t.Context(), g, contender(t, g, "random"), Contender{"cheat", a}, Options{Games: 30, Seed: 2})
		if err == nil || !strings.Contains(err.Error(), "agent cheat failed in") || !strings.Contains(err.Error(), "forfeit_test.go") {
			t.Errorf("got %v, want an error that names the agent and the line", err)
		}
	}
}

// A batch that takes longer than a move may take is no crime where its games do not.
func TestABatchThatIsTooSlowIsAskedOneByOne(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	wait(t, func(t *testing.T, _ <-chan struct{}) {
		slow := &slowBatch{Agent: scripted.Random{Game: g}, each: 12 * time.Millisecond}
		o := Options{Games: 40, Seed: 1, Forfeits: true, MoveTime: 200 * time.Millisecond, Workers: 2}
		r := mustMatch(t, g, Contender{"slow", slow}, contender(t, g, "random"), o)
		if slow.late.Load() == 0 {
			t.Fatal("no batch was too slow")
		}
		want := mustMatch(t, g, contender(t, g, "random"), contender(t, g, "random"), Options{Games: 40, Seed: 1})
		if diff := cmp.Diff(want.Played, r.Played); diff != "" {
			t.Errorf("(-unbounded +bounded):\n%s", diff)
		}
	})
}

// slowBatch takes time for each game of a batch.
type slowBatch struct {
	agent.Agent
	each time.Duration
	late atomic.Int64
}

func (b *slowBatch) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error {
	for i := range states {
		select {
		case <-ctx.Done():
			b.late.Add(1)
			return ctx.Err()
		case <-time.After(b.each):
		}
		var err error
		if actions[i], err = b.Choose(ctx, &states[i], rngs[i]); err != nil {
			return err
		}
	}
	return nil
}

// The first Ctrl-C ends a bounded tournament even when an agent does not hear of it.
func TestAHangingAgentDoesNotKeepATournamentFromStopping(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	wait(t, func(t *testing.T, forever <-chan struct{}) {
		ctx, cancel := context.WithCancel(t.Context())
		begun := make(chan struct{}, 100)
		var asks atomic.Int64
		deaf := asked(func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
			asks.Add(1)
			begun <- struct{}{}
			<-forever
			return 0, nil
		})
		go func() {
			<-begun
			cancel()
		}()
		o := Options{Games: 40, Forfeits: true, Workers: 2, MoveTime: time.Hour, grace: time.Millisecond}
		if _, err := Match(ctx, g, Contender{"deaf", deaf}, Contender{"deaf", deaf}, o); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want a cancelled match", err)
		}
		if n := asks.Load(); n > int64(o.Workers) {
			t.Errorf("%d games were waited for, want those that were under way, %d at the most", n, o.Workers)
		}
	})
}

func TestForfeitsAreWrittenWithTheirReason(t *testing.T) {
	g := open(t, "kiothi", "")
	table := mustPlay(t, g, []Contender{{"cheat", cheats(g, nil)[3].planted(g)}, contender(t, g, "greedy")}, Options{Games: 10, Seed: 2, Forfeits: true})
	f := table.Matches[0].Forfeits[0]
	var text, lines bytes.Buffer
	if err := errors.Join(table.WriteText(&text, g), table.WriteGames(&lines)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{" loses by forfeit (error)\n", "reason  out of order\n", "at      " + f.Position + "\n", fmt.Sprintf("game %d\n", f.Game)} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.String())
		}
	}
	if !strings.Contains(lines.String(), `"truncated":true,"note":"game `) || !strings.Contains(lines.String(), "loses by forfeit (error)") {
		t.Errorf("the lines do not say who forfeited: %s", lines.String())
	}
}

func TestALateAnswerIsToldToTheDigit(t *testing.T) {
	for took, want := range map[time.Duration]string{12: "12ns", 1234567: "1.235ms", 450 * time.Millisecond: "450ms", 150*time.Microsecond + 3: "150µs"} {
		if err := (&overdueError{bound: 1, took: took}); err.Error() != "the answer took "+want+", more than the bound of 1ns" {
			t.Errorf("%v: %v, want %s", took, err, want)
		}
	}
}
