// This file is Adam with global-norm clipping over all parameters.

package network

import (
	"fmt"

	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

// OptimizerConfig is what a training step does beside the learning rate.
type OptimizerConfig struct {
	Beta1       float64 // decay of the first moment, 0 ≤ Beta1 < 1
	Beta2       float64 // decay of the second moment, 0 ≤ Beta2 < 1
	Epsilon     float64 // added to the root of the second moment, > 0
	ClipNorm    float64 // greatest global norm of the gradient; 0 does not clip
	L2          float64 // added to a matrix's gradient: L2 times the weight
	ValueWeight float64 // of the value loss beside the policy loss
	Workers     int     // goroutines of a step, 1 or more; the bits do not depend on it
}

// DefaultOptimizerConfig is Adam as published (Kingma and Ba, ICLR 2015,
// algorithm 1), gradients clipped at norm 1, no L2, one worker.
func DefaultOptimizerConfig() OptimizerConfig {
	return OptimizerConfig{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, ClipNorm: 1, ValueWeight: 1, Workers: 1}
}

// Validate reports the first field out of its range.
func (c OptimizerConfig) Validate() error {
	switch {
	case !(c.Beta1 >= 0 && c.Beta1 < 1):
		return fmt.Errorf("network: beta1 is %v, expected 0 ≤ beta1 < 1", c.Beta1)
	case !(c.Beta2 >= 0 && c.Beta2 < 1):
		return fmt.Errorf("network: beta2 is %v, expected 0 ≤ beta2 < 1", c.Beta2)
	case !weights.Finite(c.Epsilon) || c.Epsilon <= 0:
		return fmt.Errorf("network: epsilon is %v, expected more than 0", c.Epsilon)
	case !weights.Finite(c.ClipNorm) || c.ClipNorm < 0:
		return fmt.Errorf("network: clip norm is %v, expected 0 (off) or more", c.ClipNorm)
	case !weights.Finite(c.L2) || c.L2 < 0:
		return fmt.Errorf("network: l2 is %v, expected 0 or more", c.L2)
	case !weights.Finite(c.ValueWeight) || c.ValueWeight < 0:
		return fmt.Errorf("network: value weight is %v, expected 0 or more", c.ValueWeight)
	case c.Workers < 1:
		return fmt.Errorf("network: workers is %d, expected 1 or more", c.Workers)
	}
	return nil
}

// OptimizerState is Adam's memory: the number of steps done, and the first and
// second moment of every parameter under the names of [Weights.Tensors].
type OptimizerState struct {
	Step int
	M, V []Tensor
}

// optimizer holds the moments, laid out as the weights.
type optimizer struct {
	config OptimizerConfig
	layout weights.Layout
	steps  int
	m, v   []float32
}

func newOptimizer(c OptimizerConfig, l weights.Layout) *optimizer {
	return &optimizer{config: c, layout: l, m: make([]float32, l.Size), v: make([]float32, l.Size)}
}

// step moves every parameter by its gradient, whose norm over all of them is
// norm, in one pass over all arrays. Only matrices are pulled to zero by L2.
func (o *optimizer) step(flat, gradient []float32, pieces []piece, norm, rate float64) {
	o.steps++
	bias := blas.NewAdamConstants(o.steps, rate, o.config.Beta1, o.config.Beta2, o.config.Epsilon)
	if o.config.ClipNorm > 0 && norm > o.config.ClipNorm {
		bias.GradScale = float32(o.config.ClipNorm / norm)
	}
	matrix := bias
	matrix.L2 = float32(o.config.L2)
	share(o.config.Workers, len(pieces), func(i int) {
		p, c := pieces[i], &matrix
		if o.layout.Parameters[p.parameter].Bias {
			c = &bias
		}
		blas.Adam(p.of(o.layout, flat), p.of(o.layout, gradient), p.of(o.layout, o.m), p.of(o.layout, o.v), c)
	})
}

func (o *optimizer) state() OptimizerState {
	return OptimizerState{Step: o.steps, M: o.layout.Tensors(o.m), V: o.layout.Tensors(o.v)}
}

func (o *optimizer) setState(s OptimizerState) error {
	if s.Step < 0 {
		return fmt.Errorf("network: optimizer step is %d, expected 0 or more", s.Step)
	}
	m, v := make([]float32, o.layout.Size), make([]float32, o.layout.Size)
	if err := o.layout.SetTensors(m, s.M); err != nil {
		return fmt.Errorf("first moments: %w", err)
	}
	if err := o.layout.SetTensors(v, s.V); err != nil {
		return fmt.Errorf("second moments: %w", err)
	}
	for _, t := range s.V {
		for i, x := range t.Data {
			if x < 0 {
				return fmt.Errorf("network: second moment of %s is %v at index %d, expected 0 or more", t.Name, x, i)
			}
		}
	}
	o.steps, o.m, o.v = s.Step, m, v
	return nil
}
