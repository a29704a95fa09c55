package env

import (
	"fmt"
	"strings"
)

// This file is why a Vector did not step.

// A RowError says why one row of a Vector could not step.
type RowError struct {
	Row    int
	Action int32 // the action that was given
	Err    error // a *mancala.IllegalError, or ErrNotRunning
}

// Error names the row, the action and the reason.
func (e RowError) Error() string { return fmt.Sprintf("row %d, action %d: %v", e.Row, e.Action, e.Err) }

// Unwrap returns the reason.
func (e RowError) Unwrap() error { return e.Err }

// A StepError says why a Vector did not step: the rows that could not, at least one, in ascending order. No row has changed.
type StepError struct{ Rows []RowError }

// manyRows is how many rows an error writes out.
const manyRows = 5

// Error names the first rows, their actions and the reasons, and counts the others.
func (e *StepError) Error() string {
	var text strings.Builder
	fmt.Fprintf(&text, "no row was stepped, because %d could not be: ", len(e.Rows))
	for i, row := range e.Rows {
		if i == manyRows {
			fmt.Fprintf(&text, "; and %d more", len(e.Rows)-i)
			break
		}
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(row.Error())
	}
	return text.String()
}

// Unwrap returns the rows' errors.
func (e *StepError) Unwrap() []error {
	errs := make([]error, len(e.Rows))
	for i, row := range e.Rows {
		errs[i] = row
	}
	return errs
}
