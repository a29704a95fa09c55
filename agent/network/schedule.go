// This file is the learning rate as a function of the step.

package network

import (
	"fmt"
	"math"

	"kiothi/agent/network/weights"
)

// Kinds of [Schedule].
const (
	Constant = "constant" // Rate throughout
	Cosine   = "cosine"   // half a cosine from Rate to Final over Steps, then Final
	Stepwise = "step"     // Rate times Factor after each Steps, not below Final
)

// Schedule is the learning rate as a function of the training step. It has no
// state: a resumed run continues where the step counter stands.
type Schedule struct {
	Kind   string  // [Constant], [Cosine] or [Stepwise]
	Rate   float64 // after warm-up
	Final  float64 // lowest rate; Cosine and Stepwise
	Warmup int     // steps over which the rate first rises linearly to its value
	Steps  int     // Cosine: length of the descent, warm-up included; Stepwise: steps between two falls
	Factor float64 // Stepwise: the rate is multiplied by it at each fall
}

// Validate reports the first field that makes no schedule.
func (s Schedule) Validate() error {
	switch {
	case !weights.Finite(s.Rate) || s.Rate <= 0:
		return fmt.Errorf("network: schedule rate is %v, expected more than 0", s.Rate)
	case s.Warmup < 0:
		return fmt.Errorf("network: schedule warm-up is %d steps, expected 0 or more", s.Warmup)
	}
	switch s.Kind {
	case Constant:
		return nil
	case Cosine, Stepwise:
	default:
		return fmt.Errorf("network: schedule is %q, expected %q, %q or %q", s.Kind, Constant, Cosine, Stepwise)
	}
	switch {
	case !weights.Finite(s.Final) || s.Final < 0 || s.Final > s.Rate:
		return fmt.Errorf("network: final rate of the schedule is %v, expected 0 to the rate %v", s.Final, s.Rate)
	case s.Steps < 1:
		return fmt.Errorf("network: schedule has %d steps, expected 1 or more", s.Steps)
	case s.Kind == Stepwise && !(s.Factor > 0 && s.Factor < 1):
		return fmt.Errorf("network: schedule factor is %v, expected more than 0 and less than 1", s.Factor)
	}
	return nil
}

// At is the learning rate of a step, counted from 0.
func (s Schedule) At(step int) float64 {
	rate := s.Rate
	switch s.Kind {
	case Cosine:
		done := min(float64(step)/float64(s.Steps), 1)
		rate = s.Final + (s.Rate-s.Final)*(1+math.Cos(math.Pi*done))/2
	case Stepwise:
		rate = max(s.Rate*math.Pow(s.Factor, float64(step/s.Steps)), s.Final)
	}
	if step < s.Warmup {
		rate *= float64(step+1) / float64(s.Warmup)
	}
	return rate
}
