// This file is what the operations need to know of a number type.

package network

import (
	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/blas"
)

// float is a number type a graph can be built in. Networks run in float32;
// tests check the same graph's gradients in float64.
type float interface{ float32 | float64 }

// arithmetic is the number type of a graph. All matrices are dense and
// row-major.
type arithmetic[T float] interface {
	dtype() tensor.Dtype

	// data is the backing slice of a tensor.
	data(gorgonia.Value) []T

	// newScalar makes a value that setScalar overwrites.
	newScalar() gorgonia.Value
	setScalar(s gorgonia.Value, v float64)
	scalar(gorgonia.Value) float64

	// multiply is c = op(a)·op(b), where op(a) is m×k, op(b) k×n and c m×n.
	multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []T)

	// biasReLU adds bias to each row of y and, if it is not nil, the residual to
	// y; with relu it then replaces negative values by 0.
	biasReLU(y, bias, residual []T, rows, columns int, relu bool)

	// reluGradient is z = gradient where y > 0 (everywhere without relu) and 0
	// elsewhere; biasGradient is the sum of the rows of z. z may be gradient.
	reluGradient(z, y, gradient, biasGradient []T, rows, columns int, relu bool)
}

// single is float32 on the kernels of package blas.
type single struct{ product *blas.Implementation }

func newSingle(workers int) single { return single{blas.New(workers)} }

func (single) dtype() tensor.Dtype                   { return tensor.Float32 }
func (single) data(v gorgonia.Value) []float32       { return v.(*tensor.Dense).Float32s() }
func (single) newScalar() gorgonia.Value             { return gorgonia.NewF32(0) }
func (single) setScalar(s gorgonia.Value, v float64) { *s.(*gorgonia.F32) = gorgonia.F32(v) }
func (single) scalar(v gorgonia.Value) float64       { return float64(*v.(*gorgonia.F32)) }

func (s single) multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []float32) {
	lda, ldb := strides(transposeA, transposeB, m, n, k)
	s.product.Sgemm(transposeA, transposeB, m, n, k, 1, a, lda, b, ldb, 0, c, n)
}

// strides is the row length of a and of b as they are stored.
func strides(transposeA, transposeB gblas.Transpose, m, n, k int) (lda, ldb int) {
	lda, ldb = k, n
	if transposeA == gblas.Trans {
		lda = m
	}
	if transposeB == gblas.Trans {
		ldb = k
	}
	return lda, ldb
}

func (single) biasReLU(y, bias, residual []float32, rows, columns int, relu bool) {
	blas.BiasReLU(y, bias, residual, rows, columns, relu)
}

func (single) reluGradient(z, y, gradient, biasGradient []float32, rows, columns int, relu bool) {
	blas.ReLUGrad(z, y, gradient, biasGradient, rows, columns, relu)
}
