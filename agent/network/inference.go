// This file evaluates rows of features.

package network

import (
	"fmt"

	"kiothi/agent/network/weights"
)

// Inference evaluates up to a fixed number of rows at a time. It is for one
// goroutine; several may share weights as long as nobody writes these. It
// computes on the calling goroutine's core only.
type Inference struct {
	config Config
	graph  *graph[float32]
}

// NewInference builds a graph for up to batch rows over w.
func NewInference(w *Weights, batch int) (*Inference, error) {
	if batch < 1 {
		return nil, fmt.Errorf("network: batch is %d, expected 1 or more", batch)
	}
	g, err := buildInference(w.Config(), newSingle(1), w.Flat(), batch)
	if err != nil {
		return nil, fmt.Errorf("network: building the inference graph: %w", err)
	}
	return &Inference{config: w.Config(), graph: g}, nil
}

// Batch is the greatest number of rows of a call of [Inference.Evaluate].
func (f *Inference) Batch() int { return f.graph.batch }

// Config returns the shape of the network.
func (f *Inference) Config() Config { return f.config }

// Input is row i of the input tensor itself [Inputs]: features are written into
// it. It keeps its numbers from one evaluation to the next.
func (f *Inference) Input(i int) []float32 {
	return row(f.graph.input, i, f.config.InputStride(), f.config.Inputs)
}

// Evaluate computes the first n rows. It returns a [*NotFiniteError] if a logit
// is not a finite number.
func (f *Inference) Evaluate(n int) error {
	if n < 0 || n > f.graph.batch {
		return fmt.Errorf("network: asked to evaluate %d rows, expected 0 to %d", n, f.graph.batch)
	}
	if n == 0 {
		return nil
	}
	f.graph.rows = n
	if err := f.graph.forward(); err != nil {
		return fmt.Errorf("network: evaluating %d rows: %w", n, err)
	}
	if err := weights.CheckRows("policy logits", f.graph.policy.output, n, f.config.PolicyStride()); err != nil {
		return err
	}
	return weights.CheckRows("margin logits", f.graph.margin.output, n, f.config.MarginStride())
}

// Policy returns the policy logits of row i [Actions], legal and illegal, until
// the next evaluation.
func (f *Inference) Policy(i int) []float32 {
	return row(f.graph.policy.output, i, f.config.PolicyStride(), f.config.Actions)
}

// Margin returns the logits of the distribution over margins of row i [Bins],
// until the next evaluation.
func (f *Inference) Margin(i int) []float32 {
	return row(f.graph.margin.output, i, f.config.MarginStride(), f.config.Bins)
}

// row is the first size values of row i of data, which has a row every stride.
func row[T any](data []T, i, stride, size int) []T {
	start := i * stride
	return data[start : start+size : start+size]
}
