// This file is the weights of a network, as an evaluation reads them.

package bot

import (
	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

// Network is a network to evaluate. It does not change, and any number of
// goroutines may use it.
type Network struct {
	config weights.Config

	input  layer
	blocks [][2]layer
	policy layer
	panels *blas.Panels // policy.weight once more, for some of its columns
	hidden layer        // of the value head
	margin layer
}

// layer is a dense layer x·w + b, its sides padded by zeros to multiples of tile.
type layer struct {
	in, out int
	weight  []float32 // [in, out]
	bias    []float32 // [out]
}

// tile is what the kernels compute together.
const tile = blas.PanelWidth

func padded(n int) int { return (n + tile - 1) / tile * tile }

// NewNetwork copies weights. What happens to them later does not change the
// network.
func NewNetwork(w *weights.Weights) *Network {
	c := w.Config()
	n := &Network{
		config: c,
		input:  newLayer(w, weights.InputLayer),
		policy: newLayer(w, c.PolicyLayer()),
		hidden: newLayer(w, c.ValueLayer()),
		margin: newLayer(w, c.MarginLayer()),
	}
	for i := range c.Blocks {
		n.blocks = append(n.blocks, [2]layer{newLayer(w, c.FirstLayer(i)), newLayer(w, c.SecondLayer(i))})
	}
	n.panels = blas.NewPanels(n.policy.weight, n.policy.in, n.policy.out, n.policy.out)
	return n
}

// newLayer copies layer i.
func newLayer(w *weights.Weights, i int) layer {
	parameters := w.Layout().Parameters[2*i : 2*i+2]
	weight, bias := parameters[0], parameters[1]
	l := layer{in: padded(weight.Rows.Size), out: padded(weight.Columns.Size)}
	l.weight, l.bias = make([]float32, l.in*l.out), make([]float32, l.out)
	at := 0
	weight.EachRow(w.Flat(), func(row []float32) {
		copy(l.weight[at:], row)
		at += l.out
	})
	bias.EachRow(w.Flat(), func(row []float32) { copy(l.bias, row) })
	return l
}

// Config returns the shape of the network.
func (n *Network) Config() weights.Config { return n.config }
