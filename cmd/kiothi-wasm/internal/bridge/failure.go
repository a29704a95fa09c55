package bridge

import (
	"errors"

	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

// This file is how an error crosses the border.

// The kinds of a Failure.
const (
	KindArgument = "argument" // what was said is wrong
	KindIllegal  = "illegal"  // a move is against the rules
	KindClosed   = "closed"   // the game was closed
	KindFailed   = "failed"   // something else went wrong
)

// A Failure is an error in a form that crosses the border.
type Failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Reason  string `json:"reason,omitempty"` // of an illegal move: the rule that forbids it
}

// errClosed is the error for games that are not there.
var errClosed = errors.New("the game was closed")

// failureOf describes an error.
func failureOf(err error) *Failure {
	f := &Failure{Kind: KindFailed, Message: err.Error()}
	var (
		illegal *mancala.IllegalError
		said    *view.ArgumentError
	)
	switch {
	case errors.As(err, &illegal):
		f.Kind, f.Reason = KindIllegal, illegal.Reason
	case errors.Is(err, errClosed):
		f.Kind = KindClosed
	case errors.As(err, &said):
		f.Kind = KindArgument
	}
	return f
}
