package conformance

import (
	"fmt"
	"slices"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file checks that texts read back to what they were written from.

// checkTexts checks the texts of positions, actions and whole turns.
func checkTexts(r *run) error {
	g := r.subject.Game
	var turn []mancala.Action
	var from mancala.State
	return r.walk(env.Options{}, func(m *moment) error {
		position := g.Format(&m.state)
		if s, err := g.Parse(position); err != nil || s != m.state {
			return r.failf(fmt.Sprintf("the position's text %q reads back", position), "%s, the error: %v", r.describe(&s), err)
		}
		if len(m.actions) == 0 {
			turn, from = nil, m.state
		} else {
			turn = append(turn, m.last())
		}
		if len(turn) > 0 && (m.state.Over() || m.state.Player != from.Player) {
			text := g.TurnText(&from, turn)
			back, err := g.ParseTurn(&from, text)
			if err != nil || !slices.Equal(back, turn) {
				return r.failf(fmt.Sprintf("the turn %v, written %q, reads back", turn, text), "%v, the error: %v", back, err)
			}
			turn, from = nil, m.state
		}
		return r.actionTexts(m)
	})
}

// actionTexts checks the texts of the legal actions of a state.
func (r *run) actionTexts(m *moment) error {
	g := r.subject.Game
	written := map[string]mancala.Action{}
	for _, a := range g.AppendLegal(nil, &m.state) {
		r.trials++
		text := g.ActionText(&m.state, a)
		if other, twice := written[text]; twice {
			return r.failf("a text of its own for each legal action", "actions %d and %d are both written %q", other, a, text)
		}
		written[text] = a
		if back, err := g.ParseAction(&m.state, text); err != nil || back != a {
			return r.failf(fmt.Sprintf("action %d, written %q, reads back", a, text), "%d, the error: %v", back, err)
		}
	}
	return nil
}
