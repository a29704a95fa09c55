package onnx

import (
	"fmt"
	"slices"
	"strings"
)

// This file builds a graph.

// Batch is the name of the axis whose length each run chooses, as a dimension of an Input or Output.
const Batch = "batch"

// A DType is the type of a tensor's elements, by ONNX's number.
type DType int32

// The types of elements that graphs here are made of.
const (
	Float32 DType = 1
	Int64   DType = 7
)

// A Value is a tensor in a graph, by its name.
type Value string

// An Attribute is a setting of an operation. All those that are used here are whole numbers.
type Attribute struct {
	Name string
	Int  int64
}

// A Node is an operation of the graph.
type Node struct {
	Op         string // such as "Gemm"
	Name       string
	Inputs     []Value
	Output     Value
	Attributes []Attribute
}

// A Constant is a tensor that the graph holds: its weights, tables and indices. One of Floats and Ints is set.
type Constant struct {
	Name   Value
	Shape  []int
	Floats []float32
	Ints   []int64
}

// A Port is an input or output of the graph: a float32 tensor [batch, Shape...].
type Port struct {
	Name  string
	Shape []int // without the batch
	Doc   string
}

// A Graph is a list of operations, each after those whose results it takes. The zero value is an empty graph.
type Graph struct {
	Name string

	Nodes           []Node
	Constants       []Constant
	Inputs, Outputs []Port

	scope   string
	taken   map[string]int  // how often each name was asked for
	renamed map[Value]Value // results that became outputs
}

// Scope puts what is added from now on under a heading in the names of nodes, for people who look at the graph.
func (g *Graph) Scope(name string) { g.scope = name }

// name makes a name that no other tensor has.
func (g *Graph) name(base string) string {
	if g.taken == nil {
		g.taken = map[string]int{}
	}
	if g.scope != "" {
		base = g.scope + "/" + base
	}
	g.taken[base]++
	if n := g.taken[base]; n > 1 {
		return fmt.Sprintf("%s_%d", base, n)
	}
	return base
}

// Input adds an input [batch, shape...].
func (g *Graph) Input(p Port) Value {
	g.Inputs = append(g.Inputs, p)
	return Value(p.Name)
}

// Output makes the result of a node an output of the graph, under the output's name.
func (g *Graph) Output(v Value, p Port) {
	g.Outputs = append(g.Outputs, p)
	renamed := Value(p.Name)
	if g.renamed == nil {
		g.renamed = map[Value]Value{}
	}
	g.renamed[v] = renamed
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Output == v {
			n.Output = renamed
		}
		for j, input := range n.Inputs {
			if input == v {
				n.Inputs[j] = renamed
			}
		}
	}
}

// Floats adds a constant of float32 numbers in row-major order.
func (g *Graph) Floats(name string, data []float32, shape ...int) Value {
	v := Value(g.name(name))
	g.Constants = append(g.Constants, Constant{Name: v, Shape: shape, Floats: data})
	return v
}

// Ints adds a constant of whole numbers, a vector unless a shape is given.
func (g *Graph) Ints(name string, data []int64, shape ...int) Value {
	if shape == nil {
		shape = []int{len(data)}
	}
	v := Value(g.name(name))
	g.Constants = append(g.Constants, Constant{Name: v, Shape: shape, Ints: data})
	return v
}

// Scalar adds a constant that is one number.
func (g *Graph) Scalar(f float32) Value { return g.Floats("constant", []float32{f}, 1) }

// Apply adds an operation without attributes and returns its result.
func (g *Graph) Apply(op string, inputs ...Value) Value { return g.ApplyWith(op, nil, inputs...) }

// ApplyWith adds an operation with attributes and returns its result.
func (g *Graph) ApplyWith(op string, attributes []Attribute, inputs ...Value) Value {
	name := g.name(strings.ToLower(op))
	inputs = slices.Clone(inputs)
	for i, input := range inputs {
		if output, ok := g.renamed[input]; ok {
			inputs[i] = output
		}
	}
	g.Nodes = append(g.Nodes, Node{Op: op, Name: name, Inputs: inputs, Output: Value(name), Attributes: attributes})
	return Value(name)
}

// The operations that follow are short for Apply with what they need beside their tensors.

// Gather picks entries of an axis by their indices.
func (g *Graph) Gather(v Value, axis int, indices ...int) Value {
	list := make([]int64, len(indices))
	for i, n := range indices {
		list[i] = int64(n)
	}
	return g.ApplyWith("Gather", []Attribute{{"axis", int64(axis)}}, v, g.Ints("indices", list))
}

// Concat joins tensors along an axis.
func (g *Graph) Concat(axis int, parts ...Value) Value {
	return g.ApplyWith("Concat", []Attribute{{"axis", int64(axis)}}, parts...)
}

// Reshape gives each row of the batch a shape.
func (g *Graph) Reshape(v Value, shape ...int) Value {
	list := []int64{-1}
	for _, n := range shape {
		list = append(list, int64(n))
	}
	return g.Apply("Reshape", v, g.Ints("shape", list))
}

// Sum adds up the entries of an axis, which stays with the length 1.
func (g *Graph) Sum(v Value, axis int) Value {
	return g.ApplyWith("ReduceSum", []Attribute{{"keepdims", 1}}, v, g.Ints("axes", []int64{int64(axis)}))
}

// AtLeast is 1 where a ≥ b and 0 elsewhere.
func (g *Graph) AtLeast(a, b Value) Value { return g.number(g.Apply("GreaterOrEqual", a, b)) }

// Equal is 1 where a = b and 0 elsewhere.
func (g *Graph) Equal(a, b Value) Value { return g.number(g.Apply("Equal", a, b)) }

// number turns truth values into numbers.
func (g *Graph) number(v Value) Value {
	return g.ApplyWith("Cast", []Attribute{{"to", int64(Float32)}}, v)
}
