package conformance

import (
	"slices"

	"kiothi/env"
)

// This file checks what observations tell.

// checkLossless rebuilds each position from what the player to move observes.
func checkLossless(r *run) error {
	return r.walk(env.Options{}, func(m *moment) error {
		s, err := r.subject.Observer.State(m.step.Observation, m.state.Player)
		if err != nil {
			return r.failf("an observation from which the position can be rebuilt", "the error: %v", err)
		}
		if s != m.state {
			return r.failf("the position rebuilt from its observation", "%s", r.describe(&s))
		}
		return nil
	})
}

// checkSeats changes the sides of each position: the player to move must see the same, from the other chair.
func checkSeats(r *run) error {
	swapped := make([]float32, r.subject.Observer.Size())
	return r.walk(env.Options{}, func(m *moment) error {
		other := m.state.Swapped(r.subject.Game.Width())
		r.subject.Observer.Observe(swapped, &other)
		if !slices.Equal(m.step.Observation, swapped) {
			return r.failf("the observation that the other player has of the position with the sides changed", "there and here: %s", unequal(swapped, m.step.Observation))
		}
		s, err := r.subject.Observer.State(m.step.Observation, other.Player)
		if err != nil {
			return r.failf("the position with the sides changed, rebuilt from the observation for the other player", "the error: %v", err)
		}
		if s != other {
			return r.failf("for the other player, the observation means "+r.describe(&other), "%s", r.describe(&s))
		}
		return nil
	})
}
