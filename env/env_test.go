package env_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// rules lists rule sets that between them have every option on and off that the observation depends on.
var rules = []struct{ game, rules string }{
	{"kiothi", "mancala-world"}, {"kiothi", "mancala-world-25"}, {"kiothi", "mancala-world-de"},
	{"kiothi", "mancala-world-eu"}, {"kiothi", "wikipedia-it"}, {"kiothi", "mancala-world,start=4x6,lifts=0"},
	{"kiothi", "mancala-world,lifts=0+1+2,protection=unmoved,no_capture_limit=20"},
	{"rio-kadalis", "standard"}, {"rio-kadalis", "five-holes"}, {"rio-kadalis", "clockwise,no_capture_limit=12"},
}

func forEachRules(t *testing.T, test func(t *testing.T, g mancala.Game)) {
	for _, r := range rules {
		t.Run(r.game+"/"+r.rules, func(t *testing.T) {
			g, err := games.Open(r.game, r.rules)
			if err != nil {
				t.Fatal(err)
			}
			test(t, g)
		})
	}
}

func newEnv(t *testing.T, g mancala.Game, o env.Options) *env.Env {
	t.Helper()
	e, err := env.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// play runs random games and calls visit after the reset and each step.
func play(t *testing.T, e *env.Env, episodes int, visit func(env.Timestep)) {
	t.Helper()
	for seed := range uint64(episodes) {
		step := e.Reset(seed)
		visit(step)
		for !step.Terminated && !step.Truncated {
			a, err := e.SampleAction()
			if err != nil {
				t.Fatal(err)
			}
			if step, err = e.Step(a); err != nil {
				t.Fatal(err)
			}
			visit(step)
		}
	}
}

func TestObservationIsLossless(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		observer, err := env.NewObserver(g)
		if err != nil {
			t.Fatal(err)
		}
		play(t, e, 8, func(step env.Timestep) {
			if !e.ObservationSpace().Contains(step.Observation) {
				t.Fatalf("observation %v is not in %v", step.Observation, e.ObservationSpace())
			}
			want := e.State()
			got, err := observer.State(step.Observation, step.Info.Player)
			if err != nil || got != want {
				t.Fatalf("rebuilt %+v (%v)\n   want %+v\n%s", got, err, want, g.Format(&want))
			}
		})
	})
}

func TestObservationDoesNotTellTheSeatsApart(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		observer, err := env.NewObserver(g)
		if err != nil {
			t.Fatal(err)
		}
		swappedObservation := make([]float32, observer.Size())
		play(t, e, 4, func(step env.Timestep) {
			swapped := e.State().Swapped(g.Width())
			observer.Observe(swappedObservation, &swapped)
			if !slices.Equal(step.Observation, swappedObservation) {
				state := e.State()
				t.Fatalf("observation changes with the sides in %s", g.Format(&state))
			}
			got, err := observer.State(step.Observation, swapped.Player)
			if err != nil || got != swapped {
				t.Fatalf("rebuilt for the other seat: %+v (%v), want %+v", got, err, swapped)
			}
		})
	})
}

func TestDifferentPositionsAreObservedDifferently(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		seen := map[string]mancala.State{}
		play(t, e, 6, func(step env.Timestep) {
			var key strings.Builder
			for _, v := range step.Observation {
				key.WriteString(" ")
				key.WriteString(strconv.FormatFloat(float64(v), 'g', -1, 32))
			}
			s := e.State()
			if s.Player == mancala.North {
				s = s.Swapped(g.Width())
			}
			if other, ok := seen[key.String()]; ok && other != s {
				t.Fatalf("%+v and %+v look the same", other, s)
			}
			seen[key.String()] = s
		})
	})
}

func TestMaskIsWhatStepAccepts(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		e := newEnv(t, g, env.Options{})
		mask := make([]bool, e.ActionSpace().N)
		rng := rand.New(rand.NewPCG(3, 3))
		steps := 0
		play(t, e, 1, func(step env.Timestep) {
			if step.Info.Steps != steps {
				t.Fatalf("after %d legal steps, %d are counted", steps, step.Info.Steps)
			}
			steps++
			e.ActionMask(mask)
			if step.Terminated {
				if slices.Contains(mask, true) {
					t.Fatal("actions are left after the end")
				}
				return
			}
			before := e.State()
			for range 20 {
				a := mancala.Action(rng.IntN(len(mask)+2) - 1)
				if a >= 0 && int(a) < len(mask) && mask[a] {
					continue
				}
				_, err := e.Step(a)
				var illegal *mancala.IllegalError
				if !errors.As(err, &illegal) {
					t.Fatalf("action %d outside the mask: %v, want an IllegalError", a, err)
				}
				if e.State() != before {
					t.Fatalf("the illegal action %d changed the state", a)
				}
			}
			for a, legal := range mask {
				if !legal {
					continue
				}
				s := before
				if _, err := g.Play(&s, mancala.Action(a)); err != nil {
					t.Fatalf("action %d inside the mask: %v", a, err)
				}
			}
		})
	})
}

func TestRewardsComeAtTheEndAndAddUpToZero(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		for _, name := range env.RewardNames {
			reward, err := env.ParseReward(name, g)
			if err != nil {
				t.Fatal(err)
			}
			e := newEnv(t, g, env.Options{Reward: reward})
			player := mancala.South
			play(t, e, 2, func(step env.Timestep) {
				if step.Rewards[0]+step.Rewards[1] != 0 {
					t.Fatalf("%s: rewards %v do not add up to zero", name, step.Rewards)
				}
				if !step.Terminated && step.Rewards != [2]float64{} {
					t.Fatalf("%s: rewards %v before the end", name, step.Rewards)
				}
				if step.Terminated {
					stores := step.Info.Stores
					if stores[0]+stores[1] != g.Seeds() {
						t.Fatalf("final stores %v do not add up to %d", stores, g.Seeds())
					}
					if want := reward(stores[player] - stores[player.Other()]); step.Reward != want {
						t.Fatalf("%s: reward %v of the last to act, %s, for stores %v; want %v", name, step.Reward, player, stores, want)
					}
				}
				player = step.Info.Player
			})
		}
	})
}

func TestWhoActsNextIsExplicit(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	e := newEnv(t, g, env.Options{})
	step := e.Reset(1)
	turns := 0
	for !step.Terminated {
		acting := step.Info.Player
		a, err := e.SampleAction()
		if err != nil {
			t.Fatal(err)
		}
		if step, err = e.Step(a); err != nil {
			t.Fatal(err)
		}
		if changed := step.Info.Player != acting; step.Info.TurnOver != (changed || step.Terminated) {
			t.Fatalf("step %d: turn over %v, but %s acted and %s acts next", step.Info.Steps, step.Info.TurnOver, acting, step.Info.Player)
		}
		if step.Info.TurnOver {
			turns++
		}
		if step.Info.Turns != turns {
			t.Fatalf("step %d: %d turns, counted %d", step.Info.Steps, step.Info.Turns, turns)
		}
	}
	if step.Info.Steps < turns+10 {
		t.Errorf("%d steps in %d turns: the opening's turns have several steps", step.Info.Steps, turns)
	}
}

func TestTruncationIsToldApartFromTermination(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	e := newEnv(t, g, env.Options{StepLimit: 3})
	var last env.Timestep
	play(t, e, 1, func(step env.Timestep) { last = step })
	if last.Terminated || !last.Truncated || last.Info.Steps != 3 || last.Rewards != [2]float64{} {
		t.Errorf("after a limit of 3 steps: %+v", last)
	}
	if _, err := e.Step(0); !errors.Is(err, env.ErrNotRunning) {
		t.Errorf("a step after truncation: %v, want ErrNotRunning", err)
	}
	// A game whose last step is also the limit's is over, not cut short.
	e = newEnv(t, g, env.Options{StepLimit: 1, Position: "0,0,0,0,0,1/0,0,0,0,0,0 - 20-20 S sow 99"})
	e.Reset(0)
	step, err := e.Step(5)
	if err != nil || !step.Terminated || step.Truncated {
		t.Errorf("the last step: %+v, %v; want terminated, not truncated", step, err)
	}
}

func TestEqualSeedsGiveEqualGames(t *testing.T) {
	forEachRules(t, func(t *testing.T, g mancala.Game) {
		episode := func(seed uint64) (states []mancala.State) {
			e := newEnv(t, g, env.Options{})
			for step := e.Reset(seed); !step.Terminated; {
				a, err := e.SampleAction()
				if err != nil {
					t.Fatal(err)
				}
				if step, err = e.Step(a); err != nil {
					t.Fatal(err)
				}
				states = append(states, e.State())
			}
			return states
		}
		if !slices.Equal(episode(5), episode(5)) {
			t.Error("seed 5 gives two games")
		}
		if slices.Equal(episode(5), episode(6)) {
			t.Error("seeds 5 and 6 give the same game")
		}
	})
}

func TestStepBeforeResetAndAfterTheEnd(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	e := newEnv(t, g, env.Options{})
	if _, err := e.Step(0); !errors.Is(err, env.ErrNotRunning) {
		t.Errorf("a step before the first reset: %v, want ErrNotRunning", err)
	}
	if _, err := e.SampleAction(); !errors.Is(err, env.ErrNotRunning) {
		t.Errorf("a sample before the first reset: %v, want ErrNotRunning", err)
	}
	play(t, e, 1, func(env.Timestep) {})
	if _, err := e.Step(0); !errors.Is(err, env.ErrNotRunning) {
		t.Errorf("a step after the end: %v, want ErrNotRunning", err)
	}
	if step := e.Reset(1); step.Terminated || step.Info.Steps != 0 {
		t.Errorf("after another reset: %+v", step)
	}
}

func TestNewRefusesWhatNoGameCanStartFrom(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		options env.Options
		want    string
	}{
		{env.Options{StepLimit: -1}, "step limit -1"},
		{env.Options{Position: "nonsense"}, "nonsense"},
		{env.Options{Position: "0,0,0,0,0,0/0,0,0,0,0,1 - 20-20 S sow 0"}, "is over (stuck)"},
	} {
		if _, err := env.New(g, c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want an error with %q", c.options, err, c.want)
		}
	}
}

func TestNoEnvironmentIsOfNoGame(t *testing.T) {
	_, single := env.New(nil, env.Options{})
	_, versus := env.NewVersus(nil, randomOpponent(nil), env.VersusOptions{})
	_, match := env.NewMatch(nil, env.MatchOptions{Games: 1})
	_, competition := env.NewCompetition(nil, env.CompetitionOptions{})
	for of, err := range map[string]error{"New": single, "NewVersus": versus, "NewMatch": match, "NewCompetition": competition} {
		if err == nil || !strings.Contains(err.Error(), "the game is nil") {
			t.Errorf("%s of no game: %v, want an error that says so", of, err)
		}
	}
}

func TestObserverRefusesWhatIsNoObservation(t *testing.T) {
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	observer, err := env.NewObserver(g)
	if err != nil {
		t.Fatal(err)
	}
	start := g.Start()
	good := make([]float32, observer.Size())
	observer.Observe(good, &start)
	for name, spoil := range map[string]func([]float32) []float32{
		"too short":               func(x []float32) []float32 { return x[1:] },
		"out of bounds":           func(x []float32) []float32 { x[0] = 2; return x },
		"not a number":            func(x []float32) []float32 { x[0] = float32(math.NaN()); return x },
		"too many seeds":          func(x []float32) []float32 { x[0], x[1] = 1, 1; return x },
		"an unlawful hand":        func(x []float32) []float32 { x[4*20] = 0.5; return x },
		"a part of a seed":        func(x []float32) []float32 { x[0] += 0.003; return x },
		"a part of a mark":        func(x []float32) []float32 { x[20] = 0.2; return x },
		"lifted by a part":        func(x []float32) []float32 { x[2*20] = 0.9; return x },
		"an enemy's pit lifted":   func(x []float32) []float32 { x[2*20+19] = 1; return x },
		"stores not all the same": func(x []float32) []float32 { x[5*20+1] = 0.5; return x },
		"half a phase":            func(x []float32) []float32 { x[6*20+3] = 0; return x },
		"two clocks":              func(x []float32) []float32 { x[9*20+7] = 0.5; return x },
	} {
		if s, err := observer.State(spoil(slices.Clone(good)), mancala.South); err == nil {
			t.Errorf("%s: read as %+v", name, s)
		}
	}
	if s, err := observer.State(good, 2); err == nil {
		t.Errorf("observed by player 2: read as %+v", s)
	}
}

func BenchmarkObserve(b *testing.B) {
	for _, name := range games.Names() {
		b.Run(name, func(b *testing.B) {
			g, err := games.Open(name, "")
			if err != nil {
				b.Fatal(err)
			}
			observer, err := env.NewObserver(g)
			if err != nil {
				b.Fatal(err)
			}
			s := g.Start()
			dst := make([]float32, observer.Size())
			b.ReportAllocs()
			for b.Loop() {
				observer.Observe(dst, &s)
			}
		})
	}
}

func BenchmarkStep(b *testing.B) {
	for _, name := range games.Names() {
		b.Run(name, func(b *testing.B) {
			g, err := games.Open(name, "")
			if err != nil {
				b.Fatal(err)
			}
			e, err := env.New(g, env.Options{})
			if err != nil {
				b.Fatal(err)
			}
			mask := make([]bool, e.ActionSpace().N)
			step := e.Reset(1)
			b.ReportAllocs()
			for b.Loop() {
				if step.Terminated {
					step = e.Reset(1)
				}
				e.ActionMask(mask)
				a, err := e.SampleAction()
				if err != nil {
					b.Fatal(err)
				}
				if step, err = e.Step(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
