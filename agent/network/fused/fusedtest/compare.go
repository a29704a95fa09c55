package fusedtest

import "math"

// This file compares gradients.

// Slope returns the central difference of a loss over a parameter from h below its value to h above, and puts the value back.
func Slope(loss func() float64, parameter *float64, h float64) float64 {
	saved := *parameter
	*parameter = saved + h
	above := loss()
	*parameter = saved - h
	below := loss()
	*parameter = saved
	return (above - below) / (2 * h)
}

// RelativeError returns the difference of two numbers by the larger one, or by least where both are smaller than that.
func RelativeError(a, b, least float64) float64 {
	return math.Abs(a-b) / max(math.Abs(a), math.Abs(b), least)
}

// Distance returns the distance of two vectors by the length of the second, [len(want)] both.
func Distance(got []float32, want []float64) float64 {
	distance, length := 0.0, 0.0
	for i, w := range want {
		distance += (float64(got[i]) - w) * (float64(got[i]) - w)
		length += w * w
	}
	return math.Sqrt(distance / length)
}
