// This file is the common part of the package's Gorgonia operations.

package distill

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"sync/atomic"

	"github.com/chewxy/hm"
	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/blas"
)

// float is a number type that the graph can be built in: float32 to learn, float64 to check its gradients.
type float interface{ float32 | float64 }

// arithmetic is what the operations need to know of a number type. Matrices are dense and row-major.
type arithmetic[T float] interface {
	dtype() tensor.Dtype
	data(gorgonia.Value) []T // the backing slice of a tensor
	newScalar() gorgonia.Value
	setScalar(s gorgonia.Value, v float64)
	scalar(gorgonia.Value) float64
	// multiply is c = op(a)·op(b), where op(a) is m×k, op(b) k×n and c m×n.
	multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []T)
	// add adds x to y, both of one length.
	add(y, x []T)
}

// single is float32 on the kernels of package blas.
type single struct{ product *blas.Implementation }

func (single) dtype() tensor.Dtype                   { return tensor.Float32 }
func (single) data(v gorgonia.Value) []float32       { return v.(*tensor.Dense).Float32s() }
func (single) newScalar() gorgonia.Value             { return gorgonia.NewF32(0) }
func (single) setScalar(s gorgonia.Value, v float64) { *s.(*gorgonia.F32) = gorgonia.F32(v) }
func (single) scalar(v gorgonia.Value) float64       { return float64(*v.(*gorgonia.F32)) }
func (single) add(y, x []float32)                    { blas.BiasReLU(y, x, nil, 1, len(y), false) }

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

// operation is embedded by every operation of the package and leaves it to define Do, and DiffWRT and SymDiff where it has
// a gradient. Results are buffers that the operation owns, so that a run allocates no tensor.
//
// Gorgonia merges nodes whose operations hash alike and have the same inputs. These operations own buffers, so no two of
// them may be merged: each has a number of its own in its hash.
type operation struct {
	number     uint64
	name       string
	shape      tensor.Shape // of the result; empty for a scalar
	dimensions []int        // of each input: 0 scalar, 1 vector, 2 matrix
}

var operations atomic.Uint64

func newOperation(name string, shape tensor.Shape, dimensions ...int) operation {
	return operation{operations.Add(1), name, shape, dimensions}
}

// Arity is the number of inputs.
func (o *operation) Arity() int { return len(o.dimensions) }

// Type is input → … → result over one number type.
func (o *operation) Type() hm.Type {
	number := hm.TypeVariable('a')
	var types []hm.Type
	for _, d := range append(slices.Clone(o.dimensions), len(o.shape)) {
		if d == 0 {
			types = append(types, number)
		} else {
			types = append(types, gorgonia.TensorType{Dims: d, Of: number})
		}
	}
	return hm.NewFnType(types...)
}

// InferShape is the shape that the operation was made for.
func (o *operation) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	if len(o.shape) == 0 {
		return tensor.ScalarShape(), nil
	}
	return o.shape.Clone(), nil
}

// ReturnsPtr is true: results are the operation's own buffers.
func (o *operation) ReturnsPtr() bool { return true }

// CallsExtern is false: there is no other device.
func (o *operation) CallsExtern() bool { return false }

// OverwritesInput is -1: inputs are only read.
func (o *operation) OverwritesInput() int { return -1 }

// WriteHash writes the operation's identity.
func (o *operation) WriteHash(h hash.Hash) {
	h.Write([]byte(o.name))
	h.Write(binary.LittleEndian.AppendUint64(nil, o.number))
}

// Hashcode is a short form of the operation's identity.
func (o *operation) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

func (o *operation) String() string { return fmt.Sprintf("%s#%d", o.name, o.number) }

// newBuffer makes a tensor of zeros and returns its backing slice beside it.
func newBuffer[T float](shape ...int) (*tensor.Dense, []T) {
	data := make([]T, tensor.Shape(shape).TotalSize())
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data)), data
}

// sideResult hands out a buffer that another operation fills beside the one that it returns. Its input is that operation's
// node, which orders the two.
type sideResult struct {
	operation
	value *tensor.Dense
}

func newSideResult(name string, value *tensor.Dense, after *gorgonia.Node) (*gorgonia.Node, error) {
	return gorgonia.ApplyOp(&sideResult{newOperation(name, value.Shape(), after.Dims()), value}, after)
}

// Do returns the buffer.
func (o *sideResult) Do(...gorgonia.Value) (gorgonia.Value, error) { return o.value, nil }

// product is op(a)·op(b) in a buffer of its own. Its gradient is that of a·b.
type product[T float] struct {
	operation
	arithmetic[T]
	transposeA, transposeB gblas.Transpose
	m, n, k                int
	result                 *tensor.Dense
	c                      []T
}

func newProduct[T float](a arithmetic[T], name string, transposeA, transposeB gblas.Transpose, m, n, k int, left, right *gorgonia.Node) (*gorgonia.Node, error) {
	o := &product[T]{arithmetic: a, transposeA: transposeA, transposeB: transposeB, m: m, n: n, k: k}
	o.result, o.c = newBuffer[T](m, n)
	o.operation = newOperation(name, o.result.Shape(), 2, 2)
	return gorgonia.ApplyOp(o, left, right)
}

// Do multiplies.
func (o *product[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	o.multiply(o.transposeA, o.transposeB, o.m, o.n, o.k, o.data(inputs[0]), o.data(inputs[1]), o.c)
	return o.result, nil
}

// DiffWRT says that both factors have a gradient, where neither is transposed; products of gradients have none.
func (o *product[T]) DiffWRT(int) []bool {
	plain := o.transposeA == gblas.NoTrans && o.transposeB == gblas.NoTrans
	return []bool{plain, plain}
}

// SymDiff adds the nodes of the gradients, z·bᵀ and aᵀ·z with the gradient z.
func (o *product[T]) SymDiff(inputs gorgonia.Nodes, _, z *gorgonia.Node) (gorgonia.Nodes, error) {
	left, err := newProduct(o.arithmetic, "inputGradient", gblas.NoTrans, gblas.Trans, o.m, o.k, o.n, z, inputs[1])
	if err != nil {
		return nil, err
	}
	right, err := newProduct(o.arithmetic, "weightGradient", gblas.Trans, gblas.NoTrans, o.k, o.n, o.m, inputs[0], z)
	return gorgonia.Nodes{left, right}, err
}
