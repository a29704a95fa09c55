package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file plays random games in an environment.

// A moment is an environment at one state of a game.
type moment struct {
	env     Environment
	rng     *rand.Rand
	seed    uint64
	step    env.Timestep     // what the last reset or step returned
	actions []mancala.Action // since the reset
	before  mancala.State    // the state before the last action
	state   mancala.State    // what the environment says the state is
}

// over reports whether the game cannot go on.
func (m *moment) over() bool { return m.step.Terminated || m.step.Truncated || m.state.Over() }

// last returns the last action.
func (m *moment) last() mancala.Action { return m.actions[len(m.actions)-1] }

// begin makes an environment and starts the game with a number from 0.
func (r *run) begin(o env.Options, game int) (*moment, error) {
	e, err := r.open(o)
	if err != nil {
		return nil, err
	}
	seed := r.options.Seed + uint64(game)
	m := &moment{env: e, seed: seed, rng: rand.New(rand.NewPCG(seed, 0))}
	r.at = m
	m.step = e.Reset(seed)
	m.state = e.State()
	return m, nil
}

// advance plays an action that the rules call legal.
func (r *run) advance(m *moment, a mancala.Action) error {
	step, err := m.env.Step(a)
	if err != nil {
		return r.failf("Step accepts "+r.actionText(&m.state, a)+", which is legal by the rules", "the error: %v", err)
	}
	m.step, m.before, m.state = step, m.state, m.env.State()
	m.actions = append(m.actions, a)
	return nil
}

// choose returns a random action that the rules call legal.
func (r *run) choose(m *moment) mancala.Action {
	legal := r.subject.Game.AppendLegal(nil, &m.state)
	return legal[m.rng.IntN(len(legal))]
}

// walk plays random games, one in an environment each, and calls visit after the reset and after each step.
func (r *run) walk(o env.Options, visit func(*moment) error) error {
	for game := range r.options.Games {
		m, err := r.begin(o, game)
		if err == nil {
			err = r.finish(m, visit)
		}
		if err != nil {
			return err
		}
	}
	r.at = nil // after an error or a panic it stays, to tell where that was
	return nil
}

// finish plays a game from where it is to its end.
func (r *run) finish(m *moment, visit func(*moment) error) error {
	limit := r.longestGame()
	for {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		r.trials++
		if err := visit(m); err != nil {
			return err
		}
		if m.over() {
			return nil
		}
		if len(m.actions) >= limit {
			return r.failf(fmt.Sprintf("a game of at most %d actions: the clock ends it", limit), "it still goes on")
		}
		if err := r.advance(m, r.choose(m)); err != nil {
			return err
		}
	}
}

// longestGame returns a number of actions that no game exceeds: every time that the clock is nearly full one seed is won,
// and each opening turn lifts all own pits and places all seeds.
func (r *run) longestGame() int {
	g := r.subject.Game
	return (g.Seeds()+1)*g.ClockLimit() + 2*(g.Width()+1+g.Seeds())
}

// frozen returns a timestep that later calls do not change.
func frozen(t env.Timestep) env.Timestep {
	t.Observation = slices.Clone(t.Observation)
	return t
}

// difference says in which part two timesteps differ; it is empty when they are equal.
func difference(a, b env.Timestep) string {
	switch {
	case !slices.Equal(a.Observation, b.Observation):
		return unequal(a.Observation, b.Observation)
	case a.Reward != b.Reward || a.Rewards != b.Rewards:
		return fmt.Sprintf("reward %v of %v, and %v of %v", a.Reward, a.Rewards, b.Reward, b.Rewards)
	case a.Terminated != b.Terminated || a.Truncated != b.Truncated:
		return fmt.Sprintf("terminated %v, truncated %v, and %v, %v", a.Terminated, a.Truncated, b.Terminated, b.Truncated)
	case a.Info != b.Info:
		return fmt.Sprintf("info %+v, and %+v", a.Info, b.Info)
	}
	return ""
}

// unequal says where two observations differ first.
func unequal(a, b []float32) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("observation value %d is %v, and %v", i, a[i], b[i])
		}
	}
	return fmt.Sprintf("observations of %d values, and of %d", len(a), len(b))
}
