package sowing

import (
	"fmt"
	"iter"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file finds the reader of a game's rules, and holds what the readers share.

// Events yields what an action does to a state, in order. An action that the engine refuses is its error. A relay may have
// as many laps as the rule set's limit: whoever shows it can stop before its end.
func Events(g mancala.Game, s mancala.State, a mancala.Action) (iter.Seq[Event], error) {
	after := s
	if _, err := g.Play(&after, a); err != nil {
		return nil, err
	}
	var tell func(*teller)
	switch g := g.(type) {
	case *kiothi.Game:
		rules := g.RuleSet()
		tell = func(t *teller) { t.kiothi(&rules, a, &after) }
	case *riokadalis.Game:
		rules := g.RuleSet()
		tell = func(t *teller) { t.rioKadalis(&rules, a) }
	default:
		return nil, fmt.Errorf("the sowing of game %s cannot be told seed by seed", g.Name())
	}
	return func(yield func(Event) bool) {
		tell(&teller{state: s, mover: s.Player, width: g.Width(), step: 1, yield: yield})
	}, nil
}

// A teller carries out an action and says what happens.
type teller struct {
	state   mancala.State // the board as it is after what was said
	mover   mancala.Player
	width   int
	step    int // from a pit to the next one in the direction of sowing
	lap     int
	yield   func(Event) bool
	stopped bool // nobody listens any more
}

// say makes an event happen.
func (t *teller) say(e Event) {
	if t.stopped {
		return
	}
	e.Lap = t.lap
	e.Apply(&t.state, t.width)
	t.stopped = !t.yield(e)
}

// at returns the number of seeds in a pit.
func (t *teller) at(pit int) int { return t.state.Rows[pit/t.width].At(pit % t.width) }

// owner returns whose pit it is.
func (t *teller) owner(pit int) mancala.Player { return mancala.Player(pit / t.width) }

// next returns the pit that is sown into after a pit. At least one pit is open.
func (t *teller) next(pit int) int {
	for {
		pit = (pit + t.step + 2*t.width) % (2 * t.width)
		if t.state.Closed>>pit&1 == 0 {
			return pit
		}
	}
}
