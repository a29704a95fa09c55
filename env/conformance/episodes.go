package conformance

import (
	"errors"
	"fmt"
	"slices"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file checks how games end, and what comes before, after and again.

// checkTermination checks that a game is over exactly when the rules say so.
func checkTermination(r *run) error {
	g := r.subject.Game
	return r.walk(env.Options{}, func(m *moment) error {
		switch over := m.state.Over(); {
		case m.step.Terminated != over:
			return r.failf(fmt.Sprintf("terminated: %v, as the rules say (reason %q)", over, m.state.End), "%v", m.step.Terminated)
		case m.step.Truncated:
			return r.failf("no truncation without a step limit", "truncated after %d steps", len(m.actions))
		case m.step.Info.Reason != m.state.End:
			return r.failf(fmt.Sprintf("the reason %q", m.state.End), "%q", m.step.Info.Reason)
		case over && m.step.Info.Stores[0]+m.step.Info.Stores[1] != g.Seeds():
			return r.failf(fmt.Sprintf("final stores that hold all %d seeds", g.Seeds()), "%v", m.step.Info.Stores)
		}
		return nil
	})
}

// checkTruncation plays each game without a limit, and then again with one that falls in its middle, and with one that
// falls on its last step, where the game terminates and is not cut short.
func checkTruncation(r *run) error {
	return r.walk(env.Options{}, func(m *moment) error {
		if !m.over() {
			return nil
		}
		for _, limit := range []int{1 + m.rng.IntN(len(m.actions)), len(m.actions), len(m.actions) + 1} {
			if err := r.replayLimited(m, limit); err != nil {
				return err
			}
		}
		return nil
	})
}

// replayLimited plays a finished game again with a step limit.
func (r *run) replayLimited(whole *moment, limit int) error {
	e, err := r.open(env.Options{StepLimit: limit})
	if err != nil {
		return err
	}
	e.Reset(whole.seed)
	for i, a := range whole.actions[:min(limit, len(whole.actions))] {
		r.trials++
		step, err := e.Step(a)
		if err != nil {
			return r.failf(fmt.Sprintf("with a step limit of %d, step %d is played as without", limit, i+1), "the error: %v", err)
		}
		terminated := i+1 == len(whole.actions)
		truncated := i+1 == limit && !terminated
		if step.Terminated != terminated || step.Truncated != truncated {
			return r.failf(fmt.Sprintf("with a step limit of %d, step %d of %d: terminated %v, truncated %v", limit, i+1, len(whole.actions), terminated, truncated),
				"terminated %v, truncated %v", step.Terminated, step.Truncated)
		}
		if truncated && (step.Rewards != [2]float64{} || step.Reward != 0) {
			return r.failf("no reward for a game that is cut short", "%v of %v", step.Reward, step.Rewards)
		}
	}
	return nil
}

// checkRewards plays games under each of the rewards.
func checkRewards(r *run) error {
	g := r.subject.Game
	for _, name := range env.RewardNames {
		reward, err := env.ParseReward(name, g)
		if err != nil {
			return r.failf("the reward "+name, "the error: %v", err)
		}
		err = r.walk(env.Options{Reward: reward}, func(m *moment) error {
			rewards := m.step.Rewards
			if rewards[0]+rewards[1] != 0 {
				return r.failf("rewards that add up to zero ("+name+")", "%v", rewards)
			}
			if !m.state.Over() {
				if rewards != [2]float64{} || m.step.Reward != 0 {
					return r.failf("no reward before the end ("+name+")", "%v of %v", m.step.Reward, rewards)
				}
				return nil
			}
			for p, got := range rewards {
				margin := mancala.Margin(g, &m.state, mancala.Player(p))
				if want := reward(margin); got != want {
					return r.failf(fmt.Sprintf("%v for %s, whose margin is %d (%s)", want, mancala.Player(p), margin, name), "%v", got)
				}
			}
			if actor := m.before.Player; m.step.Reward != rewards[actor] {
				return r.failf(fmt.Sprintf("as Reward the %v of %s, who made the step", rewards[actor], actor), "%v", m.step.Reward)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkEnd checks that there is no step before the first reset, after termination and after truncation.
func checkEnd(r *run) error {
	e, err := r.open(env.Options{})
	if err != nil {
		return err
	}
	if err := r.notRunning(e, "before the first reset"); err != nil {
		return err
	}
	for _, o := range []env.Options{{}, {StepLimit: 3}} {
		when := "after termination"
		if o.StepLimit > 0 {
			when = "after truncation"
		}
		err := r.walk(o, func(m *moment) error {
			if !m.over() {
				return nil
			}
			return r.notRunning(m.env, when)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// notRunning checks that an environment refuses every step, and offers none.
func (r *run) notRunning(e Environment, when string) error {
	r.trials++
	before := e.State()
	for a := range mancala.Action(min(e.ActionSpace().N, 8)) {
		if _, err := e.Step(a); !errors.Is(err, env.ErrNotRunning) {
			return r.failf("env.ErrNotRunning for a step "+when, "the error: %v", err)
		}
	}
	if a, err := e.SampleAction(); !errors.Is(err, env.ErrNotRunning) {
		return r.failf("env.ErrNotRunning for a sample "+when, "action %d, the error: %v", a, err)
	}
	mask := make([]bool, e.ActionSpace().N)
	for i := range mask {
		mask[i] = true
	}
	e.ActionMask(mask)
	if a := slices.Index(mask, true); a >= 0 || len(e.Legal()) > 0 {
		return r.failf("no legal action "+when, "the mask allows action %d, and the list is %v", a, e.Legal())
	}
	if s := e.State(); s != before {
		return r.failf("refused steps change nothing "+when, "the state is now %s", r.describe(&s))
	}
	return nil
}

// checkReset resets in the middle of games and after their end.
func checkReset(r *run) error {
	var first env.Timestep
	again := 0
	return r.walk(env.Options{}, func(m *moment) error {
		if len(m.actions) == 0 {
			first, again = frozen(m.step), 1+m.rng.IntN(30)
		}
		if len(m.actions) != again && !m.over() {
			return nil
		}
		// The walk goes on where it was: a reset there is tried on an environment of its own.
		e, err := r.open(env.Options{})
		if err != nil {
			return err
		}
		e.Reset(m.seed)
		for _, a := range m.actions {
			if _, err := e.Step(a); err != nil {
				return r.failf("Step accepts the actions of the game again", "the error: %v", err)
			}
		}
		if found := difference(first, e.Reset(m.seed)); found != "" {
			return r.failf("the first reset's timestep from a reset here", "at first and now: %s", found)
		}
		start := r.subject.Game.Start()
		if s := e.State(); s != start {
			return r.failf("a reset leads to the start", "%s", r.describe(&s))
		}
		for i, a := range m.actions[:min(len(m.actions), 5)] {
			step, err := e.Step(a)
			if err != nil {
				return r.failf("after a reset, the game can be played again", "step %d: the error: %v", i+1, err)
			}
			if step.Info.Steps != i+1 {
				return r.failf(fmt.Sprintf("after a reset, step %d", i+1), "it is counted as %d", step.Info.Steps)
			}
		}
		return nil
	})
}

// checkDeterminism plays games by the environment's own samples: twice with each seed, and with different seeds.
func checkDeterminism(r *run) error {
	seeds := max(r.options.Games, 8) // fewer might be alike by chance
	different, choices := false, false
	var first []mancala.Action
	for i := range seeds {
		seed := r.options.Seed + uint64(i)
		one, err := r.open(env.Options{})
		if err != nil {
			return err
		}
		two, err := r.open(env.Options{})
		if err != nil {
			return err
		}
		two.Reset(seed + 1) // what was before a reset must not matter
		if _, err := two.SampleAction(); err != nil {
			return r.failf("a sample after a reset", "the error: %v", err)
		}
		actions, chosen, err := r.playTwice(one, two, seed)
		if err != nil {
			return err
		}
		choices = choices || chosen
		if i == 0 {
			first = actions
		}
		different = different || !slices.Equal(actions, first)
	}
	r.at = nil
	if choices && !different {
		return r.failf(fmt.Sprintf("different games with the seeds %d to %d", r.options.Seed, r.options.Seed+uint64(seeds)-1), "the same game each time")
	}
	return nil
}

// playTwice plays a game by the samples of one environment, and checks that another one does the same. It returns the
// actions, and whether there ever was a choice.
func (r *run) playTwice(one, two Environment, seed uint64) (actions []mancala.Action, choices bool, err error) {
	m := &moment{env: one, seed: seed}
	r.at = m
	a, b := one.Reset(seed), two.Reset(seed)
	for limit := r.longestGame(); ; limit-- {
		r.trials++
		m.state = one.State()
		if found := difference(a, b); found != "" {
			return nil, false, r.failf("the same timesteps with the same seed", "two: %s", found)
		}
		if a.Terminated || a.Truncated || limit <= 0 {
			return m.actions, choices, nil
		}
		legal := slices.Clone(one.Legal())
		choices = choices || len(legal) > 1
		action, err := one.SampleAction()
		if err != nil {
			return nil, false, r.failf("a sample of the legal actions", "the error: %v", err)
		}
		if !slices.Contains(r.subject.Game.AppendLegal(nil, &m.state), action) {
			return nil, false, r.failf(fmt.Sprintf("a sample out of the legal actions %v", legal), "%s", r.actionText(&m.state, action))
		}
		other, err := two.SampleAction()
		if err != nil || other != action {
			return nil, false, r.failf(fmt.Sprintf("the sample %d again with the same seed", action), "%d, the error: %v", other, err)
		}
		if a, err = one.Step(action); err != nil {
			return nil, false, r.failf("Step accepts the sample "+r.actionText(&m.state, action), "the error: %v", err)
		}
		if b, err = two.Step(action); err != nil {
			return nil, false, r.failf("Step accepts the sample "+r.actionText(&m.state, action), "the error: %v", err)
		}
		m.actions = append(m.actions, action)
	}
}
