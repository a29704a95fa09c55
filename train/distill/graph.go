// This file puts the network together as a Gorgonia graph.

package distill

import (
	"sync"

	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
	"kiothi/agent/nnue"
)

// A batch is the positions of a step.
type batch struct {
	size    int
	rows    []int32   // [size, Layout.Tables()]: see nnue.Layout.Index
	buckets []uint8   // [size]
	targets []float32 // [size]: expected results
}

func newBatch(size int, l nnue.Layout) *batch {
	return &batch{size: size, rows: make([]int32, size*l.Tables()), buckets: make([]uint8, size), targets: make([]float32, size)}
}

// The parameters of the graph, in this order: those of nnue.Float and nnue.Factors.
const (
	tablesParameter = iota
	ownParameter
	enemyParameter
	slopeParameter
	denseParameter
	denseBiasParameter
	outputParameter
	outputBiasParameter
	parameterCount
)

// parameterNames are for errors.
var parameterNames = [parameterCount]string{"tables", "own factors", "enemy factors", "slope", "dense weights", "dense biases", "output weights", "output biases"}

// shapes returns the shape of each parameter.
func shapes(l nnue.Layout, hidden int) [parameterCount]tensor.Shape {
	cells := l.Columns() * nnue.Cells
	return [parameterCount]tensor.Shape{
		{l.Rows(), hidden}, {cells, hidden}, {cells, hidden}, {1, hidden},
		{hidden, nnue.Buckets * nnue.Dense}, {nnue.Buckets, nnue.Dense}, {nnue.Buckets, nnue.Dense}, {1, nnue.Buckets},
	}
}

// graph is the network with its loss and gradients, over parameters and a batch of the caller's.
type graph[T float] struct {
	loss       *crossEntropy[T]
	arithmetic arithmetic[T]
	gradients  gorgonia.Nodes // of each parameter
	machine    gorgonia.VM
}

// Gorgonia counts nodes in globals that it does not guard.
var building sync.Mutex

func newGraph[T float](a arithmetic[T], l nnue.Layout, hidden, workers int, b *batch, parameters [parameterCount][]T) (*graph[T], error) {
	building.Lock()
	defer building.Unlock()
	expression := gorgonia.NewGraph()
	var nodes gorgonia.Nodes
	for i, shape := range shapes(l, hidden) {
		value := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(parameters[i]))
		nodes = append(nodes, gorgonia.NewTensor(expression, a.DType(), 2,
			gorgonia.WithShape(shape...), gorgonia.WithName(parameterNames[i]), gorgonia.WithValue(value)))
	}
	folded, err := newFolding(a, l, hidden, workers, nodes[tablesParameter], nodes[ownParameter], nodes[enemyParameter], nodes[slopeParameter])
	if err != nil {
		return nil, err
	}
	first, err := newSumming(a, b, l, hidden, workers, folded)
	if err != nil {
		return nil, err
	}
	second, err := fused.NewProduct(a, "dense", gblas.NoTrans, gblas.NoTrans, b.size, nnue.Buckets*nnue.Dense, hidden, first, nodes[denseParameter])
	if err != nil {
		return nil, err
	}
	_, logits, err := newHead(a, b, second, nodes[denseBiasParameter], nodes[outputParameter], nodes[outputBiasParameter])
	if err != nil {
		return nil, err
	}
	g := &graph[T]{arithmetic: a}
	var loss *gorgonia.Node
	if g.loss, loss, err = newCrossEntropy(a, b, logits); err != nil {
		return nil, err
	}
	if g.gradients, err = gorgonia.Grad(loss, nodes...); err != nil {
		return nil, err
	}
	g.machine = gorgonia.NewTapeMachine(expression)
	return g, nil
}

// run computes the loss and all gradients. A machine that is not reset would do nothing the next time, without an error.
func (g *graph[T]) run() error {
	err := g.machine.RunAll()
	g.machine.Reset()
	return err
}

// gradient is the gradient of a parameter after a run.
func (g *graph[T]) gradient(parameter int) []T {
	return g.arithmetic.Data(g.gradients[parameter].Value())
}

func (g *graph[T]) close() error { return g.machine.Close() }
