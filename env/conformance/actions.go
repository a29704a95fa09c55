package conformance

import (
	"errors"
	"fmt"
	"slices"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file checks which actions are accepted, and what a refusal does.

// sampled is how many states of a game, one in so many, have all their actions tried.
const sampled = 8

// checkMask checks at each state that mask and list agree with the rules, and at some that Step does: for every id there
// is, and two that there are not.
func checkMask(r *run) error {
	g := r.subject.Game
	var mask []bool
	return r.walk(env.Options{}, func(m *moment) error {
		if mask == nil {
			mask = make([]bool, m.env.ActionSpace().N)
		}
		for i := range mask {
			mask[i] = true // what ActionMask does not write stays wrong
		}
		m.env.ActionMask(mask)
		legal := g.AppendLegal(nil, &m.state)
		if err := r.compareMask(m, mask, legal); err != nil {
			return err
		}
		if listed := m.env.Legal(); !slices.Equal(listed, legal) {
			return r.failf(fmt.Sprintf("the legal actions %v, ascending", legal), "%v", listed)
		}
		if m.over() || len(m.actions) > 0 && m.rng.IntN(sampled) > 0 {
			return nil
		}
		return r.tryAll(m, mask)
	})
}

// compareMask compares a mask with the actions that the rules call legal.
func (r *run) compareMask(m *moment, mask []bool, legal []mancala.Action) error {
	for a, allowed := range mask {
		if want := slices.Contains(legal, mancala.Action(a)); allowed != want {
			return r.failf(fmt.Sprintf("the mask is %v for %s", want, r.actionText(&m.state, mancala.Action(a))), "%v", allowed)
		}
	}
	return nil
}

// tryAll plays every action of the space from a state.
func (r *run) tryAll(m *moment, mask []bool) error {
	position := r.subject.Game.Format(&m.state)
	e, err := r.open(env.Options{Position: position})
	if err != nil {
		return err
	}
	e.Reset(m.seed)
	for a := mancala.Action(-1); int(a) <= len(mask); a++ {
		r.trials++
		allowed := a >= 0 && int(a) < len(mask) && mask[a]
		_, err := e.Step(a)
		switch {
		case allowed && err != nil:
			return r.failf("Step accepts "+r.actionText(&m.state, a)+", which the mask allows", "the error: %v", err)
		case !allowed && err == nil:
			return r.failf("Step refuses "+r.actionText(&m.state, a)+", which the mask forbids", "it was played")
		}
		if allowed {
			e.Reset(m.seed)
		}
	}
	return nil
}

// checkIllegal plays each game twice, once with illegal actions tried on the way: they must be explained, and nothing
// else may differ.
func checkIllegal(r *run) error {
	n := r.subject.Game.Actions()
	var twin Environment
	return r.walk(env.Options{}, func(m *moment) error {
		if len(m.actions) == 0 {
			var err error
			if twin, err = r.open(env.Options{}); err != nil {
				return err
			}
			twin.Reset(m.seed)
		} else {
			step, err := twin.Step(m.last())
			if err != nil {
				return r.failf("Step accepts "+r.actionText(&m.before, m.last()), "the error: %v", err)
			}
			if found := difference(step, m.step); found != "" {
				return r.failf("the same timestep as without the illegal actions before it", "without and with: %s", found)
			}
		}
		if m.over() {
			return nil
		}
		legal := slices.Clone(m.env.Legal())
		for try := range 12 {
			a := mancala.Action(m.rng.IntN(n))
			switch try {
			case 0:
				a = -1
			case 1:
				a = mancala.Action(n)
			}
			if slices.Contains(r.subject.Game.AppendLegal(nil, &m.state), a) {
				continue
			}
			r.trials++
			if err := r.refused(m, a, legal); err != nil {
				return err
			}
		}
		return nil
	})
}

// refused plays an illegal action.
func (r *run) refused(m *moment, a mancala.Action, legal []mancala.Action) error {
	_, err := m.env.Step(a)
	var illegal *mancala.IllegalError
	if !errors.As(err, &illegal) {
		return r.failf("a *mancala.IllegalError for "+r.actionText(&m.state, a)+", which is illegal", "the error: %v", err)
	}
	if illegal.Action != a || illegal.Text == "" || illegal.Reason == "" {
		return r.failf(fmt.Sprintf("an error that names action %d, its text and the reason", a), "%+v", *illegal)
	}
	if s := m.env.State(); s != m.state {
		return r.failf("the illegal "+r.actionText(&m.state, a)+" changes nothing", "the state is now %s", r.describe(&s))
	}
	if now := m.env.Legal(); !slices.Equal(now, legal) {
		return r.failf(fmt.Sprintf("after an illegal action, the legal actions %v as before", legal), "%v", now)
	}
	return nil
}
