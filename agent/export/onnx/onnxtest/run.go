package onnxtest

import (
	"fmt"
	"math"
	"slices"

	"kiothi/agent/export/onnx"
)

// This file runs a graph.

// A Tensor is a float32 array in row-major order. Truth values are 0 and 1.
type Tensor struct {
	Shape []int
	Data  []float32

	ints []int64 // of a constant of whole numbers, in place of Data
}

// New returns a tensor of zeros.
func New(shape ...int) Tensor { return Tensor{Shape: shape, Data: make([]float32, volume(shape))} }

func volume(shape []int) int {
	n := 1
	for _, length := range shape {
		n *= length
	}
	return n
}

// Run computes all outputs from all inputs. Besides what it does not know, it refuses a graph that a runtime would refuse:
// names that are not there yet, or that are given twice, and results of other shapes than the outputs say.
func (m *Model) Run(inputs map[string]Tensor) (map[string]Tensor, error) {
	values := map[onnx.Value]Tensor{}
	put := func(name onnx.Value, t Tensor) error {
		if _, twice := values[name]; twice {
			return fmt.Errorf("two tensors are named %s", name)
		}
		values[name] = t
		return nil
	}
	for _, p := range m.Graph.Inputs {
		t, ok := inputs[p.Name]
		if !ok || len(t.Shape) < 1 || !slices.Equal(t.Shape[1:], p.Shape) {
			return nil, fmt.Errorf("input %s [batch %v], found shape %v", p.Name, p.Shape, t.Shape)
		}
		if err := put(onnx.Value(p.Name), t); err != nil {
			return nil, err
		}
	}
	for _, c := range m.Graph.Constants {
		if err := put(c.Name, Tensor{c.Shape, c.Floats, c.Ints}); err != nil {
			return nil, err
		}
	}
	for _, n := range m.Graph.Nodes {
		arguments := make([]Tensor, len(n.Inputs))
		for i, name := range n.Inputs {
			t, ok := values[name]
			if !ok {
				return nil, fmt.Errorf("node %s takes %s, which is not there", n.Name, name)
			}
			arguments[i] = t
		}
		result, err := apply(&n, arguments)
		if err == nil {
			err = put(n.Output, result)
		}
		if err != nil {
			return nil, fmt.Errorf("node %s: %w", n.Name, err)
		}
	}
	outputs := map[string]Tensor{}
	for _, p := range m.Graph.Outputs {
		t, ok := values[onnx.Value(p.Name)]
		if !ok || !slices.Equal(t.Shape[1:], p.Shape) {
			return nil, fmt.Errorf("output %s [batch %v], found shape %v", p.Name, p.Shape, t.Shape)
		}
		outputs[p.Name] = t
	}
	return outputs, nil
}

// attribute returns a setting of a node.
func attribute(n *onnx.Node, name string) int {
	for _, a := range n.Attributes {
		if a.Name == name {
			return int(a.Int)
		}
	}
	panic("onnxtest: " + n.Op + " without " + name) // a bug in a test, or in what it tests
}

func truth(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// pairwise are the operations on pairs of numbers.
var pairwise = map[string]func(a, b float32) float32{
	"Add":            func(a, b float32) float32 { return a + b },
	"Sub":            func(a, b float32) float32 { return a - b },
	"Mul":            func(a, b float32) float32 { return a * b },
	"Div":            func(a, b float32) float32 { return a / b },
	"Max":            func(a, b float32) float32 { return max(a, b) },
	"GreaterOrEqual": func(a, b float32) float32 { return truth(a >= b) },
	"Equal":          func(a, b float32) float32 { return truth(a == b) },
}

// single are the operations on single numbers.
var single = map[string]func(v float32) float32{
	"Cast":  func(v float32) float32 { return v },
	"Relu":  func(v float32) float32 { return max(v, 0) },
	"Floor": func(v float32) float32 { return float32(math.Floor(float64(v))) },
	"Round": func(v float32) float32 { return float32(math.RoundToEven(float64(v))) },
}

func apply(n *onnx.Node, in []Tensor) (Tensor, error) {
	if f, ok := single[n.Op]; ok {
		out := New(in[0].Shape...)
		for i, v := range in[0].Data {
			out.Data[i] = f(v)
		}
		return out, nil
	}
	if f, ok := pairwise[n.Op]; ok {
		return broadcast(in[0], in[1], f)
	}
	switch n.Op {
	case "Gather":
		return gather(in[0], in[1].ints, attribute(n, "axis")), nil
	case "Concat":
		return concat(in, attribute(n, "axis"))
	case "Reshape":
		return reshape(in[0], in[1].ints)
	case "ReduceSum":
		return sum(in[0], int(in[1].ints[0])), nil
	case "MatMul":
		return multiply(in[0], in[1], New(in[1].Shape[1]))
	case "Gemm":
		return multiply(in[0], in[1], in[2])
	case "Softmax":
		return softmax(in[0]), nil
	}
	return Tensor{}, fmt.Errorf("unknown operation %s", n.Op)
}

// broadcast computes f of two tensors, which are aligned at their last axes and repeated along axes of length 1.
func broadcast(a, b Tensor, f func(a, b float32) float32) (Tensor, error) {
	rank := max(len(a.Shape), len(b.Shape))
	at := func(t Tensor, axis int) int {
		if axis -= rank - len(t.Shape); axis >= 0 {
			return t.Shape[axis]
		}
		return 1
	}
	shape := make([]int, rank)
	for axis := range shape {
		x, y := at(a, axis), at(b, axis)
		if shape[axis] = max(x, y); min(x, y) != 1 && x != y {
			return Tensor{}, fmt.Errorf("shapes %v and %v", a.Shape, b.Shape)
		}
	}
	out := New(shape...)
	for i := range out.Data {
		x, y, rest := 0, 0, i
		strideX, strideY := 1, 1
		for axis := rank - 1; axis >= 0; axis-- {
			where := rest % shape[axis]
			rest /= shape[axis]
			if length := at(a, axis); length > 1 {
				x += where * strideX
				strideX *= length
			}
			if length := at(b, axis); length > 1 {
				y += where * strideY
				strideY *= length
			}
		}
		out.Data[i] = f(a.Data[x], b.Data[y])
	}
	return out, nil
}

// around splits a shape: the entries before an axis, on it, and behind it.
func around(shape []int, axis int) (before, length, behind int) {
	return volume(shape[:axis]), shape[axis], volume(shape[axis+1:])
}

func gather(t Tensor, indices []int64, axis int) Tensor {
	before, length, behind := around(t.Shape, axis)
	shape := slices.Clone(t.Shape)
	shape[axis] = len(indices)
	data := make([]float32, 0, volume(shape))
	for i := range before {
		for _, index := range indices {
			start := (i*length + int(index)) * behind
			data = append(data, t.Data[start:start+behind]...)
		}
	}
	return Tensor{Shape: shape, Data: data}
}

func concat(parts []Tensor, axis int) (Tensor, error) {
	shape := slices.Clone(parts[0].Shape)
	shape[axis] = 0
	for _, p := range parts {
		other := slices.Clone(p.Shape)
		shape[axis] += other[axis]
		if other[axis] = shape[axis]; !slices.Equal(other, shape) {
			return Tensor{}, fmt.Errorf("parts of the shapes %v and %v", parts[0].Shape, p.Shape)
		}
	}
	var data []float32
	for i := range volume(shape[:axis]) {
		for _, p := range parts {
			_, length, behind := around(p.Shape, axis)
			size := length * behind
			data = append(data, p.Data[i*size:(i+1)*size]...)
		}
	}
	return Tensor{Shape: shape, Data: data}, nil
}

func reshape(t Tensor, to []int64) (Tensor, error) {
	shape, free, known := make([]int, len(to)), -1, 1
	for i, n := range to {
		if shape[i] = int(n); n == -1 {
			free = i
		} else {
			known *= int(n)
		}
	}
	if free >= 0 {
		shape[free] = len(t.Data) / known
	}
	if volume(shape) != len(t.Data) {
		return Tensor{}, fmt.Errorf("shape %v made %v", t.Shape, to)
	}
	return Tensor{Shape: shape, Data: t.Data}, nil
}

func sum(t Tensor, axis int) Tensor {
	before, length, behind := around(t.Shape, axis)
	shape := slices.Clone(t.Shape)
	shape[axis] = 1
	out := New(shape...)
	for i := range before {
		for j := range length {
			for k := range behind {
				out.Data[i*behind+k] += t.Data[(i*length+j)*behind+k]
			}
		}
	}
	return out
}

// multiply computes a·b + c for matrices a and b and a row c.
func multiply(a, b, c Tensor) (Tensor, error) {
	if len(a.Shape) != 2 || len(b.Shape) != 2 || a.Shape[1] != b.Shape[0] || !slices.Equal(c.Shape, b.Shape[1:]) {
		return Tensor{}, fmt.Errorf("shapes %v, %v and %v", a.Shape, b.Shape, c.Shape)
	}
	rows, inner, columns := a.Shape[0], a.Shape[1], b.Shape[1]
	out := New(rows, columns)
	for i := range rows {
		row := out.Data[i*columns : (i+1)*columns]
		copy(row, c.Data)
		for k := range inner {
			if v := a.Data[i*inner+k]; v != 0 {
				for j, w := range b.Data[k*columns : (k+1)*columns] {
					row[j] += v * w
				}
			}
		}
	}
	return out, nil
}

// softmax is along the last axis.
func softmax(t Tensor) Tensor {
	out := New(t.Shape...)
	length := t.Shape[len(t.Shape)-1]
	for start := 0; start < len(t.Data); start += length {
		logits, to := t.Data[start:start+length], out.Data[start:start+length]
		highest, sum := slices.Max(logits), 0.0
		for _, l := range logits {
			sum += math.Exp(float64(l - highest))
		}
		for i, l := range logits {
			to[i] = float32(math.Exp(float64(l-highest)) / sum)
		}
	}
	return out
}
