// This file is the training step: forward, loss, gradients, checks, Adam.

package network

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

// Trainer improves weights on batches of a fixed number of rows. The caller
// fills the buffers of every row and calls [Trainer.Step]; buffers keep their
// numbers between steps.
//
// The loss is
//
//	policy + ValueWeight·value + L2/2·Σ w²
//
// policy: mean over rows, weighted by [Trainer.PolicyWeights], of the
// cross-entropy between the row's policy target and the softmax over its legal
// actions; illegal logits do not enter. value: the same for the margin target
// and all bins, weighted by [Trainer.ValueWeights]. The sum of squares is over
// weight matrices, not biases.
//
// The batch is cut into shards, each with a graph of its own over the same
// weights; some goroutines work on them side by side, and add the gradients up in
// the shards' order.
//
// A Trainer is for one goroutine, and steps exclude evaluations over the same
// weights.
type Trainer struct {
	weights   *Weights
	optimizer *optimizer
	batch     examples[float32]
	shards    []*graph[float32]
	gradient  []float32 // of all parameters, laid out as they are
	pieces    []piece   // of them

	// Scratch: what each shard failed with, and Σ² of each piece.
	errs                           []error
	weightSquares, gradientSquares []float64
}

// Losses is what a step saw, before it changed the weights.
type Losses struct {
	Total         float64 // Policy + ValueWeight·Value + L2
	Policy        float64 // cross-entropy in nats, mean over weighted rows
	Value         float64 // cross-entropy in nats, mean over weighted rows
	L2            float64 // L2/2·Σ w² over weight matrices
	GradNorm      float64 // of the gradient of Policy + ValueWeight·Value, before clipping
	PolicyEntropy float64 // of the network's policy over legal actions in nats, mean over weighted rows
	ValueEntropy  float64 // of the network's margin distribution in nats, mean over weighted rows
}

// NewTrainer builds a training graph of batch rows over w. Moments start
// at zero and row weights at one.
func NewTrainer(w *Weights, config OptimizerConfig, batch int) (*Trainer, error) {
	if batch < 1 {
		return nil, fmt.Errorf("network: batch is %d, expected 1 or more", batch)
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	t := &Trainer{
		weights:   w,
		optimizer: newOptimizer(config, w.Layout()),
		batch:     newExamples[float32](w.Config(), batch),
		gradient:  make([]float32, w.Layout().Size),
		pieces:    pieces(w.Layout()),
	}
	t.weightSquares, t.gradientSquares = make([]float64, len(t.pieces)), make([]float64, len(t.pieces))
	shards := (batch + shardRows - 1) / shardRows
	t.errs = make([]error, shards)
	arithmetic := newSingle((config.Workers + shards - 1) / shards) // more workers than shards: they share its products
	for from := 0; from < batch; from += shardRows {
		rows := t.batch.part(w.Config(), from, min(from+shardRows, batch))
		g, err := buildTraining(w.Config(), arithmetic, w.Flat(), rows, config.ValueWeight)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("network: building the training graph: %w", err), t.Close())
		}
		t.shards = append(t.shards, g)
	}
	return t, nil
}

// Batch is the number of rows of a step.
func (t *Trainer) Batch() int { return len(t.batch.policyWeights) }

// Weights returns what the trainer improves.
func (t *Trainer) Weights() *Weights { return t.weights }

// Input is the features of row i [Inputs].
func (t *Trainer) Input(i int) []float32 {
	return row(t.batch.input, i, t.weights.Config().InputStride(), t.weights.Config().Inputs)
}

// Mask is 1 for each legal action of row i and 0 for the others [Actions].
func (t *Trainer) Mask(i int) []float32 {
	return row(t.batch.mask, i, t.weights.Config().Actions, t.weights.Config().Actions)
}

// PolicyTarget is the wanted distribution over actions of row i [Actions]. Its
// legal part must sum to 1; what stands at illegal actions is not read.
func (t *Trainer) PolicyTarget(i int) []float32 {
	return row(t.batch.policyTarget, i, t.weights.Config().Actions, t.weights.Config().Actions)
}

// MarginTarget is the wanted distribution over margins of row i [Bins]. It must
// sum to 1.
func (t *Trainer) MarginTarget(i int) []float32 {
	return row(t.batch.marginTarget, i, t.weights.Config().Bins, t.weights.Config().Bins)
}

// PolicyWeights is the weight of each row in the policy loss [batch], 0 or more.
// A row of weight 0 is excluded: its mask and target are not read.
func (t *Trainer) PolicyWeights() []float32 { return t.batch.policyWeights }

// ValueWeights is the weight of each row in the value loss [batch], 0 or more.
// A row of weight 0 is excluded: its margin target is not read.
func (t *Trainer) ValueWeights() []float32 { return t.batch.valueWeights }

// Fill calls fill with each row of the batch, with several at a time if there are
// workers for it.
func (t *Trainer) Fill(fill func(row int)) {
	const rows = 16 // of a call: some 50 µs of work
	share(t.optimizer.config.Workers, (t.Batch()+rows-1)/rows, func(i int) {
		for row := i * rows; row < min((i+1)*rows, t.Batch()); row++ {
			fill(row)
		}
	})
}

// Step computes the loss of the rows in the buffers and its gradient, clips the
// gradient by its global norm, and moves the weights by Adam with learning rate
// lr. Before anything is changed it checks inputs, weights, losses and gradients;
// a [*NotFiniteError] says which of them was not a finite number. On any error
// weights and moments are as before, and [Trainer.DumpBatch] can write out what
// caused it.
func (t *Trainer) Step(lr float64) (Losses, error) {
	if !weights.Finite(lr) || lr < 0 {
		return Losses{}, fmt.Errorf("network: learning rate is %v, expected a finite number of 0 or more", lr)
	}
	losses, err := t.evaluate()
	if err != nil {
		return losses, err
	}
	t.optimizer.step(t.weights.Flat(), t.gradient, t.pieces, losses.GradNorm, lr)
	return losses, nil
}

// evaluate computes losses and gradients, and checks all that goes in and comes
// out. It changes neither weights nor moments.
func (t *Trainer) evaluate() (Losses, error) {
	l, config := t.weights.Layout(), t.optimizer.config
	normalise(t.shards...)
	share(config.Workers, len(t.shards), func(i int) { t.errs[i] = t.shards[i].run() })
	share(config.Workers, len(t.pieces), t.addUp)

	if err := weights.CheckRows("input", t.batch.input, t.Batch(), t.weights.Config().InputStride()); err != nil {
		return Losses{}, err
	}
	var losses Losses
	for i, p := range t.pieces {
		if !weights.Finite(t.weightSquares[i]) {
			return Losses{}, t.notFinite("weight", p, t.weights.Flat())
		}
		if !l.Parameters[p.parameter].Bias {
			losses.L2 += config.L2 / 2 * t.weightSquares[i]
		}
	}
	for i, g := range t.shards {
		if err := cmp.Or(t.errs[i], g.policyLoss.invalid, g.valueLoss.invalid); err != nil {
			return Losses{}, fmt.Errorf("network: training step: %w", err)
		}
		losses.Policy += g.policyLoss.mean
		losses.PolicyEntropy += g.policyLoss.entropy
		losses.Value += g.valueLoss.mean
		losses.ValueEntropy += g.valueLoss.entropy
	}
	losses.Total = losses.Policy + config.ValueWeight*losses.Value + losses.L2
	if !weights.Finite(losses.Policy) {
		return losses, &NotFiniteError{Quantity: "policy loss", Row: -1, Value: losses.Policy}
	}
	if !weights.Finite(losses.Value) {
		return losses, &NotFiniteError{Quantity: "value loss", Row: -1, Value: losses.Value}
	}
	sum := 0.0
	for i, p := range t.pieces {
		if !weights.Finite(t.gradientSquares[i]) {
			return losses, t.notFinite("gradient", p, t.gradient)
		}
		sum += t.gradientSquares[i]
	}
	losses.GradNorm = math.Sqrt(sum)
	return losses, nil
}

// addUp adds up the shards' gradients of a piece, in their order, and squares.
func (t *Trainer) addUp(i int) {
	p, l := t.pieces[i], t.weights.Layout()
	sum := p.of(l, t.gradient)
	for s, g := range t.shards {
		gradient := g.gradient(p.parameter)[p.begin:p.end]
		if s == 0 {
			copy(sum, gradient)
		} else {
			blas.Add(sum, gradient)
		}
	}
	t.gradientSquares[i] = blas.SumSquares(sum)
	t.weightSquares[i] = blas.SumSquares(p.of(l, t.weights.Flat()))
}

// notFinite names the first number in a piece of data that is not finite.
func (t *Trainer) notFinite(quantity string, p piece, data []float32) error {
	l := t.weights.Layout()
	e := &NotFiniteError{Quantity: quantity, Name: l.Parameters[p.parameter].Name, Row: -1}
	for _, v := range p.of(l, data) {
		if e.Value = float64(v); !weights.Finite(e.Value) {
			break
		}
	}
	return e
}

// State copies out what a checkpoint needs beside the weights.
func (t *Trainer) State() OptimizerState { return t.optimizer.state() }

// SetState continues from a state that [Trainer.State] returned for a network of
// the same shape. A state that does not fit changes nothing.
func (t *Trainer) SetState(s OptimizerState) error { return t.optimizer.setState(s) }

// Close releases the tape machines.
func (t *Trainer) Close() error {
	var errs []error
	for _, g := range t.shards {
		errs = append(errs, g.close())
	}
	return errors.Join(errs...)
}
