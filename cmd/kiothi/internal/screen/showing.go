package screen

import (
	"fmt"
	"time"

	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
	"kiothi/env/sowing"
)

// This file shows a turn: the boards between its beginning and its end.

// mostEvents is how many events of a turn are shown. An endless relay has a million; what comes later is left out.
const mostEvents = 3000

// A showing goes through the events of a turn.
type showing struct {
	turn   record.Turn
	width  int
	state  mancala.State // the board as it is shown
	events []sowing.Event
	at     int    // how many of them have happened
	steps  int    // how many steps have been shown
	active int    // the pit of the last one, or noPit
	sown   uint32 // the pits that got a seed in this lap
	note   string // what just happened, in words
}

// newShowing returns a showing of a turn that has been played.
func newShowing(g mancala.Game, turn record.Turn) (*showing, error) {
	s := &showing{turn: turn, width: g.Width(), state: turn.Before, active: noPit}
	state := turn.Before
	for _, a := range turn.Actions {
		events, err := sowing.Events(g, state, a)
		if err != nil {
			return nil, err
		}
		for e := range events {
			if len(s.events) == mostEvents {
				return s, nil
			}
			s.events = append(s.events, e)
		}
		if _, err := g.Play(&state, a); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// over reports whether all was shown.
func (s *showing) over() bool { return s.at == len(s.events) }

// advance shows the next step: an event, or at speed Fast the rest of a lap. It returns how long the step stays.
func (s *showing) advance(speed Speed) time.Duration {
	s.next()
	for speed == Fast && !s.over() && s.events[s.at].Kind == sowing.Drop {
		s.next()
	}
	for !s.over() && s.events[s.at].Kind == sowing.Mark { // the protection comes over all pits at once
		s.next()
	}
	s.steps++
	return speed.step(s.steps)
}

// next lets the next event happen.
func (s *showing) next() {
	e := s.events[s.at]
	s.at++
	e.Apply(&s.state, s.width)
	s.active = e.Pit
	name := mancala.PitName(e.Pit, s.width)
	switch e.Kind {
	case sowing.Lift:
		s.sown = 0
		s.note = fmt.Sprintf("lifts %d from %c", e.Seeds, name)
	case sowing.Drop:
		s.sown |= 1 << e.Pit
	case sowing.Win:
		s.note = fmt.Sprintf("%s wins %d from %c", e.To, e.Seeds, name)
	case sowing.Mark:
		s.note = "the pits are protected now"
	}
}

// tell says what is happening.
func (s *showing) tell() string {
	text := fmt.Sprintf("%s plays %s", s.turn.Mover, s.turn.Text)
	if lap := s.lap(); lap > 0 && s.turn.Effects.Laps > 1 {
		text += fmt.Sprintf(", lap %d of %d", lap, s.turn.Effects.Laps)
	}
	if s.note != "" {
		text += ": " + s.note
	}
	if s.state.Hand > 0 {
		text += fmt.Sprintf(", %d in hand", s.state.Hand)
	}
	return text
}

// lap returns the lap that is being shown, 0 in the opening.
func (s *showing) lap() int {
	if s.at == 0 {
		return 0
	}
	return s.events[s.at-1].Lap
}
