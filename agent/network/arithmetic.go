// This file is what the operations need to know of a number type.

package network

import (
	"kiothi/agent/blas"
	"kiothi/agent/network/fused"
)

// float is a number type a graph can be built in. Networks run in float32;
// tests check the same graph's gradients in float64.
type float interface{ fused.Float }

// arithmetic is the number type of a graph.
type arithmetic[T float] interface {
	fused.Arithmetic[T]

	// biasReLU adds bias to each row of y and, if it is not nil, the residual to
	// y; with relu it then replaces negative values by 0.
	biasReLU(y, bias, residual []T, rows, columns int, relu bool)

	// reluGradient is z = gradient where y > 0 (everywhere without relu) and 0
	// elsewhere; biasGradient is the sum of the rows of z. z may be gradient.
	reluGradient(z, y, gradient, biasGradient []T, rows, columns int, relu bool)
}

// single is float32 on the kernels of package blas.
type single struct{ fused.Single }

func newSingle(workers int) single { return single{fused.NewSingle(workers)} }

func (single) biasReLU(y, bias, residual []float32, rows, columns int, relu bool) {
	blas.BiasReLU(y, bias, residual, rows, columns, relu)
}

func (single) reluGradient(z, y, gradient, biasGradient []float32, rows, columns int, relu bool) {
	blas.ReLUGrad(z, y, gradient, biasGradient, rows, columns, relu)
}
