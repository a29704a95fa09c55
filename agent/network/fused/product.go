// This file is the product of matrices.

package fused

import (
	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// product is op(a)·op(b) in a buffer of its own. Its gradient is that of a·b.
type product[T Float] struct {
	Operation
	Arithmetic[T]
	transposeA, transposeB gblas.Transpose
	m, n, k                int
	result                 *tensor.Dense
	c                      []T
}

// NewProduct adds op(left)·op(right), which are m×k and k×n, in a buffer of its own.
func NewProduct[T Float](a Arithmetic[T], name string, transposeA, transposeB gblas.Transpose, m, n, k int, left, right *gorgonia.Node) (*gorgonia.Node, error) {
	o := &product[T]{Arithmetic: a, transposeA: transposeA, transposeB: transposeB, m: m, n: n, k: k}
	o.result, o.c = NewBuffer[T](m, n)
	o.Operation = New(name, o.result.Shape(), 2, 2)
	return gorgonia.ApplyOp(o, left, right)
}

// Do multiplies.
func (o *product[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	o.Multiply(o.transposeA, o.transposeB, o.m, o.n, o.k, o.Data(inputs[0]), o.Data(inputs[1]), o.c)
	return o.result, nil
}

// DiffWRT says that both factors have a gradient, where neither is transposed; products of gradients have none.
func (o *product[T]) DiffWRT(int) []bool {
	plain := o.transposeA == gblas.NoTrans && o.transposeB == gblas.NoTrans
	return []bool{plain, plain}
}

// SymDiff adds the nodes of the gradients, z·bᵀ and aᵀ·z with the gradient z.
func (o *product[T]) SymDiff(inputs gorgonia.Nodes, _, z *gorgonia.Node) (gorgonia.Nodes, error) {
	left, err := NewProduct(o.Arithmetic, "inputGradient", gblas.NoTrans, gblas.Trans, o.m, o.k, o.n, z, inputs[1])
	if err != nil {
		return nil, err
	}
	right, err := NewProduct(o.Arithmetic, "weightGradient", gblas.Trans, gblas.NoTrans, o.k, o.n, o.m, inputs[0], z)
	return gorgonia.Nodes{left, right}, err
}
