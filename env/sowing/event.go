// Package sowing tells an action seed by seed, for those who show it: what is lifted, where each seed falls, what is won.
//
// It is a plain second reading of the rules, without tables and words of bits, and far slower than the engines. Its events,
// applied one after the other, lead from a state to the board that the engine's Play leaves.
package sowing

import (
	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the event: the smallest thing that can be seen to happen on a board.

// A Kind says what happens in an Event.
type Kind uint8

// The kinds of event.
const (
	Lift Kind = iota // seeds go from a pit into the hand
	Drop             // a seed goes from the hand into a pit
	Win              // seeds go from a pit into a store
	Mark             // a pit becomes protected
)

// String returns the kind's name in lower case.
func (k Kind) String() string { return choice.Name("Kind", kindNames, int(k)) }

var kindNames = []string{"lift", "drop", "win", "mark"}

// An Event is one thing that happens on the board.
type Event struct {
	Kind   Kind
	Lap    int            // the lap of the sowing, from 1; 0 in the opening
	Pit    int            // where, as an absolute index
	Seeds  int            // how many are lifted, dropped or won
	To     mancala.Player // Win: whose store the seeds go to
	Unmark bool           // Lift: the pit loses its protection
}

// Apply makes the event happen to the board of s: its rows, marks, stores and hand. What else belongs to a state, such as
// whose turn it is, stays as it is. The hand holds no more than a state's hand can: the seeds of the game.
func (e Event) Apply(s *mancala.State, width int) {
	row, i := &s.Rows[e.Pit/width], e.Pit%width
	switch e.Kind {
	case Lift:
		*row = row.With(i, row.At(i)-e.Seeds)
		s.Hand += uint8(e.Seeds)
		if e.Unmark {
			s.Marks &^= 1 << e.Pit
		}
	case Drop:
		*row = row.With(i, row.At(i)+e.Seeds)
		s.Hand -= uint8(e.Seeds)
	case Win:
		*row = row.With(i, row.At(i)-e.Seeds)
		s.Stores[e.To] += uint8(e.Seeds)
	case Mark:
		s.Marks |= 1 << e.Pit
	}
}
