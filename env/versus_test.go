package env_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// asked is an opponent made of a function.
type asked func(s *mancala.State, rng *rand.Rand) (mancala.Action, error)

func (f asked) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return f(s, rng)
}

// randomOpponent plays at random, and spoils the state that it is given.
func randomOpponent(g mancala.Game) env.Opponent {
	return asked(func(s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
		legal := g.AppendLegal(nil, s)
		*s = mancala.State{}
		return legal[rng.IntN(len(legal))], nil
	})
}

func newVersus(tb testing.TB, g mancala.Game, o env.VersusOptions) *env.Versus {
	tb.Helper()
	v, err := env.NewVersus(g, randomOpponent(g), o)
	must(tb, err)
	return v
}

// playVersus plays an episode of a random learner and calls visit after the reset, with no action, and after each step.
func playVersus(t *testing.T, v *env.Versus, seed uint64, visit func(a mancala.Action, step env.Timestep)) {
	t.Helper()
	step, err := v.Reset(t.Context(), seed)
	must(t, err)
	visit(-1, step)
	for !step.Terminated && !step.Truncated {
		a, err := v.SampleAction()
		must(t, err)
		step, err = v.Step(t.Context(), a)
		must(t, err)
		visit(a, step)
	}
}

// masked lists the actions of a mask.
func masked(mask []bool) (actions []mancala.Action) {
	for a, legal := range mask {
		if legal {
			actions = append(actions, mancala.Action(a))
		}
	}
	return actions
}

var seats = []env.Seat{env.SouthSeat, env.NorthSeat, env.AlternatingSeat, env.RandomSeat}

func TestVersusShowsALearnerItsOwnGame(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		observer, err := env.NewObserver(g)
		must(t, err)
		want := make([]float32, observer.Size())
		mask := make([]bool, g.Actions())
		for _, seat := range seats {
			v := newVersus(t, g, env.VersusOptions{Seat: seat})
			for episode := range uint64(6) {
				shadow := g.Start() // played by hand
				play := func(actions ...mancala.Action) {
					for _, a := range actions {
						_, err := g.Play(&shadow, a)
						must(t, err)
					}
				}
				steps := 0
				playVersus(t, v, episode, func(a mancala.Action, step env.Timestep) {
					learner := v.Learner()
					if a >= 0 {
						steps++
						play(a)
					}
					for _, reply := range v.Replies() {
						if shadow.Player == learner {
							t.Fatal("the opponent plays for the learner")
						}
						play(reply)
					}
					if v.State() != shadow {
						t.Fatalf("the game is at %+v, the learner's and the opponent's actions lead to %+v", v.State(), shadow)
					}
					if step.Terminated != shadow.Over() || !step.Terminated && (shadow.Player != learner || step.Info.Player != learner) {
						t.Fatalf("%s is to act at %+v, and the learner is %s", step.Info.Player, shadow, learner)
					}
					seen := shadow
					seen.Player = learner
					observer.Observe(want, &seen)
					if !slices.Equal(step.Observation, want) {
						t.Fatalf("the observation is not from the side of %s at %+v", learner, shadow)
					}
					reward := 0.0
					if step.Terminated {
						reward = env.Outcome(mancala.Margin(g, &shadow, learner))
					}
					if step.Reward != reward || step.Rewards[learner] != reward || step.Rewards[learner.Other()] != -reward {
						t.Fatalf("rewards %v, %v for the learner %s, want %v", step.Rewards, step.Reward, learner, reward)
					}
					if step.Info.Steps != steps {
						t.Fatalf("%d steps, the learner made %d", step.Info.Steps, steps)
					}
					v.ActionMask(mask)
					var legal []mancala.Action
					if !step.Terminated {
						legal = g.AppendLegal(nil, &shadow)
					}
					if !slices.Equal(v.Legal(), legal) || !slices.Equal(masked(mask), legal) {
						t.Fatalf("legal are %v, and %v by the mask, want %v", v.Legal(), masked(mask), legal)
					}
				})
			}
		}
	})
}

func TestVersusSeatsTheLearner(t *testing.T) {
	g, err := games.Open("kiothi", "")
	must(t, err)
	for seat, want := range map[env.Seat]string{env.SouthSeat: "SSSSSSSS", env.NorthSeat: "NNNNNNNN", env.AlternatingSeat: "SNSNSNSN"} {
		v := newVersus(t, g, env.VersusOptions{Seat: seat})
		got := ""
		for range 8 {
			step, err := v.Reset(t.Context(), 1)
			must(t, err)
			got += v.Learner().String()[:1]
			if opening := len(v.Replies()); (opening > 2) != (v.Learner() == mancala.North) {
				t.Errorf("as %s, the opponent makes %d steps first", v.Learner(), opening)
			}
			if step.Info.Turn != (mancala.Turn{}) || step.Info.TurnOver {
				t.Errorf("after a reset the learner has made a step: %+v", step.Info)
			}
		}
		if got != want {
			t.Errorf("seat %s gives %s, want %s", seat, got, want)
		}
		if read, err := env.ParseSeat(seat.String()); err != nil || read != seat {
			t.Errorf("seat %s reads back as %s, %v", seat, read, err)
		}
	}
	v := newVersus(t, g, env.VersusOptions{Seat: env.RandomSeat})
	south := 0
	for seed := range uint64(200) {
		_, err := v.Reset(t.Context(), seed)
		must(t, err)
		first := v.Learner()
		if _, err = v.Reset(t.Context(), seed); err != nil || v.Learner() != first {
			t.Fatalf("seed %d seats the learner as %s and as %s, %v", seed, first, v.Learner(), err)
		}
		if first == mancala.South {
			south++
		}
	}
	if south < 70 || south > 130 {
		t.Errorf("the learner is South in %d of 200 episodes", south)
	}
}

func TestVersusEpisodesDependOnTheirSeed(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		v := newVersus(t, g, env.VersusOptions{Seat: env.RandomSeat})
		episode := func(seed uint64) (actions []mancala.Action) {
			playVersus(t, v, seed, func(a mancala.Action, _ env.Timestep) {
				actions = append(append(actions, a), v.Replies()...)
			})
			return actions
		}
		first := episode(3)
		if other := episode(4); reflect.DeepEqual(first, other) {
			t.Error("seeds 3 and 4 give the same episode")
		}
		if again := episode(3); !reflect.DeepEqual(first, again) {
			t.Error("seed 3 gives two episodes")
		}
	})
}

func TestTheOpponentsChanceIsNewInEachStep(t *testing.T) {
	g, err := games.Open("kiothi", "")
	must(t, err)
	drawn := map[uint64]bool{}
	choices := 0
	v, err := env.NewVersus(g, asked(func(s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
		choices++
		drawn[rng.Uint64()] = true
		return g.AppendLegal(nil, s)[0], nil
	}), env.VersusOptions{})
	must(t, err)
	for seed := range uint64(5) {
		playVersus(t, v, seed, func(mancala.Action, env.Timestep) {})
	}
	if len(drawn) != choices || choices < 50 {
		t.Errorf("%d different numbers drawn for %d choices", len(drawn), choices)
	}
}

func TestVersusIsTruncatedWhereTheLearnerWouldAct(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		cut := 0
		for _, seat := range seats {
			v := newVersus(t, g, env.VersusOptions{Seat: seat, Options: env.Options{StepLimit: 9}})
			playVersus(t, v, 1, func(_ mancala.Action, step env.Timestep) {
				if step.Truncated != (step.Info.Steps == 9 && !step.Terminated) {
					t.Fatalf("truncated %v, terminated %v after %d of 9 steps", step.Truncated, step.Terminated, step.Info.Steps)
				}
				if step.Truncated {
					cut++
					if step.Info.Player != v.Learner() || step.Reward != 0 {
						t.Errorf("cut short with %s to act, the learner being %s, and reward %v", step.Info.Player, v.Learner(), step.Reward)
					}
				}
			})
			if _, err := v.Step(t.Context(), 0); !errors.Is(err, env.ErrNotRunning) {
				t.Errorf("a step after the end: %v, want ErrNotRunning", err)
			}
		}
		if cut == 0 {
			t.Error("no episode was cut short")
		}
	})
	// A game that ends in the opponent's reply to the last step is over, not cut short.
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	v := newVersus(t, g, env.VersusOptions{Options: env.Options{StepLimit: 1, Position: "0,0,0,0,1,0/0,0,0,0,0,1 - 20-20 S sow 98"}})
	playVersus(t, v, 1, func(a mancala.Action, step env.Timestep) {
		if a >= 0 && (!step.Terminated || step.Truncated || step.Info.Reason != mancala.Exhausted) {
			t.Errorf("the last step: %+v; want terminated, not truncated", step)
		}
	})
}

func TestVersusMayEndBeforeTheLearnerActs(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	v := newVersus(t, g, env.VersusOptions{Seat: env.NorthSeat, Options: env.Options{Position: "0,0,0,0,0,1/0,0,0,0,0,0 - 20-27 S sow 99"}})
	step, err := v.Reset(t.Context(), 1)
	must(t, err)
	if !step.Terminated || step.Reward != 1 || len(v.Replies()) != 1 {
		t.Errorf("got %+v after %v, want North's win", step, v.Replies())
	}
	if _, err := v.SampleAction(); !errors.Is(err, env.ErrNotRunning) {
		t.Errorf("a sample after the end: %v, want ErrNotRunning", err)
	}
}

func TestAnIllegalActionOfTheLearnerChangesNothing(t *testing.T) {
	g, err := games.Open("kiothi", "")
	must(t, err)
	v := newVersus(t, g, env.VersusOptions{})
	_, err = v.Reset(t.Context(), 1)
	must(t, err)
	before := v.State()
	var illegal *mancala.IllegalError
	if _, err := v.Step(t.Context(), 0); !errors.As(err, &illegal) {
		t.Errorf("sowing in the opening: %v, want an IllegalError", err)
	}
	if v.State() != before {
		t.Error("the illegal action changed the position")
	}
	_, err = v.Step(t.Context(), v.Legal()[0])
	must(t, err)
}

func TestAnOpponentThatFailsEndsTheGame(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	broken := errors.New("out of order")
	for _, c := range []struct {
		opponent asked
		want     []string
	}{
		{func(*mancala.State, *rand.Rand) (mancala.Action, error) { return 0, broken },
			[]string{"the opponent failed as North in rio-kadalis standard, position \"", "out of order"}},
		{func(*mancala.State, *rand.Rand) (mancala.Action, error) { return 77, nil },
			[]string{"the opponent chose an illegal action as North in rio-kadalis standard, position \"", "illegal action 77"}},
	} {
		v, err := env.NewVersus(g, c.opponent, env.VersusOptions{})
		must(t, err)
		_, err = v.Reset(t.Context(), 1)
		must(t, err)
		_, err = v.Step(t.Context(), 0)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want an error with %q", err, want)
			}
		}
		if _, err := v.Step(t.Context(), 0); !errors.Is(err, env.ErrNotRunning) {
			t.Errorf("another step: %v, want ErrNotRunning", err)
		}
		_, err = v.Reset(t.Context(), 1)
		must(t, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	v := newVersus(t, g, env.VersusOptions{})
	_, err = v.Reset(ctx, 1)
	must(t, err)
	cancel()
	if _, err := v.Step(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
}

func TestNewVersusRefusesWhatCannotBePlayed(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	for _, c := range []struct {
		opponent env.Opponent
		options  env.VersusOptions
		want     string
	}{
		{nil, env.VersusOptions{}, "no opponent"},
		{randomOpponent(g), env.VersusOptions{Seat: 4}, "seat 4"},
		{randomOpponent(g), env.VersusOptions{Options: env.Options{StepLimit: -1}}, "step limit -1"},
	} {
		if _, err := env.NewVersus(g, c.opponent, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
	}
	if got := env.Seat(-1).String(); got != "Seat(-1)" {
		t.Errorf("what is no seat is written %q", got)
	}
	if _, err := env.ParseSeat("nort"); err == nil || !strings.Contains(err.Error(), `did you mean "north"`) {
		t.Errorf("a slip: %v", err)
	}
}

func ExampleVersus() {
	game, _ := games.Open("rio-kadalis", "")
	first := asked(func(s *mancala.State, _ *rand.Rand) (mancala.Action, error) { // package agent has better ones
		return game.AppendLegal(nil, s)[0], nil
	})
	var statistics env.Statistics
	v, err := env.NewVersus(game, first, env.VersusOptions{Seat: env.AlternatingSeat, Options: env.Options{Ended: statistics.Add}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for seed := range uint64(100) {
		step, err := v.Reset(ctx, seed)
		for err == nil && !step.Terminated {
			a, _ := v.SampleAction() // the learner's policy goes here
			step, err = v.Step(ctx, a)
		}
	}
	fmt.Println(statistics.Learner.Wins+statistics.Learner.Draws+statistics.Learner.Losses, "games")
	// Output: 100 games
}
