// This file is Adam with global-norm clipping over all parameters.

package network

import (
	"fmt"
	"math"

	"kiothi/agent/blas"
)

// OptimizerConfig is what a training step does beside the learning rate.
type OptimizerConfig struct {
	Beta1       float64 // decay of the first moment, 0 ≤ Beta1 < 1
	Beta2       float64 // decay of the second moment, 0 ≤ Beta2 < 1
	Epsilon     float64 // added to the root of the second moment, > 0
	ClipNorm    float64 // greatest global norm of the gradient; 0 does not clip
	L2          float64 // added to a matrix's gradient: L2 times the weight
	ValueWeight float64 // of the value loss beside the policy loss
	Workers     int     // goroutines of a matrix product, 1 or more; the bits do not depend on it
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
		return fmt.Errorf("network: beta1 is %v, want 0 ≤ beta1 < 1", c.Beta1)
	case !(c.Beta2 >= 0 && c.Beta2 < 1):
		return fmt.Errorf("network: beta2 is %v, want 0 ≤ beta2 < 1", c.Beta2)
	case !finite(c.Epsilon) || c.Epsilon <= 0:
		return fmt.Errorf("network: epsilon is %v, want more than 0", c.Epsilon)
	case !finite(c.ClipNorm) || c.ClipNorm < 0:
		return fmt.Errorf("network: clip norm is %v, want 0 (off) or more", c.ClipNorm)
	case !finite(c.L2) || c.L2 < 0:
		return fmt.Errorf("network: l2 is %v, want 0 or more", c.L2)
	case !finite(c.ValueWeight) || c.ValueWeight < 0:
		return fmt.Errorf("network: value weight is %v, want 0 or more", c.ValueWeight)
	case c.Workers < 1:
		return fmt.Errorf("network: workers is %d, want 1 or more", c.Workers)
	}
	return nil
}

// OptimizerState is Adam's memory: the number of steps done, and the first and
// second moment of every parameter under the names of [Weights.Tensors].
type OptimizerState struct {
	Step int
	M, V []Tensor
}
