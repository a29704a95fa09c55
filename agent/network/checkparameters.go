// This file finds parameters and gradients that are not finite before they do
// harm.

package network

import (
	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

// checkParameters returns the sum of the squares of each parameter in sums, and
// reports the first that holds a number that is not finite.
func checkParameters(quantity string, l weights.Layout, sums []float64, data func(parameter int) []float32) error {
	for i, p := range l.Parameters {
		sums[i] = blas.SumSquares(data(i))
		if weights.Finite(sums[i]) {
			continue
		}
		for _, v := range data(i) {
			if !weights.Finite(float64(v)) {
				return &weights.NotFiniteError{Quantity: quantity, Name: p.Name, Row: -1, Value: float64(v)}
			}
		}
	}
	return nil
}
