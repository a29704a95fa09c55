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
	wanted []uint64 // [batch, words]: panels of policy logits, see Restrict; no bit for all
	words  int
}

// sparseRows is up to how many rows are evaluated one by one. Each then reads half
// of the weights; together they read all of them once.
const sparseRows = 3

// NewInference returns an evaluation of up to batch rows.
func NewInference(n *Network, batch int) (*Inference, error) {
	if batch < 1 {
		return nil, fmt.Errorf("bot: batch is %d, want 1 or more", batch)
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
	return f, nil
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
		return fmt.Errorf("bot: asked to evaluate %d rows, this one takes 0 to %d", n, f.batch)
	}
	if n <= sparseRows {
		for i := range n {
			f.evaluateRow(i)
		}
	} else {
		f.evaluateRows(n)
	}
	clear(f.wanted[:n*f.words])
	if err := weights.CheckRows("policy logits", f.policy, n, f.network.policy.out); err != nil {
		return err
	}
	return weights.CheckRows("margin logits", f.margin, n, f.network.margin.out)
}

// evaluateRows computes the first n rows together.
func (f *Inference) evaluateRows(n int) {
	net := f.network
	h, t, next := f.trunk[0], f.trunk[1], f.trunk[2]
	net.input.forward(h, f.input, nil, n, true)
	for i := range net.blocks {
		block := &net.blocks[i]
		block[0].forward(t, h, nil, n, true)
		block[1].forward(next, t, h, n, true)
		h, next = next, h
	}
	net.policy.forward(f.policy, h, nil, n, false)
	net.hidden.forward(f.hidden, h, nil, n, true)
	net.margin.forward(f.margin, f.hidden, nil, n, false)
}

// evaluateRow computes row i by what is not zero.
func (f *Inference) evaluateRow(i int) {
	net, x := f.network, f.sparse
	h, t, next := f.trunk[0][:net.input.out], f.trunk[1][:net.input.out], f.trunk[2][:net.input.out]
	x.Set(row(f.input, i, net.input.in, net.input.in))
	net.input.forwardSparse(h, x, nil, true)
	for j := range net.blocks {
		block := &net.blocks[j]
		x.Set(h)
		block[0].forwardSparse(t, x, nil, true)
		x.Set(t)
		block[1].forwardSparse(next, x, h, true)
		h, next = next, h
	}
	x.Set(h)
	f.policyRow(i)
	hidden := f.hidden[:net.hidden.out]
	net.hidden.forwardSparse(hidden, x, nil, true)
	x.Set(hidden)
	net.margin.forwardSparse(row(f.margin, i, net.margin.out, net.margin.out), x, nil, false)
}

// policyRow computes the logits of row i that are wanted from what the trunk ends
// with; the others become 0.
func (f *Inference) policyRow(i int) {
	policy := &f.network.policy
	y := row(f.policy, i, policy.out, policy.out)
	wanted := f.wanted[i*f.words : (i+1)*f.words]
	any := uint64(0)
	for _, word := range wanted {
		any |= word
	}
	if any == 0 {
		policy.forwardSparse(y, f.sparse, nil, false)
		return
	}
	clear(y)
	f.sparse.MultiplyPanels(y, f.network.panels, wanted)
	for panel := range f.network.panels.Count() {
		if wanted[panel/64]>>(panel%64)&1 != 0 {
			at := panel * tile
			blas.BiasReLU(y[at:], policy.bias[at:], nil, 1, tile, false)
		}
	}
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
