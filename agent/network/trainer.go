// This file is the training step: forward, loss, gradients, checks, Adam.

package network

import (
	"cmp"
	"fmt"
	"math"

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
// A Trainer is for one goroutine, and steps exclude evaluations over the same
// weights.
type Trainer struct {
	weights   *Weights
	optimizer *optimizer
	graph     *graph[float32]
	squares   []float64 // scratch: Σ² of each parameter or gradient
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
		return nil, fmt.Errorf("network: batch is %d, want 1 or more", batch)
	}
	if err := config.Validate(); err != nil {
		return nil, err
	}
	g, err := buildTraining(w.Config(), newSingle(config.Workers), w.Flat(), batch, config.ValueWeight)
	if err != nil {
		return nil, fmt.Errorf("network: building the training graph: %w", err)
	}
	for i := range batch {
		g.policyWeights[i], g.valueWeights[i] = 1, 1
	}
	return &Trainer{
		weights:   w,
		optimizer: newOptimizer(config, w.Layout()),
		graph:     g,
		squares:   make([]float64, len(w.Layout().Parameters)),
	}, nil
}

// Batch is the number of rows of a step.
func (t *Trainer) Batch() int { return t.graph.batch }

// Weights returns what the trainer improves.
func (t *Trainer) Weights() *Weights { return t.weights }

// Input is the features of row i [Inputs].
func (t *Trainer) Input(i int) []float32 {
	return row(t.graph.input, i, t.weights.Config().InputStride(), t.weights.Config().Inputs)
}

// Mask is 1 for each legal action of row i and 0 for the others [Actions].
func (t *Trainer) Mask(i int) []float32 {
	return row(t.graph.mask, i, t.weights.Config().Actions, t.weights.Config().Actions)
}

// PolicyTarget is the wanted distribution over actions of row i [Actions]. Its
// legal part must sum to 1; what stands at illegal actions is not read.
func (t *Trainer) PolicyTarget(i int) []float32 {
	return row(t.graph.policyTarget, i, t.weights.Config().Actions, t.weights.Config().Actions)
}

// MarginTarget is the wanted distribution over margins of row i [Bins]. It must
// sum to 1.
func (t *Trainer) MarginTarget(i int) []float32 {
	return row(t.graph.marginTarget, i, t.weights.Config().Bins, t.weights.Config().Bins)
}

// PolicyWeights is the weight of each row in the policy loss [batch], 0 or more.
// A row of weight 0 is excluded: its mask and target are not read.
func (t *Trainer) PolicyWeights() []float32 { return t.graph.policyWeights }

// ValueWeights is the weight of each row in the value loss [batch], 0 or more.
// A row of weight 0 is excluded: its margin target is not read.
func (t *Trainer) ValueWeights() []float32 { return t.graph.valueWeights }

// Step computes the loss of the rows in the buffers and its gradient, clips the
// gradient by its global norm, and moves the weights by Adam with learning rate
// lr. Before anything is changed it checks inputs, weights, losses and gradients;
// a [*NotFiniteError] says which of them was not a finite number. On any error
// weights and moments are as before, and [Trainer.DumpBatch] can write out what
// caused it.
func (t *Trainer) Step(lr float64) (Losses, error) {
	if !weights.Finite(lr) || lr < 0 {
		return Losses{}, fmt.Errorf("network: learning rate is %v, want a finite number of 0 or more", lr)
	}
	losses, err := t.evaluate()
	if err != nil {
		return losses, err
	}
	t.optimizer.step(t.weights.Flat(), t.graph.gradient, losses.GradNorm, lr)
	return losses, nil
}

// evaluate computes losses and gradients, and checks all that goes in and comes
// out. It changes neither weights nor moments.
func (t *Trainer) evaluate() (Losses, error) {
	g, l, config := t.graph, t.weights.Layout(), t.optimizer.config
	if err := weights.CheckRows("input", g.input, g.batch, t.weights.Config().InputStride()); err != nil {
		return Losses{}, err
	}
	weight := func(i int) []float32 { return weights.Part(l.Parameters[i], t.weights.Flat()) }
	if err := checkParameters("weight", l, t.squares, weight); err != nil {
		return Losses{}, err
	}
	var losses Losses
	for i, p := range l.Parameters {
		if !p.Bias {
			losses.L2 += config.L2 / 2 * t.squares[i]
		}
	}

	if err := g.run(); err != nil {
		return Losses{}, fmt.Errorf("network: training step: %w", err)
	}
	if err := cmp.Or(g.policyLoss.invalid, g.valueLoss.invalid); err != nil {
		return Losses{}, fmt.Errorf("network: training step: %w", err)
	}
	losses.Policy, losses.PolicyEntropy = g.policyLoss.mean, g.policyLoss.entropy
	losses.Value, losses.ValueEntropy = g.valueLoss.mean, g.valueLoss.entropy
	losses.Total = losses.Policy + config.ValueWeight*losses.Value + losses.L2
	if !weights.Finite(losses.Policy) {
		return losses, &NotFiniteError{Quantity: "policy loss", Row: -1, Value: losses.Policy}
	}
	if !weights.Finite(losses.Value) {
		return losses, &NotFiniteError{Quantity: "value loss", Row: -1, Value: losses.Value}
	}
	if err := checkParameters("gradient", l, t.squares, g.gradient); err != nil {
		return losses, err
	}
	sum := 0.0
	for _, s := range t.squares {
		sum += s
	}
	losses.GradNorm = math.Sqrt(sum)
	return losses, nil
}

// State copies out what a checkpoint needs beside the weights.
func (t *Trainer) State() OptimizerState { return t.optimizer.state() }

// SetState continues from a state that [Trainer.State] returned for a network of
// the same shape. A state that does not fit changes nothing.
func (t *Trainer) SetState(s OptimizerState) error { return t.optimizer.setState(s) }

// Close releases the tape machine.
func (t *Trainer) Close() error { return t.graph.close() }
