// This file is what operations need to know of a number type.

package fused

import (
	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/blas"
)

// Float is a number type that a graph can be built in. Networks run in float32; tests check the same graph's gradients in
// float64.
type Float interface{ float32 | float64 }

// Arithmetic is the number type of a graph. All matrices are dense and row-major.
type Arithmetic[T Float] interface {
	DType() tensor.Dtype

	// Data is the backing slice of a tensor.
	Data(gorgonia.Value) []T

	// NewScalar makes a value that SetScalar overwrites.
	NewScalar() gorgonia.Value
	SetScalar(s gorgonia.Value, v float64)
	Scalar(gorgonia.Value) float64

	// Multiply is c = op(a)·op(b), where op(a) is m×k, op(b) k×n and c m×n.
	Multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []T)
}

// Single is float32 on the kernels of package blas.
type Single struct{ product *blas.Implementation }

// NewSingle returns float32 whose products are computed by a number of workers.
func NewSingle(workers int) Single { return Single{blas.New(workers)} }

// DType is float32.
func (Single) DType() tensor.Dtype { return tensor.Float32 }

// Data is the backing slice of a tensor.
func (Single) Data(v gorgonia.Value) []float32 { return v.(*tensor.Dense).Float32s() }

// NewScalar makes a zero.
func (Single) NewScalar() gorgonia.Value { return gorgonia.NewF32(0) }

// SetScalar overwrites a scalar.
func (Single) SetScalar(s gorgonia.Value, v float64) { *s.(*gorgonia.F32) = gorgonia.F32(v) }

// Scalar returns a scalar's number.
func (Single) Scalar(v gorgonia.Value) float64 { return float64(*v.(*gorgonia.F32)) }

// Multiply is c = op(a)·op(b).
func (s Single) Multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []float32) {
	lda, ldb := Strides(transposeA, transposeB, m, n, k)
	s.product.Sgemm(transposeA, transposeB, m, n, k, 1, a, lda, b, ldb, 0, c, n)
}

// Strides returns the row length of a and of b as they are stored, of a product op(a)·op(b).
func Strides(transposeA, transposeB gblas.Transpose, m, n, k int) (lda, ldb int) {
	lda, ldb = k, n
	if transposeA == gblas.Trans {
		lda = m
	}
	if transposeB == gblas.Trans {
		ldb = k
	}
	return lda, ldb
}
