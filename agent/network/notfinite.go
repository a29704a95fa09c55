// This file finds numbers that are not finite before they do harm.

package network

import (
	"fmt"

	"kiothi/agent/blas"
)

// NotFiniteError says that a number which must be finite is not. Nothing was
// changed when it is returned.
type NotFiniteError struct {
	Quantity string  // "input", "weight", "policy loss", "gradient", …
	Name     string  // of the parameter, for a weight or a gradient
	Row      int     // of the batch, or -1
	Value    float64 // NaN, +Inf or -Inf
}

func (e *NotFiniteError) Error() string {
	switch {
	case e.Name != "":
		return fmt.Sprintf("network: %s of %s is %v, want a finite number", e.Quantity, e.Name, e.Value)
	case e.Row >= 0:
		return fmt.Sprintf("network: %s of row %d is %v, want a finite number", e.Quantity, e.Row, e.Value)
	}
	return fmt.Sprintf("network: %s is %v, want a finite number", e.Quantity, e.Value)
}

// checkRows reports the first row of data [rows, stride] that holds a number
// that is not finite. A sum of squares is the fastest way to read them all, and
// in float64 it cannot overflow.
func checkRows(quantity string, data []float32, rows, stride int) error {
	if finite(blas.SumSquares(data[:rows*stride])) {
		return nil
	}
	for i, v := range data {
		if !finite(float64(v)) {
			return &NotFiniteError{Quantity: quantity, Row: i / stride, Value: float64(v)}
		}
	}
	return nil
}

// checkParameters returns the sum of the squares of each parameter in sums, and
// reports the first that holds a number that is not finite.
func checkParameters(quantity string, l layout, sums []float64, data func(parameter int) []float32) error {
	for i, p := range l.parameters {
		sums[i] = blas.SumSquares(data(i))
		if finite(sums[i]) {
			continue
		}
		for _, v := range data(i) {
			if !finite(float64(v)) {
				return &NotFiniteError{Quantity: quantity, Name: p.name, Row: -1, Value: float64(v)}
			}
		}
	}
	return nil
}
