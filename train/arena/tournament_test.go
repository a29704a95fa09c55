package arena

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
	"kiothi/env/trace"
)

var open = gamestest.Open

func contender(t testing.TB, g mancala.Game, spec string) Contender {
	t.Helper()
	a, err := scripted.Kinds().Open(g, spec)
	if err != nil {
		t.Fatal(err)
	}
	return Contender{spec, a}
}

func mustMatch(t testing.TB, g mancala.Game, a, b Contender, o Options) *Result {
	t.Helper()
	r, err := Match(t.Context(), g, a, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// everyGame runs a test on each game, and on one without an opening turn though the others have it.
func everyGame(t *testing.T, test func(t *testing.T, g mancala.Game)) {
	for _, c := range [][2]string{{"kiothi", ""}, {"kiothi", "mancala-world,lifts=0"}, {"kiothi", "wikipedia-it"}, {"rio-kadalis", ""}, {"rio-kadalis", "five-holes"}} {
		g := open(t, c[0], c[1])
		t.Run(g.Name()+" "+g.Rules(), func(t *testing.T) { test(t, g) })
	}
}

// batched lets an agent answer as a batch, and counts how.
type batched struct {
	agent.Agent
	mutex            sync.Mutex
	batches, largest int
}

func (b *batched) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error {
	b.mutex.Lock()
	b.batches++
	b.largest = max(b.largest, len(states))
	b.mutex.Unlock()
	for i := range states {
		var err error
		if actions[i], err = b.Choose(ctx, &states[i], rngs[i]); err != nil {
			return err
		}
	}
	return nil
}

// asked is an agent made of a function.
type asked func(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error)

func (f asked) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	return f(ctx, s, rng)
}

func TestEqualAgentsScoreOneHalfWithinTheInterval(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		r := mustMatch(t, g, contender(t, g, "random"), contender(t, g, "random"), Options{Games: 400, Seed: 1})
		if r.Low > 0.5 || r.High < 0.5 {
			t.Errorf("random scores %.3f (%.3f to %.3f) against random", r.Score, r.Low, r.High)
		}
		if r.Distinct != 400 {
			t.Errorf("%d of 400 random games are distinct", r.Distinct)
		}
	})
}

func TestGreedyBeatsRandom(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		r := mustMatch(t, g, contender(t, g, "greedy"), contender(t, g, "random"), Options{Games: 200, Seed: 1})
		back := mustMatch(t, g, contender(t, g, "random"), contender(t, g, "greedy"), Options{Games: 200, Seed: 1})
		if r.Low <= 0.5 || back.High >= 0.5 || r.MeanMargin <= 0 || back.MeanMargin >= 0 {
			t.Errorf("greedy scores %.3f from %.3f up against random, and leaves it %.3f up to %.3f", r.Score, r.Low, back.Score, back.High)
		}
	})
}

func TestAMatchIsTheSameForAnyWorkersGamesAtOnceAndBatching(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		greedy, random := contender(t, g, "greedy"), contender(t, g, "random")
		want := mustMatch(t, g, greedy, random, Options{Games: 40, Seed: 7, Workers: 1, Concurrent: 1})
		for _, o := range []Options{
			{Games: 40, Seed: 7, Workers: 1, Concurrent: 64},
			{Games: 40, Seed: 7, Workers: 8, Concurrent: 7},
			{Games: 40, Seed: 7, Workers: 3, Concurrent: 40},
			{Games: 40, Seed: 7},
		} {
			batch := &batched{Agent: greedy.Agent}
			for _, a := range []Contender{greedy, {"greedy", batch}} {
				if diff := cmp.Diff(want, mustMatch(t, g, a, random, o)); diff != "" {
					t.Fatalf("workers %d, concurrent %d (-one by one +this):\n%s", o.Workers, o.Concurrent, diff)
				}
			}
			if o.Concurrent > 20 && batch.largest < 15 {
				t.Errorf("with %d games at once the largest batch has %d states", o.Concurrent, batch.largest)
			}
		}
		other := mustMatch(t, g, greedy, random, Options{Games: 40, Seed: 8})
		if cmp.Equal(want.Played, other.Played) {
			t.Error("another seed gives the same games")
		}
	})
}

func TestEachOpeningIsPlayedFromBothSeats(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		o := Options{Games: 60, Seed: 3}
		openings, err := drawOpenings(t.Context(), g, o)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[mancala.State]bool{}
		r := mustMatch(t, g, contender(t, g, "random"), contender(t, g, "greedy"), o)
		for i, p := range r.Played {
			opening := openings[i/2]
			if p.Number != i || p.First != mancala.Player(i%2) {
				t.Fatalf("game %d is number %d and seats the first contender as %v", i, p.Number, p.First)
			}
			if n := len(opening.actions); n == 0 || !slices.Equal(p.Actions[:n], opening.actions) {
				t.Fatalf("game %d begins with %v, want the opening %v", i, p.Actions, opening.actions)
			}
			if opening.state.Opening != 0 || opening.state.Phase != mancala.Sow || opening.state.Over() {
				t.Fatalf("after the opening the position is %q", g.Format(&opening.state))
			}
			seen[opening.state] = true
		}
		if len(seen) != 30 {
			t.Errorf("%d of 30 openings are distinct", len(seen))
		}
		if r.South.Games() != 30 || r.North.Games() != 30 {
			t.Errorf("%d games as South and %d as North, want 30 each", r.South.Games(), r.North.Games())
		}
	})
}

func TestOpeningsComeBackOnlyWhenTheyRunOut(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	openings, err := drawOpenings(t.Context(), g, Options{Games: 4000})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[mancala.State]int{}
	for i, o := range openings {
		if counts[o.state]++; i < 400 && counts[o.state] > 1 {
			t.Fatalf("opening %d has come before, though there are 627", i)
		}
	}
	if len(counts) < 550 {
		t.Errorf("%d different openings in 2000, want nearly all of 627", len(counts))
	}
}

// first always plays the first legal action.
func first(g mancala.Game) agent.Agent {
	return asked(func(_ context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
		return g.AppendLegal(nil, s)[0], nil
	})
}

func TestGamesThatRepeatAreNotCountedAsDistinct(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	a := Contender{"first", first(g)}
	if r := mustMatch(t, g, a, a, Options{Games: 20, Openings: OwnOpenings}); r.Distinct != 1 {
		t.Errorf("%d distinct games, want 1 from one start without chance", r.Distinct)
	}
	if r := mustMatch(t, g, a, a, Options{Games: 20}); r.Distinct != 10 {
		t.Errorf("%d distinct games, want 10: the two of a pair are alike", r.Distinct)
	}
}

func TestOwnOpeningsStartFromTheStart(t *testing.T) {
	g := open(t, "kiothi", "")
	var lifted atomic.Int64
	counting := Contender{"counting", asked(func(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
		if s.Phase == mancala.Lift {
			lifted.Add(1)
		}
		return scripted.Random{Game: g}.Choose(ctx, s, rng)
	})}
	mustMatch(t, g, counting, contender(t, g, "random"), Options{Games: 10, Openings: OwnOpenings})
	if lifted.Load() != 20 {
		t.Errorf("the agent was asked %d times to lift, want twice in each of 10 games", lifted.Load())
	}
}

func TestAnAgentThatFailsEndsTheMatchWithAClearError(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	broken := errors.New("out of order")
	for _, c := range []struct {
		name string
		bad  func(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error)
		want []string
	}{
		{"fails", func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) { return 0, broken },
			[]string{"agent bad failed", "game 0 as South", "rio-kadalis standard", "position \"", "out of order"}},
		{"illegal", func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) { return 77, nil },
			[]string{"agent bad chose an illegal action", "game 0 as South", "position \"", "77"}},
		{"negative", func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) { return -1, nil },
			[]string{"agent bad chose an illegal action"}},
	} {
		for _, a := range []agent.Agent{asked(c.bad), &batched{Agent: asked(c.bad)}} {
			r, err := Match(t.Context(), g, Contender{"bad", a}, contender(t, g, "random"), Options{Games: 100, Workers: 4})
			if err == nil || r != nil {
				t.Fatalf("%s: got %v, %v, want an error alone", c.name, r, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %q lacks %q", c.name, err, want)
				}
			}
		}
	}
}

func TestAnAgentCannotChangeTheGame(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	vandal := Contender{"vandal", asked(func(_ context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
		legal := g.AppendLegal(nil, s)
		*s = mancala.State{}
		return legal[rng.IntN(len(legal))], nil
	})}
	want := mustMatch(t, g, contender(t, g, "random"), contender(t, g, "random"), Options{Games: 10})
	got := mustMatch(t, g, vandal, contender(t, g, "random"), Options{Games: 10})
	if diff := cmp.Diff(want.Played, got.Played); diff != "" {
		t.Errorf("(-random +random that writes into its state):\n%s", diff)
	}
}

func TestAStoppedMatchReturnsTheFinishedPairs(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := Options{Games: 1000, Concurrent: 3, Progress: func(done int) {
		if done >= 20 {
			cancel()
		}
	}}
	r, err := Match(ctx, g, contender(t, g, "random"), contender(t, g, "random"), o)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want a cancelled match", err)
	}
	if r == nil || r.Games < 16 || r.Games > 24 || r.Games%2 != 0 || r.South.Games() != r.North.Games() {
		t.Errorf("got %+v, want the pairs among some 20 finished games", r)
	}
	waiting := Contender{"waiting", asked(func(ctx context.Context, _ *mancala.State, _ *rand.Rand) (mancala.Action, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	})}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := Match(ctx, g, waiting, waiting, Options{Games: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v from an agent that waits, want a cancelled match", err)
	}
	// Half a million openings take many seconds to draw.
	if _, err := Match(ctx, g, waiting, waiting, Options{Games: MaxGames}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while the openings are drawn, want a cancelled match", err)
	}
}

func TestOptionsThatCannotBePlayedAreRefused(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for _, o := range []Options{{}, {Games: 3}, {Games: -2}, {Games: MaxGames + 2}, {Games: math.MaxInt - 1}, {Games: 2, Warrior: 3}, {Games: 2, Workers: -1}, {Games: 2, Concurrent: -1}} {
		if _, err := Match(t.Context(), g, contender(t, g, "random"), contender(t, g, "random"), o); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
}

func TestProgressCountsUpToAllGames(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	last := 0
	mustMatch(t, g, contender(t, g, "random"), contender(t, g, "random"), Options{Games: 50, Concurrent: 8, Progress: func(done int) {
		if done <= last {
			t.Errorf("progress went from %d to %d", last, done)
		}
		last = done
	}})
	if last != 50 {
		t.Errorf("progress ended at %d, want 50", last)
	}
}

func TestWrittenGamesReplayToTheSameEnd(t *testing.T) {
	everyGame(t, func(t *testing.T, g mancala.Game) {
		table := mustRoundRobin(t, g, []string{"greedy", "random"}, Options{Games: 6})
		r := table.Matches[0]
		var lines, answers bytes.Buffer
		if err := table.WriteGames(&lines); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(lines.String(), `"note":"game 1, South random, North greedy: `) {
			t.Errorf("the lines do not say who played: %s", lines.String())
		}
		if n := strings.Count(lines.String(), "\n"); n != 6 {
			t.Errorf("%d lines, want 6", n)
		}
		if failed, err := trace.Batch(&lines, &answers, games.Open); failed != 0 || err != nil {
			t.Fatalf("%d lines failed, %v: %s", failed, err, answers.String())
		}
		for i, answer := range strings.Split(strings.TrimSpace(answers.String()), "\n") {
			want := fmt.Sprintf(`"over":true,"reason":%q,"stores":[%d,%d]`, r.Played[i].Reason, r.Played[i].Stores[0], r.Played[i].Stores[1])
			if !strings.Contains(answer, want) {
				t.Errorf("game %d does not replay to %s", i, want)
			}
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	g := open(b, "kiothi", "")
	random := contender(b, g, "random")
	for b.Loop() {
		mustMatch(b, g, random, random, Options{Games: 256, Workers: runtime.GOMAXPROCS(0)})
	}
	b.ReportMetric(float64(256*b.N)/b.Elapsed().Seconds(), "games/s")
}
