package arena

import (
	"errors"
	"fmt"
	"strings"
)

// This file is games that are lost without being played to their end.

// A ForfeitReason says what an agent did wrong.
type ForfeitReason string

// The reasons.
const (
	IllegalAction ForfeitReason = "illegal" // it chose an action that the rules forbid, or one that does not exist
	Failure       ForfeitReason = "error"   // it returned an error
	Panic         ForfeitReason = "panic"
	Overdue       ForfeitReason = "time" // it did not answer in Options.MoveTime
)

// ForfeitReasons lists all reasons.
var ForfeitReasons = []ForfeitReason{IllegalAction, Failure, Panic, Overdue}

// A Forfeit says how a game was lost without being played to its end.
type Forfeit struct {
	Game     int           `json:"game"`  // its number in the match
	Loser    int           `json:"loser"` // the match's first contender is 0, the second 1
	Reason   ForfeitReason `json:"reason"`
	Detail   string        `json:"detail"`   // what happened, in one line
	Position string        `json:"position"` // in which the agent was asked
}

// A fault is what an agent did wrong in a game.
type fault struct {
	reason ForfeitReason
	err    error
}

// faultOf sorts the error of a call.
func faultOf(err error) *fault {
	var overdue *overdueError
	var panicked *panicError
	switch {
	case errors.As(err, &overdue):
		return &fault{Overdue, err}
	case errors.As(err, &panicked):
		return &fault{Panic, err}
	}
	return &fault{Failure, err}
}

// longestDetail is the longest Forfeit.Detail, in characters.
const longestDetail = 300

// detail tells a fault in a line.
func (f *fault) detail() string {
	text := []rune(strings.Join(strings.Fields(f.err.Error()), " "))
	if len(text) > longestDetail {
		text = append(text[:longestDetail-1], '…')
	}
	return string(text)
}

// complain is the error of a tournament in which a fault ends everything.
func (t *tournament) complain(p *play) error {
	name := t.mover(p).Name
	if p.fault.reason == IllegalAction {
		return fmt.Errorf("agent %s chose an illegal action in %s: %w", name, t.place(p), p.fault.err)
	}
	return fmt.Errorf("agent %s failed in %s: %w", name, t.place(p), p.fault.err)
}

// place names a game and its position, for errors.
func (t *tournament) place(p *play) string {
	return fmt.Sprintf("game %d as %s, %s %s, position %q", p.number, p.state.Player, t.game.Name(), t.game.Rules(), t.game.Format(&p.state))
}
