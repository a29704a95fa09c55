package bridge

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"

	"kiothi/agent"
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is how an error crosses the border.

// The kinds of a Failure. The other side makes an exception of its own of each.
const (
	KindArgument   = "argument"    // a setting, or the text of one, is wrong
	KindIllegal    = "illegal"     // an action is illegal
	KindNotRunning = "not running" // there is no game to step
	KindClosed     = "closed"      // the handle stands for nothing
	KindFailed     = "failed"      // something else went wrong, such as reading a file
	KindInternal   = "internal"    // a panic: a bug in this library
)

// A Failure is an error in a form that crosses the border, as a JSON object.
type Failure struct {
	Kind    string       `json:"kind"`
	Message string       `json:"message"`
	Rows    []RefusedRow `json:"rows,omitempty"` // those that are of KindIllegal, or of KindNotRunning when there are none
}

// A RefusedRow is a row of a vector that could not be stepped.
type RefusedRow struct {
	Row    int    `json:"row"`
	Action int32  `json:"action"`
	Text   string `json:"text"`   // the action's text, or its id when it has none
	Reason string `json:"reason"` // the rule that forbids the action, or that no game is running
}

// An ArgumentError is an error in what the caller said.
type ArgumentError struct{ Err error }

// Error is the text of the error inside.
func (e *ArgumentError) Error() string { return e.Err.Error() }

// Unwrap returns the error inside.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Guard runs what an export does and returns its failure, nil when there is none. A panic becomes a failure of
// KindInternal with the stack in its message, because it must not cross the border.
func Guard(do func() error) (f *Failure) {
	defer func() {
		if p := recover(); p != nil {
			f = &Failure{Kind: KindInternal, Message: fmt.Sprintf("bug in the kiothi library: %v\n%s", p, debug.Stack())}
		}
	}()
	if err := do(); err != nil {
		return failureOf(err)
	}
	return nil
}

// failureOf describes an error.
func failureOf(err error) *Failure {
	f := &Failure{Kind: KindFailed, Message: err.Error()}
	var (
		step     *env.StepError
		argument *ArgumentError
		spec     *agent.SpecError
		closed   *ClosedError
		panicked *panicError
	)
	switch {
	case errors.As(err, &step):
		f.Kind, f.Rows = refused(step)
	case errors.Is(err, env.ErrNotRunning):
		f.Kind = KindNotRunning
	case errors.As(err, &argument), errors.As(err, &spec):
		f.Kind = KindArgument
	case errors.As(err, &closed):
		f.Kind = KindClosed
	case errors.As(err, &panicked):
		f.Kind = KindInternal
	}
	return f
}

// refused returns the rows with an illegal action, or, when there are none, those without a running game.
func refused(step *env.StepError) (kind string, rows []RefusedRow) {
	var idle []RefusedRow
	for _, r := range step.Rows {
		var illegal *mancala.IllegalError
		if errors.As(r.Err, &illegal) {
			rows = append(rows, RefusedRow{r.Row, r.Action, illegal.Text, illegal.Reason})
		} else {
			idle = append(idle, RefusedRow{r.Row, r.Action, fmt.Sprint(r.Action), r.Err.Error()})
		}
	}
	if len(rows) > 0 {
		return KindIllegal, rows
	}
	return KindNotRunning, idle
}

// JSON returns the failure as text.
func (f *Failure) JSON() string {
	text, err := json.Marshal(f)
	if err != nil {
		panic(err) // strings and numbers always have a JSON form
	}
	return string(text)
}

// A panicError is a panic in a goroutine of this package.
type panicError struct {
	value any
	stack []byte
}

// Error tells the panic and where it was.
func (e *panicError) Error() string {
	return fmt.Sprintf("bug in the kiothi library: %v\n%s", e.value, e.stack)
}
