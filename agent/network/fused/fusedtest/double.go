package fusedtest

import (
	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
)

// This file is float64.

// Double is float64 in plain Go, precise enough for finite differences. Tests embed it and add what their network needs.
type Double struct{}

var _ fused.Arithmetic[float64] = Double{}

// DType is float64.
func (Double) DType() tensor.Dtype { return tensor.Float64 }

// Data is the backing slice of a tensor.
func (Double) Data(v gorgonia.Value) []float64 { return v.(*tensor.Dense).Float64s() }

// NewScalar makes a zero.
func (Double) NewScalar() gorgonia.Value { return gorgonia.NewF64(0) }

// SetScalar overwrites a scalar.
func (Double) SetScalar(s gorgonia.Value, v float64) { *s.(*gorgonia.F64) = gorgonia.F64(v) }

// Scalar returns a scalar's number.
func (Double) Scalar(v gorgonia.Value) float64 { return float64(*v.(*gorgonia.F64)) }

// Multiply is c = op(a)·op(b).
func (Double) Multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []float64) {
	lda, ldb := fused.Strides(transposeA, transposeB, m, n, k)
	gonum.Implementation{}.Dgemm(transposeA, transposeB, m, n, k, 1, a, lda, b, ldb, 0, c, n)
}
