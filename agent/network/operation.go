// This file is the common part of the package's Gorgonia operations.

package network

import (
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"sync/atomic"

	"github.com/chewxy/hm"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// operation is embedded by every operation of the package and leaves it to
// define Do, and DiffWRT and SymDiff where it has a gradient.
//
// Gorgonia merges nodes whose operations hash alike and have the same inputs.
// These operations own buffers, so no two of them may be merged: each has a
// number of its own in its hash.
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

// sideResult hands out a buffer that another operation fills beside the one that
// it returns. Its input is that operation's node, which orders the two.
type sideResult struct {
	operation
	value *tensor.Dense
}

func newSideResult(name string, value *tensor.Dense, after *gorgonia.Node) (*gorgonia.Node, error) {
	return gorgonia.ApplyOp(&sideResult{newOperation(name, value.Shape(), after.Dims()), value}, after)
}

// Do returns the buffer.
func (o *sideResult) Do(...gorgonia.Value) (gorgonia.Value, error) { return o.value, nil }
