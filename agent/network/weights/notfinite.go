// This file finds numbers that are not finite before they do harm.

package weights

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

// Error implements error.
func (e *NotFiniteError) Error() string {
	switch {
	case e.Name != "":
		return fmt.Sprintf("network: %s of %s is %v, want a finite number", e.Quantity, e.Name, e.Value)
	case e.Row >= 0:
		return fmt.Sprintf("network: %s of row %d is %v, want a finite number", e.Quantity, e.Row, e.Value)
	}
	return fmt.Sprintf("network: %s is %v, want a finite number", e.Quantity, e.Value)
}

// CheckRows reports the first row of data [rows, stride] that holds a number
// that is not finite. A sum of squares is the fastest way to read them all, and
// in float64 it cannot overflow.
func CheckRows(quantity string, data []float32, rows, stride int) error {
	if Finite(blas.SumSquares(data[:rows*stride])) {
		return nil
	}
	for i, v := range data {
		if !Finite(float64(v)) {
			return &NotFiniteError{Quantity: quantity, Row: i / stride, Value: float64(v)}
		}
	}
	return nil
}
