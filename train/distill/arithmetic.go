// This file is what the operations need to know of a number type.

package distill

import (
	"kiothi/agent/blas"
	"kiothi/agent/network/fused"
)

// float is a number type that the graph can be built in: float32 to learn, float64 to check its gradients.
type float interface{ fused.Float }

// arithmetic is the number type of a graph.
type arithmetic[T float] interface {
	fused.Arithmetic[T]
	// add adds x to y, both of one length.
	add(y, x []T)
}

// single is float32 on the kernels of package blas.
type single struct{ fused.Single }

func newSingle(workers int) single { return single{fused.NewSingle(workers)} }

func (single) add(y, x []float32) { blas.BiasReLU(y, x, nil, 1, len(y), false) }
