// This file evaluates rows of features.

package bot

import (
	"fmt"

	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
	"kiothi/env/mancala"
)

// Inference evaluates up to a fixed number of rows at a time. It is for one
// goroutine and computes on that goroutine's core only; several may share a
// network.
type Inference struct {
	network *Network
	batch   int

	input          []float32 // [batch, in of the input layer]
	trunk          [3][]float32
	hidden         []float32 // of the value head
	policy, margin []float32 // logits

	sparse *blas.Sparse

	restricted bool
	wanted     []uint64 // [batch, words]: a bit for each panel of policy logits
	words      int
}

// sparseRows is up to how many rows a layer takes one by one, skipping what is
// zero. Many rows are faster together.
const sparseRows = 8

// NewInference returns an evaluation of up to batch rows.
func NewInference(n *Network, batch int) (*Inference, error) {
	if batch < 1 {
		return nil, fmt.Errorf("bot: batch is %d, expected 1 or more", batch)
	}
	f := &Inference{network: n, batch: batch, words: (n.panels.Count() + 63) / 64}
	rows := func(columns int) []float32 { return make([]float32, batch*columns) }
	f.input = rows(n.input.in)
	for i := range f.trunk {
		f.trunk[i] = rows(n.input.out)
	}
	f.hidden, f.policy, f.margin = rows(n.hidden.out), rows(n.policy.out), rows(n.margin.out)
	f.sparse = blas.NewSparse(max(n.input.in, n.input.out, n.hidden.out))
	f.wanted = make([]uint64, batch*f.words)
	f.wantAll()
	return f, nil
}

// wantAll sets the bits of all panels of all rows.
func (f *Inference) wantAll() {
	last := ^uint64(0) >> (-f.network.panels.Count() & 63)
	for i := range f.wanted {
		f.wanted[i] = ^uint64(0)
		if (i+1)%f.words == 0 {
			f.wanted[i] = last
		}
	}
}

// Batch is the greatest number of rows of a call of [Inference.Evaluate].
func (f *Inference) Batch() int { return f.batch }

// Config returns the shape of the network.
func (f *Inference) Config() weights.Config { return f.network.config }

// Input is row i of the input [Inputs]: features are written into it. It keeps its
// numbers from one evaluation to the next.
func (f *Inference) Input(i int) []float32 {
	return row(f.input, i, f.network.input.in, f.network.config.Inputs)
}

// Restrict says that of row i only the logits of these actions are wanted in the
// next evaluation: the legal ones, say. Without it, all are.
func (f *Inference) Restrict(i int, actions []mancala.Action) {
	f.restricted = true
	wanted := f.wanted[i*f.words : (i+1)*f.words]
	clear(wanted)
	for _, a := range actions {
		panel := uint(a) / tile
		wanted[panel/64] |= 1 << (panel % 64)
	}
}

// Evaluate computes the first n rows. It returns a [*weights.NotFiniteError] if a
// logit is not a finite number.
func (f *Inference) Evaluate(n int) error {
	if n < 0 || n > f.batch {
		return fmt.Errorf("bot: asked to evaluate %d rows, expected 0 to %d", n, f.batch)
	}
	if n == 0 {
		return nil
	}
	net := f.network
	h, t, next := f.trunk[0], f.trunk[1], f.trunk[2]
	f.forward(&net.input, h, f.input, nil, n, true)
	for i := range net.blocks {
		block := &net.blocks[i]
		f.forward(&block[0], t, h, nil, n, true)
		f.forward(&block[1], next, t, h, n, true)
		h, next = next, h
	}
	f.forwardPolicy(h, n)
	f.forward(&net.hidden, f.hidden, h, nil, n, true)
	f.forward(&net.margin, f.margin, f.hidden, nil, n, false)
	if err := weights.CheckRows("policy logits", f.policy, n, net.policy.out); err != nil {
		return err
	}
	return weights.CheckRows("margin logits", f.margin, n, net.margin.out)
}

// forward computes y = x·w + b for rows of x [rows, in], plus residual [rows, out]
// unless it is nil, and through ReLU if it is wanted. y is [rows, out].
func (f *Inference) forward(l *layer, y, x, residual []float32, rows int, relu bool) {
	if rows <= sparseRows {
		for i := range rows {
			f.sparse.Set(row(x, i, l.in, l.in))
			f.sparse.Multiply(row(y, i, l.out, l.out), l.weight, l.out)
		}
	} else {
		blas.MatMul(rows, l.out, l.in, x, l.in, l.weight, l.out, y, l.out)
	}
	blas.BiasReLU(y, l.bias, residual, rows, l.out, relu)
}

// forwardPolicy computes the logits that are wanted from what the trunk ends with;
// the others become their bias. It ends the restrictions.
func (f *Inference) forwardPolicy(h []float32, rows int) {
	l, panels := &f.network.policy, f.network.panels
	if !f.restricted {
		f.forward(l, f.policy, h, nil, rows, false)
		return
	}
	clear(f.policy[:rows*l.out])
	for i := range rows {
		f.sparse.Set(row(h, i, l.in, l.in))
		f.sparse.MultiplyPanels(row(f.policy, i, l.out, l.out), panels, f.wanted[i*f.words:(i+1)*f.words])
	}
	blas.BiasReLU(f.policy, l.bias, nil, rows, l.out, false)
	f.restricted = false
	f.wantAll()
}

// Policy returns the policy logits of row i [Actions], until the next evaluation.
// Where it was restricted, those that are not wanted are numbers without a meaning.
func (f *Inference) Policy(i int) []float32 {
	return row(f.policy, i, f.network.policy.out, f.network.config.Actions)
}

// Margin returns the logits of the distribution over margins of row i [Bins],
// until the next evaluation.
func (f *Inference) Margin(i int) []float32 {
	return row(f.margin, i, f.network.margin.out, f.network.config.Bins)
}

// row is the first size values of row i of data, which has a row every stride.
func row(data []float32, i, stride, size int) []float32 {
	start := i * stride
	return data[start : start+size : start+size]
}
