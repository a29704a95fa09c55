package view

import (
	"kiothi/cmd/internal/record"
	"kiothi/env/mancala"
	"kiothi/env/sowing"
)

// This file is moves: those that can be played, those that were, and what one does seed by seed.

// A LegalMove is a move that can be played: a whole turn while sowing, a single step in an opening.
type LegalMove struct {
	Action mancala.Action `json:"action"`
	Text   string         `json:"text"`
	Pit    *int           `json:"pit"` // sown from, lifted or placed in; nil for the end of lifting
	Seeds  int            `json:"seeds"`
}

// Legal lists the legal moves.
func (g *Game) Legal() []LegalMove {
	of, s := g.Record.Game(), g.Record.State()
	actions := of.AppendLegal(nil, &s)
	out := make([]LegalMove, len(actions))
	for i, a := range actions {
		out[i] = LegalMove{Action: a, Text: of.ActionText(&s, a)}
		events, err := sowing.Events(of, s, a)
		if err != nil {
			panic("view: the engine refuses an action that it listed as legal: " + err.Error())
		}
		for first := range events {
			if first.Kind == sowing.Lift || first.Kind == sowing.Drop {
				out[i].Pit, out[i].Seeds = &first.Pit, first.Seeds
			}
			break
		}
	}
	return out
}

// A Played is what was played at once: a turn, or a step of an opening.
type Played struct {
	Player   mancala.Player   `json:"player"`
	Text     string           `json:"text"`
	Actions  []mancala.Action `json:"actions"`
	Laps     int32            `json:"laps"`     // of the sowing, 0 in an opening
	Captured [2]int           `json:"captured"` // seeds that went into South's and North's stores, before any sweep
	Cut      bool             `json:"cut"`      // the relay was cut at the rule set's limit
	Round    int              `json:"round"`    // of the competition, from 1
}

// played describes what was played at once.
func (g *Game) played(t *record.Turn) Played {
	return Played{
		Player: t.Mover, Text: t.Text, Actions: t.Actions, Laps: t.Effects.Laps,
		Captured: [2]int{int(t.Effects.Captured[0]), int(t.Effects.Captured[1])},
		Cut:      t.Effects.Cut, Round: g.Before + t.Round,
	}
}

// History lists what was played.
func (g *Game) History() []Played {
	out := []Played{}
	for _, t := range g.Record.Turns() {
		out = append(out, g.played(&t))
	}
	return out
}

// Play plays a move.
func (g *Game) Play(m *Move) (Played, error) {
	s := g.Record.State()
	actions, err := m.Actions(g.Record.Game(), &s)
	if err != nil {
		return Played{}, err
	}
	turn, err := g.Record.Play(actions...)
	if err != nil {
		return Played{}, err
	}
	return g.played(&turn), nil
}

// An Event is one thing that can be seen to happen on the board during a move: a sowing.Event.
type Event struct {
	Kind   string          `json:"kind"`
	Lap    int             `json:"lap"`
	Pit    int             `json:"pit"`
	Seeds  int             `json:"seeds"`
	To     *mancala.Player `json:"to"`
	Unmark bool            `json:"unmark"`
}

// A Trace is what a move does, event by event.
type Trace struct {
	Events    []Event `json:"events"`
	Truncated bool    `json:"truncated"` // there were more
}

func newEvent(e sowing.Event) Event {
	out := Event{Kind: e.Kind.String(), Lap: e.Lap, Pit: e.Pit, Seeds: e.Seeds, Unmark: e.Unmark}
	if e.Kind == sowing.Win {
		out.To = &e.To
	}
	return out
}

// UsualTrace is the number of events that a trace has at most when nothing is said.
const UsualTrace = 10_000

// Trace tells what a move does, event by event: the first limit ones, or the first UsualTrace where that is nil. A limit above
// longest is refused.
func (g *Game) Trace(m *Move, limit *int, longest int) (Trace, error) {
	most := UsualTrace
	if limit != nil {
		most = *limit
	}
	if most < 0 || most > longest {
		return Trace{}, Argument("limit", "limit: %d events, expected 0 to %d", most, longest)
	}
	of, s := g.Record.Game(), g.Record.State()
	actions, err := m.Actions(of, &s)
	if err != nil {
		return Trace{}, err
	}
	t := Trace{Events: []Event{}}
	for _, a := range actions {
		events, err := sowing.Events(of, s, a)
		if err != nil {
			return Trace{}, err
		}
		for e := range events {
			if len(t.Events) == most {
				t.Truncated = true
				return t, nil
			}
			t.Events = append(t.Events, newEvent(e))
		}
		if _, err := of.Play(&s, a); err != nil {
			return Trace{}, err
		}
	}
	return t, nil
}
