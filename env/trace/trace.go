// Package trace plays lists of actions and describes every state on the way, in the form by which engines are compared
// with each other and a frontend checks its own (rules, section 6).
package trace

import (
	"errors"
	"fmt"

	"kiothi/env/mancala"
)

// A Step describes one state of a game and the turn that led to it. Its JSON form is an object of the trace, the fields
// in this order.
type Step struct {
	Ply      int              `json:"ply"`      // actions played so far
	Position string           `json:"position"` // the board as it lies, before any sweep
	Player   mancala.Player   `json:"player"`   // to move
	Legal    []mancala.Action `json:"legal"`    // ascending, empty when over
	Over     bool             `json:"over"`
	Reason   string           `json:"reason"`   // why it is over: "", "stuck" or "exhausted"
	Stores   [2]int           `json:"stores"`   // South's and North's, after the sweep when over
	Laps     int              `json:"laps"`     // laps of the turn just made, 0 in the opening and at the start
	Captured [2]int           `json:"captured"` // seeds the turn just made put into the two stores, before any sweep
	Cut      bool             `json:"cut"`      // this turn's relay was cut
}

// describe returns the step of state s, reached by turn after ply actions.
func describe(g mancala.Game, s *mancala.State, ply int, turn mancala.Turn) Step {
	return Step{
		Ply:      ply,
		Position: g.Format(s),
		Player:   s.Player,
		Legal:    g.AppendLegal([]mancala.Action{}, s),
		Over:     s.Over(),
		Reason:   s.End.String(),
		Stores:   g.Final(s),
		Laps:     int(turn.Laps),
		Captured: [2]int{int(turn.Captured[0]), int(turn.Captured[1])},
		Cut:      turn.Cut,
	}
}

// An Error tells which action of a list could not be played, and why.
type Error struct {
	Ply                  int // actions played before the failing one
	mancala.IllegalError     // the action, its text, and the rule that forbids it
}

// Error names the ply, the action, its text and the rule that forbids it.
func (e *Error) Error() string { return fmt.Sprintf("ply %d: %v", e.Ply, &e.IllegalError) }

// Unwrap returns the engine's error.
func (e *Error) Unwrap() error { return &e.IllegalError }

// longGame is a number of actions that few games have.
const longGame = 1000

// Play plays actions from start and returns one step for start and one after each action. An illegal action stops it:
// the steps up to there are returned with an *Error.
func Play(g mancala.Game, start mancala.State, actions []mancala.Action) ([]Step, error) {
	s := start
	// A list can be far longer than any game: only what is played may take memory.
	steps := make([]Step, 1, min(len(actions), longGame)+1)
	steps[0] = describe(g, &s, 0, mancala.Turn{})
	for ply, a := range actions {
		turn, err := g.Play(&s, a)
		if err != nil {
			return steps, wrap(ply, a, err)
		}
		steps = append(steps, describe(g, &s, ply+1, turn))
	}
	return steps, nil
}

// wrap adds the ply to an engine's refusal.
func wrap(ply int, a mancala.Action, err error) *Error {
	var illegal *mancala.IllegalError
	if !errors.As(err, &illegal) {
		illegal = &mancala.IllegalError{Action: a, Text: fmt.Sprint(a), Reason: err.Error()}
	}
	return &Error{Ply: ply, IllegalError: *illegal}
}
