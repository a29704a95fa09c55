package env_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// An episodic is what Env, Competition and Match have in common.
type episodic interface {
	Game() mancala.Game
	ObservationSpace() env.Box
	ActionSpace() env.Discrete
	Reset(seed uint64) env.Timestep
	Step(a mancala.Action) (env.Timestep, error)
	ActionMask(dst []bool)
	Legal() []mancala.Action
	SampleAction() (mancala.Action, error)
	State() mancala.State
	Render() string
}

var _ = []episodic{(*env.Env)(nil), (*env.Competition)(nil), (*env.Match)(nil)}

// aSeries is a match or a competition, and a function that rebuilds its position from an observation and compares it.
type aSeries struct {
	episodic
	lossless func(t *testing.T, step env.Timestep)
}

// forEachSeries runs a test on competitions and matches of several games, with the given options.
func forEachSeries(t *testing.T, o env.Options, test func(t *testing.T, s aSeries)) {
	for _, rules := range []string{"standard", "five-holes", "clockwise,no_capture_limit=12"} {
		for _, rounds := range []int{1, 3, 0} {
			t.Run(fmt.Sprintf("competition/%s/%d", rules, rounds), func(t *testing.T) { test(t, newCompetition(t, rules, rounds, o)) })
		}
	}
	for _, r := range rules {
		for _, m := range [][2]int{{1, 1}, {4, 2}, {5, 10}} {
			t.Run(fmt.Sprintf("match/%s %s/%d", r.game, r.rules, m), func(t *testing.T) {
				test(t, newMatch(t, r.game, r.rules, m[0], m[1], o))
			})
		}
	}
}

func newCompetition(t *testing.T, rules string, rounds int, o env.Options) aSeries {
	t.Helper()
	g, err := games.Open("rio-kadalis", rules)
	must(t, err)
	c, err := env.NewCompetition(g, env.CompetitionOptions{Options: o, MaxRounds: rounds})
	must(t, err)
	return aSeries{c, func(t *testing.T, step env.Timestep) {
		t.Helper()
		position := c.Position()
		got, err := c.Rebuild(step.Observation, step.Info.Player)
		must(t, err)
		if got.Format() != position.Format() || got.State() != position.State() {
			t.Fatalf("rebuilt %s, want %s", got.Format(), position.Format())
		}
	}}
}

func newMatch(t *testing.T, game, rules string, number, warrior int, o env.Options) aSeries {
	t.Helper()
	g, err := games.Open(game, rules)
	must(t, err)
	m, err := env.NewMatch(g, env.MatchOptions{Options: o, Games: number, Warrior: warrior})
	must(t, err)
	return aSeries{m, func(t *testing.T, step env.Timestep) {
		t.Helper()
		got, err := m.Rebuild(step.Observation, step.Info.Player)
		must(t, err)
		if got != m.Position() {
			t.Fatalf("rebuilt %+v, want %+v", got, m.Position())
		}
	}}
}

// playSeries plays random episodes and calls visit after the reset and each step.
func playSeries(t *testing.T, s episodic, episodes int, visit func(env.Timestep)) {
	t.Helper()
	for seed := range uint64(episodes) {
		step := s.Reset(seed)
		visit(step)
		for !step.Terminated && !step.Truncated {
			a, err := s.SampleAction()
			must(t, err)
			step, err = s.Step(a)
			must(t, err)
			visit(step)
		}
	}
}

func TestObservationOfASeriesIsLossless(t *testing.T) {
	forEachSeries(t, env.Options{}, func(t *testing.T, s aSeries) {
		space := s.ObservationSpace()
		if space.Shape[0] != len(space.Planes) {
			t.Errorf("%d planes described, shape %v", len(space.Planes), space.Shape)
		}
		playSeries(t, s, 2, func(step env.Timestep) {
			if !space.Contains(step.Observation) {
				t.Fatalf("observation %v is not in %v", step.Observation, space)
			}
			s.lossless(t, step)
		})
	})
}

func TestASeriesIsMadeOfRounds(t *testing.T) {
	forEachSeries(t, env.Options{}, func(t *testing.T, s aSeries) {
		g := s.Game()
		round, rounds, steps, turns := 1, 0, 0, 0
		var wins [2]int
		actor := mancala.South
		playSeries(t, s, 2, func(step env.Timestep) {
			info, series := step.Info, step.Info.Series
			if info.Steps == 0 {
				round, rounds, steps, turns, wins = 1, series.Rounds, 0, 0, [2]int{}
			} else {
				steps++
				if info.TurnOver {
					turns++
				}
			}
			if info.Steps != steps || info.Turns != turns {
				t.Fatalf("step %d, turn %d, counted %d, %d", info.Steps, info.Turns, steps, turns)
			}
			if series.Over {
				if !info.TurnOver || series.Stores[0]+series.Stores[1] != g.Seeds() || series.Reason == mancala.Running {
					t.Fatalf("a round is over: %+v", info)
				}
				if series.Stores[0] > series.Stores[1] {
					wins[0]++
				} else if series.Stores[0] < series.Stores[1] {
					wins[1]++
				}
				if !step.Terminated {
					round++
					if want := mancala.Player((round - 1) % 2); info.Player != want || info.Reason != mancala.Running || s.State().End != mancala.Running {
						t.Fatalf("round %d begins with %s, want %s: %+v", round, info.Player, want, info)
					}
				}
			}
			if series.Round != round || series.Rounds != rounds || round > rounds {
				t.Fatalf("round %d of %d, counted %d of %d", series.Round, series.Rounds, round, rounds)
			}
			if step.Terminated {
				if !series.Over {
					t.Fatal("the episode is over, and its round is not")
				}
				score := series.Score
				want := env.Outcome(int(score[0] - score[1]))
				if step.Rewards != [2]float64{want, 0 - want} || step.Reward != step.Rewards[actor] {
					t.Fatalf("rewards %v, and %v of %s, for the score %v", step.Rewards, step.Reward, actor, score)
				}
			} else if step.Rewards != [2]float64{} || step.Reward != 0 {
				t.Fatalf("rewards %v before the end", step.Rewards)
			}
			actor = info.Player
		})
	})
}

func TestMaskOfASeriesIsWhatStepAccepts(t *testing.T) {
	forEachSeries(t, env.Options{}, func(t *testing.T, s aSeries) {
		mask := make([]bool, s.ActionSpace().N)
		rng := newSource(2)
		playSeries(t, s, 1, func(step env.Timestep) {
			s.ActionMask(mask)
			before := s.State()
			for range 5 {
				a := mancala.Action(rng.IntN(len(mask)+2) - 1)
				if a >= 0 && int(a) < len(mask) && mask[a] {
					continue
				}
				_, err := s.Step(a)
				var illegal *mancala.IllegalError
				if want := step.Terminated; errors.Is(err, env.ErrNotRunning) != want || errors.As(err, &illegal) == want {
					t.Fatalf("action %d outside the mask: %v", a, err)
				}
				if s.State() != before {
					t.Fatalf("the illegal action %d changed the state", a)
				}
			}
			for a, legal := range mask {
				if state := before; legal {
					_, err := s.Game().Play(&state, mancala.Action(a))
					must(t, err)
				}
			}
		})
		if slices.Contains(mask, true) {
			t.Error("actions are left after the end")
		}
	})
}

func TestASeriesDependsOnItsSeed(t *testing.T) {
	forEachSeries(t, env.Options{}, func(t *testing.T, s aSeries) {
		episode := func(seed uint64) (states []mancala.State) {
			for step := s.Reset(seed); !step.Terminated; {
				a, err := s.SampleAction()
				must(t, err)
				step, err = s.Step(a)
				must(t, err)
				states = append(states, s.State())
			}
			return states
		}
		first := episode(5)
		if other := episode(6); slices.Equal(first, other) {
			t.Error("seeds 5 and 6 give the same episode")
		}
		if !slices.Equal(episode(5), first) {
			t.Error("seed 5 gives two episodes")
		}
	})
}

func TestASeriesIsTruncatedAsAWhole(t *testing.T) {
	const limit = 150
	k := newKeeper()
	forEachSeries(t, env.Options{StepLimit: limit, Ended: k.add}, func(t *testing.T, s aSeries) {
		told, turns := len(*k.told), 0
		playSeries(t, s, 3, func(step env.Timestep) {
			if step.Info.Steps == 0 {
				turns = 0
			}
			if step.Info.TurnOver {
				turns++
			}
			if step.Truncated != (!step.Terminated && step.Info.Steps == limit) {
				t.Fatalf("truncated %v, terminated %v after %d of %d steps", step.Truncated, step.Terminated, step.Info.Steps, limit)
			}
			if step.Truncated && step.Rewards != [2]float64{} {
				t.Fatalf("rewards %v after truncation", step.Rewards)
			}
			if step.Info.Series.Over {
				told++
			} else if step.Truncated {
				told++ // the round that was cut short
			}
			if told != len(*k.told) {
				t.Fatalf("%d rounds ended, told of %d", told, len(*k.told))
			}
			if step.Info.Series.Over || step.Truncated {
				if last := (*k.told)[told-1]; last.Turns != turns {
					t.Fatalf("a round of %d turns is told of as one of %d", turns, last.Turns)
				}
				turns = 0
			}
		})
		if _, err := s.Step(0); !errors.Is(err, env.ErrNotRunning) {
			t.Errorf("a step after the end: %v, want ErrNotRunning", err)
		}
	})
	k.check(t) // all rounds can be played again
	truncated := 0
	for _, e := range *k.told {
		if e.Truncated {
			truncated++
		}
	}
	if truncated < 10 {
		t.Errorf("%d rounds were cut short: too few to show anything", truncated)
	}
}

func TestTheObservationOfACompetitionSaysWhatMatters(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	c, err := env.NewCompetition(g, env.CompetitionOptions{Options: env.Options{Position: "2/4 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0"}})
	must(t, err)
	step := c.Reset(1)
	plane := map[string][]float32{}
	for i, p := range c.ObservationSpace().Planes {
		plane[p.Name] = step.Observation[12*i : 12*(i+1)]
	}
	rows := func(own, enemy float32) []float32 {
		return append(slices.Repeat([]float32{own}, 6), slices.Repeat([]float32{enemy}, 6)...)
	}
	for name, want := range map[string][]float32{
		"closed": {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, // South's a faces North's rightmost hole
		"owned":  rows(26./48, 22./48),
		"stores": rows(2./48, 2./48),
		"round":  rows(2./4, 2./4),
	} {
		if !slices.Equal(plane[name], want) {
			t.Errorf("plane %s is %v, want %v", name, plane[name], want)
		}
	}
}

func TestACompetitionEndsByRuinOrWithItsRounds(t *testing.T) {
	ends := map[riokadalis.CompetitionEnd]int{}
	for _, rounds := range []int{2, 0} {
		s := newCompetition(t, "standard", rounds, env.Options{})
		c := s.episodic.(*env.Competition)
		playSeries(t, c, 10, func(step env.Timestep) {
			position := c.Position()
			if step.Terminated != (position.End() != riokadalis.Undecided) {
				t.Fatalf("terminated %v, the competition's end is %q", step.Terminated, position.End())
			}
			if step.Terminated {
				ends[position.End()]++
				winner, won := position.Winner()
				if won && step.Rewards[winner] != 1 || !won && step.Rewards != [2]float64{} {
					t.Errorf("rewards %v, the winner is %s, %v", step.Rewards, winner, won)
				}
			}
		})
	}
	if ends[riokadalis.Ruined] == 0 || ends[riokadalis.RoundsSpent] == 0 {
		t.Errorf("the ends were %v, want both kinds", ends)
	}
}

// TestAMatchCountsPoints plays the last turns of games of which the ends are known.
func TestAMatchCountsPoints(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	must(t, err)
	for _, c := range []struct {
		position string // South lifts its last stone, and the clock is full
		warrior  int
		games    int
		points   [2]float64
		rewards  [2]float64
	}{
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 30-17 S sow 99", 1, 1, [2]float64{1, 0}, [2]float64{1, -1}},
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 30-17 S sow 99", 2, 2, [2]float64{1, 1}, [2]float64{0, 0}}, // the sides change
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 22-25 S sow 99", 1, 1, [2]float64{0, 1}, [2]float64{-1, 1}},
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 22-25 S sow 99", 10, 1, [2]float64{0, 10}, [2]float64{-1, 1}},
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 22-25 S sow 99", 10, 3, [2]float64{10, 20}, [2]float64{-1, 1}},
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 22-25 S sow 99", 0, 1, [2]float64{0, 1}, [2]float64{-1, 1}},
		{"0,0,0,0,1,0/0,0,0,0,0,0 - 23-24 S sow 99", 10, 3, [2]float64{1.5, 1.5}, [2]float64{0, 0}},
	} {
		m, err := env.NewMatch(g, env.MatchOptions{Options: env.Options{Position: c.position}, Games: c.games, Warrior: c.warrior})
		must(t, err)
		var last env.Timestep
		playSeries(t, m, 1, func(step env.Timestep) { last = step })
		if m.Points() != c.points || last.Info.Series.Score != c.points || last.Rewards != c.rewards {
			t.Errorf("%d games from %s, warrior weight %d: points %v, rewards %v, want %v, %v",
				c.games, c.position, c.warrior, m.Points(), last.Rewards, c.points, c.rewards)
		}
	}
}

func TestRebuildRefusesWhatIsNoObservation(t *testing.T) {
	c := newCompetition(t, "standard", 4, env.Options{}).episodic.(*env.Competition)
	m := newMatch(t, "rio-kadalis", "", 4, 1, env.Options{}).episodic.(*env.Match)
	good := slices.Clone(c.Reset(1).Observation)
	for name, spoil := range map[string]func(x []float32) []float32{
		"too short":                  func(x []float32) []float32 { return x[1:] },
		"a round beyond the last":    func(x []float32) []float32 { x[5*12+11] = 2; return x },
		"more stones owned than had": func(x []float32) []float32 { x[4*12] = 1; return x },
		"a seed too many":            func(x []float32) []float32 { x[0] = 1; return x },
		"round 0":                    func(x []float32) []float32 { return fill(x[5*12:], 0, x) },
		"two rounds":                 func(x []float32) []float32 { x[5*12] = 0.5; return x },
		"a part of a round":          func(x []float32) []float32 { return fill(x[5*12:], 0.3, x) },
		"owned in one place":         func(x []float32) []float32 { x[4*12+1] = 0; return x },
		"a part of a stone owned":    func(x []float32) []float32 { return fill(x[4*12:4*12+6], x[4*12]+0.003, x) },
		"not a number of rounds":     func(x []float32) []float32 { return fill(x[5*12:], float32(math.NaN()), x) },
	} {
		if p, err := c.Rebuild(spoil(slices.Clone(good)), mancala.South); err == nil {
			t.Errorf("%s: read as %s", name, p.Format())
		}
	}
	if p, err := c.Rebuild(good, 2); err == nil {
		t.Errorf("observed by player 2: read as %s", p.Format())
	}
	good = slices.Clone(m.Reset(1).Observation)
	const points, game = 4 * 12, 5 * 12
	for name, spoil := range map[string]func(x []float32) []float32{
		"too short":                func(x []float32) []float32 { return x[:3] },
		"no number of points":      func(x []float32) []float32 { return fill(x[points:game], float32(math.NaN()), x) },
		"no number of games":       func(x []float32) []float32 { return fill(x[game:], float32(math.NaN()), x) },
		"endless games":            func(x []float32) []float32 { return fill(x[game:], float32(math.Inf(1)), x) },
		"a game before the first":  func(x []float32) []float32 { return fill(x[game:], -7.25, x) },
		"game 0":                   func(x []float32) []float32 { return fill(x[game:], 0, x) },
		"a game beyond the last":   func(x []float32) []float32 { return fill(x[game:], 1.25, x) },
		"a part of a game":         func(x []float32) []float32 { return fill(x[game:], 0.3, x) },
		"two games":                func(x []float32) []float32 { x[game] = 0.5; return x },
		"points before any game":   func(x []float32) []float32 { return fill(x[points:points+6], 0.25, x) },
		"no points after one game": func(x []float32) []float32 { return fill(x[game:], 0.5, x) },
		"a part of a point":        func(x []float32) []float32 { return fill(x[points:points+6], 0.01, x) },
	} {
		if p, err := m.Rebuild(spoil(slices.Clone(good)), mancala.South); err == nil {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
	if p, err := m.Rebuild(good, 2); err == nil {
		t.Errorf("observed by player 2: read as %+v", p)
	}
}

// fill writes a value all over a part of x, and returns x.
func fill(part []float32, v float32, x []float32) []float32 {
	for i := range part {
		part[i] = v
	}
	return x
}

func TestNewSeriesRefusesWhatCannotBePlayed(t *testing.T) {
	rio, err := games.Open("rio-kadalis", "")
	must(t, err)
	kiothi, err := games.Open("kiothi", "")
	must(t, err)
	competition := func(g mancala.Game, o env.CompetitionOptions) error {
		_, err := env.NewCompetition(g, o)
		return err
	}
	match := func(o env.MatchOptions) error {
		_, err := env.NewMatch(rio, o)
		return err
	}
	for want, err := range map[string]error{
		"kiothi has no competition":           competition(kiothi, env.CompetitionOptions{}),
		"a competition of -1 rounds":          competition(rio, env.CompetitionOptions{MaxRounds: -1}),
		"step limit -1":                       competition(rio, env.CompetitionOptions{Options: env.Options{StepLimit: -1}}),
		"expected the round, a slash":         competition(rio, env.CompetitionOptions{Options: env.Options{Position: "4"}}),
		"the round is over (stuck)":           competition(rio, env.CompetitionOptions{Options: env.Options{Position: "1/4 0,0,0,0,0,0/0,0,0,0,0,0 - 24-24 S sow 0"}}),
		"2 rounds at most, and the options 3": competition(rio, env.CompetitionOptions{MaxRounds: 3, Options: env.Options{Position: "1/2 4,4,4,4,4,4/4,4,4,4,4,4 - 0-0 S sow 0"}}),
		"a match of 0 games":                  match(env.MatchOptions{}),
		"a match of 1001 games":               match(env.MatchOptions{Games: 1001}),
		"victory that counts 3 wins":          match(env.MatchOptions{Games: 2, Warrior: 3}),
		"step limit -2":                       match(env.MatchOptions{Games: 2, Options: env.Options{StepLimit: -2}}),
		`position "x"`:                        match(env.MatchOptions{Games: 2, Options: env.Options{Position: "x"}}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
