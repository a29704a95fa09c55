// This file is the common part of all Gorgonia operations.

package fused

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

// Operation is embedded by every operation, and leaves it to define Do, and DiffWRT and SymDiff where it has a gradient.
// Results are buffers that the operation owns, so that a run allocates no tensor.
//
// Gorgonia merges nodes whose operations hash alike and have the same inputs. These operations own buffers, so no two of
// them may be merged: each has a number of its own in its hash.
type Operation struct {
	number     uint64
	name       string
	shape      tensor.Shape // of the result; empty for a scalar
	dimensions []int        // of each input: 0 scalar, 1 vector, 2 matrix
}

var operations atomic.Uint64

// New returns what an operation embeds: its name, the shape of its result, nil for a scalar, and the number of dimensions of
// each input.
func New(name string, shape tensor.Shape, dimensions ...int) Operation {
	return Operation{operations.Add(1), name, shape, dimensions}
}

// Arity is the number of inputs.
func (o *Operation) Arity() int { return len(o.dimensions) }

// Type is input → … → result over one number type.
func (o *Operation) Type() hm.Type {
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
func (o *Operation) InferShape(...gorgonia.DimSizer) (tensor.Shape, error) {
	if len(o.shape) == 0 {
		return tensor.ScalarShape(), nil
	}
	return o.shape.Clone(), nil
}

// ReturnsPtr is true: results are the operation's own buffers.
func (o *Operation) ReturnsPtr() bool { return true }

// CallsExtern is false: there is no other device.
func (o *Operation) CallsExtern() bool { return false }

// OverwritesInput is -1: inputs are only read.
func (o *Operation) OverwritesInput() int { return -1 }

// WriteHash writes the operation's identity.
func (o *Operation) WriteHash(h hash.Hash) {
	h.Write([]byte(o.name))
	h.Write(binary.LittleEndian.AppendUint64(nil, o.number))
}

// Hashcode is a short form of the operation's identity.
func (o *Operation) Hashcode() uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}

// String is the name with the number.
func (o *Operation) String() string { return fmt.Sprintf("%s#%d", o.name, o.number) }

// NewBuffer makes a tensor of zeros and returns its backing slice beside it.
func NewBuffer[T Float](shape ...int) (*tensor.Dense, []T) {
	data := make([]T, tensor.Shape(shape).TotalSize())
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data)), data
}

// sideResult hands out a buffer that another operation fills beside the one that it returns. Its input is that operation's
// node, which orders the two.
type sideResult struct {
	Operation
	value *tensor.Dense
}

// NewSideResult adds a node that hands out a buffer which the operation of another node, after, fills.
func NewSideResult(name string, value *tensor.Dense, after *gorgonia.Node) (*gorgonia.Node, error) {
	return gorgonia.ApplyOp(&sideResult{New(name, value.Shape(), after.Dims()), value}, after)
}

// Do returns the buffer.
func (o *sideResult) Do(...gorgonia.Value) (gorgonia.Value, error) { return o.value, nil }
