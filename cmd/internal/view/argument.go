package view

import "fmt"

// This file is the error of whoever asks.

// An ArgumentError is an error in what the caller said.
type ArgumentError struct {
	Field string // what it is in, such as "position"
	Err   error
}

// Error implements error.
func (e *ArgumentError) Error() string { return e.Err.Error() }

// Unwrap returns the error without the field.
func (e *ArgumentError) Unwrap() error { return e.Err }

// Argument returns an error in what the caller said.
func Argument(field, format string, values ...any) error {
	return &ArgumentError{field, fmt.Errorf(format, values...)}
}
