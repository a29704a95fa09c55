package view

import "fmt"

// This file is the error of whoever asks.

// An ArgumentError is an error in what the caller said.
type ArgumentError struct {
	Field string // what it is in, such as "position"
	Index int    // of the element, where Field is the list "moves"
	Err   error
}

// Where returns the field in text, such as "position" or "moves[3]".
func (e *ArgumentError) Where() string {
	if e.Field == movesField {
		return fmt.Sprintf("%s[%d]", e.Field, e.Index)
	}
	return e.Field
}

// movesField is the field that is a list.
const movesField = "moves"

// Error implements error.
func (e *ArgumentError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the field.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Argument returns an error in what the caller said.
func Argument(field, format string, values ...any) error {
	return &ArgumentError{Field: field, Err: fmt.Errorf(format, values...)}
}
