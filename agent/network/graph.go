// This file builds the network as a Gorgonia graph, for inference and for
// training from one definition, and runs it.

package network

import (
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/weights"
)

// graph is a network over a fixed greatest batch. Its slices are the backing of
// the nodes' tensors. One for inference is run by forward, one for training by run.
type graph[T float] struct {
	batch int
	rows  int // rows that a run computes, at most batch

	input          []T       // [batch, InputStride]
	policy, margin *dense[T] // logits
	layers         []layer[T]

	// Training only; see Trainer.
	policyLoss, valueLoss *crossEntropy[T]
	losses                []*crossEntropy[T] // both
	gradients             gorgonia.Nodes     // of each parameter, in the layout's order
	machine               gorgonia.VM
}

// layer is a dense layer and what it reads.
type layer[T float] struct {
	op     *dense[T]
	inputs []gorgonia.Value
}

// Gorgonia counts nodes in globals that it does not guard.
var building sync.Mutex

func buildInference[T float](c Config, a arithmetic[T], flat []T, batch int) (*graph[T], error) {
	building.Lock()
	defer building.Unlock()
	b := newBuilder(c, a, flat, batch)
	b.network(make([]T, batch*c.InputStride()))
	return b.graph, b.err
}

// buildTraining builds a graph over some rows of a batch. Before it runs,
// [normalise] must have been called with the graphs of all rows.
func buildTraining[T float](c Config, a arithmetic[T], flat []T, rows examples[T], valueWeight float64) (*graph[T], error) {
	building.Lock()
	defer building.Unlock()
	b := newBuilder(c, a, flat, len(rows.policyWeights))
	policy, margin := b.network(rows.input)
	b.loss(policy, margin, rows, valueWeight)
	if b.err != nil {
		return nil, b.err
	}
	b.graph.machine = gorgonia.NewTapeMachine(b.expression)
	return b.graph, nil
}

// forward computes the logits, layer by layer, as a tape machine would. That one
// locks the goroutine that calls it to its thread and computes on another: two
// threads are woken for each run, which takes little time while a core is idle,
// and up to a quarter of it when each core has a worker (experiments/speed.md).
func (g *graph[T]) forward() error {
	for _, l := range g.layers {
		if _, err := l.op.Do(l.inputs...); err != nil {
			return err
		}
	}
	return nil
}

// run computes everything once. A machine that is not reset would do nothing the
// next time, without an error; nothing else runs one.
func (g *graph[T]) run() error {
	err := g.machine.RunAll()
	g.machine.Reset()
	return err
}

func (g *graph[T]) close() error { return g.machine.Close() }

// gradient is the gradient of a parameter after a run, padded as the parameter.
func (g *graph[T]) gradient(parameter int) []T {
	return g.policy.Data(g.gradients[parameter].Value())
}

// builder adds nodes to a graph. After the first error it adds none.
type builder[T float] struct {
	config     Config
	arithmetic arithmetic[T]
	layout     weights.Layout
	expression *gorgonia.ExprGraph
	parameters gorgonia.Nodes // in the layout's order
	values     map[*gorgonia.Node]gorgonia.Value
	graph      *graph[T]
	err        error
}

func newBuilder[T float](c Config, a arithmetic[T], flat []T, batch int) *builder[T] {
	b := &builder[T]{
		config: c, arithmetic: a, layout: weights.NewLayout(c),
		expression: gorgonia.NewGraph(),
		values:     map[*gorgonia.Node]gorgonia.Value{},
		graph:      &graph[T]{batch: batch, rows: batch},
	}
	for _, p := range b.layout.Parameters {
		shape := tensor.Shape{p.Rows.Padded, p.Columns.Padded}
		if p.Bias {
			shape = shape[1:]
		}
		// A header of this graph's own over the shared numbers: a tape machine
		// writes to the headers that it is given.
		b.parameters = append(b.parameters, b.node(p.Name, weights.Part(p, flat), shape...))
	}
	return b
}

// node is a leaf of the graph over data.
func (b *builder[T]) node(name string, data []T, shape ...int) *gorgonia.Node {
	value := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
	node := gorgonia.NewTensor(b.expression, b.arithmetic.DType(), len(shape),
		gorgonia.WithShape(shape...), gorgonia.WithName(name), gorgonia.WithValue(value))
	b.values[node] = value
	return node
}

// network adds the network itself and returns the nodes of its logits.
func (b *builder[T]) network(input []T) (policy, margin *gorgonia.Node) {
	c := b.config
	x := b.node("input", input, b.graph.batch, c.InputStride())
	b.graph.input = input
	_, h := b.dense(weights.InputLayer, denseConfig{relu: true}, x, nil)
	hidden, linear := denseConfig{relu: true, inputGradient: true}, denseConfig{inputGradient: true}
	for i := range c.Blocks {
		_, t := b.dense(c.FirstLayer(i), hidden, h, nil)
		_, h = b.dense(c.SecondLayer(i), hidden, t, h)
	}
	b.graph.policy, policy = b.dense(c.PolicyLayer(), linear, h, nil)
	_, v := b.dense(c.ValueLayer(), hidden, h, nil)
	b.graph.margin, margin = b.dense(c.MarginLayer(), linear, v, nil)
	return policy, margin
}

func (b *builder[T]) dense(number int, c denseConfig, x, residual *gorgonia.Node) (*dense[T], *gorgonia.Node) {
	if b.err != nil {
		return nil, nil
	}
	inputs := gorgonia.Nodes{x, b.parameters[2*number], b.parameters[2*number+1]}
	if residual != nil {
		inputs = append(inputs, residual)
	}
	op, node, err := newDense(b.arithmetic, c, &b.graph.rows, inputs)
	if err != nil {
		b.err = err
		return nil, nil
	}
	l := layer[T]{op: op}
	for _, n := range inputs {
		l.inputs = append(l.inputs, b.values[n])
	}
	b.graph.layers = append(b.graph.layers, l)
	b.values[node] = op.result
	return op, node
}

// loss adds the loss over the logits, and the gradients of all parameters. Where
// gradients meet, at each residual and before the heads, Gorgonia adds them with
// an operation of its own, in place.
func (b *builder[T]) loss(policy, margin *gorgonia.Node, rows examples[T], valueWeight float64) {
	if b.err != nil {
		return
	}
	g, batch := b.graph, b.graph.batch
	mask := b.node("mask", rows.mask, batch, b.config.Actions)
	policyTarget := b.node("policyTarget", rows.policyTarget, batch, b.config.Actions)
	marginTarget := b.node("marginTarget", rows.marginTarget, batch, b.config.Bins)
	policyWeights := b.node("policyWeights", rows.policyWeights, batch)
	valueWeights := b.node("valueWeights", rows.valueWeights, batch)

	var policyLoss, valueLoss, total *gorgonia.Node
	if g.policyLoss, policyLoss, b.err = newCrossEntropy(b.arithmetic, "policy", policy, mask, policyTarget, policyWeights); b.err != nil {
		return
	}
	if g.valueLoss, valueLoss, b.err = newCrossEntropy(b.arithmetic, "value", margin, nil, marginTarget, valueWeights); b.err != nil {
		return
	}
	if total, b.err = newTotalLoss(b.arithmetic, valueWeight, policyLoss, valueLoss); b.err != nil {
		return
	}
	g.losses = []*crossEntropy[T]{g.policyLoss, g.valueLoss}
	g.gradients, b.err = gorgonia.Grad(total, b.parameters...)
}
