// This file is the optimizer's passes over parameters and gradients.

package blas

import "math"

// AdamConstants is what one step of [Adam] multiplies and adds, rounded to float32 once so that every kernel uses the
// same numbers. [NewAdamConstants] fills it in.
type AdamConstants struct {
	// The assembly reads the fields in this order.

	GradScale     float32 // of the gradient, for clipping by the norm or averaging; 1 leaves it as it is
	L2            float32 // times the parameter, added to the scaled gradient
	Beta1         float32 // decay of the first moment
	OneMinusBeta1 float32
	Beta2         float32 // decay of the second moment
	OneMinusBeta2 float32
	Correction2   float32 // 1/(1 - beta2^t), the bias correction of the second moment
	Epsilon       float32 // added to the root of the corrected second moment
	Step          float32 // learning rate times 1/(1 - beta1^t), the bias correction of the first moment
	Keep          float32 // of the parameter, for decoupled weight decay: 1 - learning rate * decay
}

// NewAdamConstants returns the constants of step t, counted from 1, with no scaling of the gradient and no decay of
// either kind (GradScale 1, L2 0, Keep 1). Kingma and Ba, "Adam: A Method for Stochastic Optimization", algorithm 1,
// with the learning rate as alpha.
func NewAdamConstants(t int, rate, beta1, beta2, epsilon float64) AdamConstants {
	return AdamConstants{
		GradScale:     1,
		Beta1:         float32(beta1),
		OneMinusBeta1: float32(1 - beta1),
		Beta2:         float32(beta2),
		OneMinusBeta2: float32(1 - beta2),
		Correction2:   float32(1 / (1 - math.Pow(beta2, float64(t)))),
		Epsilon:       float32(epsilon),
		Step:          float32(rate / (1 - math.Pow(beta1, float64(t)))),
		Keep:          1,
	}
}

// Adam updates the parameters w and their first and second moments m and v from the gradient, all of one length, in
// one pass:
//
//	g = GradScale grad + L2 w
//	m = Beta1 m + OneMinusBeta1 g
//	v = Beta2 v + OneMinusBeta2 g²
//	w = Keep w - Step m / (√(Correction2 v) + Epsilon)
//
// What comes out smaller in magnitude than [Tiny] is set to 0. The weights of an input that is never seen fall towards 0 by
// L2, for ever, and below the smallest normal number a processor computes a hundred times slower.
//
// Each operation rounds to float32 by itself. With Keep below 1 this is the decoupled decay of Loshchilov and Hutter,
// "Decoupled Weight Decay Regularization". Adam panics if grad, m or v is shorter than w.
func Adam(w, grad, m, v []float32, c *AdamConstants) {
	n := len(w)
	check("Adam", "grad", grad, 1, n)
	check("Adam", "m", m, 1, n)
	check("Adam", "v", v, 1, n)
	done := adamVector(w, grad, m, v, c)
	w, grad, m, v = w[done:n], grad[done:n], m[done:n], v[done:n]
	for i := range w {
		// The conversions keep the compiler from fusing a multiplication with an addition, as it may on arm64.
		g := float32(c.GradScale*grad[i]) + float32(c.L2*w[i])
		m[i] = flush(float32(c.Beta1*m[i]) + float32(c.OneMinusBeta1*g))
		v[i] = flush(float32(c.Beta2*v[i]) + float32(c.OneMinusBeta2*float32(g*g)))
		root := float32(math.Sqrt(float64(c.Correction2 * v[i])))
		w[i] = flush(float32(c.Keep*w[i]) - float32(c.Step*(m[i]/(root+c.Epsilon))))
	}
}

// Tiny is the smallest magnitude, other than 0, that [Adam] leaves in parameters and moments: 2 to the power -100.
const Tiny = 0x1p-100

// flush replaces what is smaller than Tiny by 0.
func flush(x float32) float32 {
	if x > -Tiny && x < Tiny {
		return 0
	}
	return x
}

// SumSquares returns the sum of the squares of x, in float64. The order is fixed: 16 sums, of the elements whose
// index leaves 0 to 15 when divided by 16, and then those sums in order.
func SumSquares(x []float32) float64 {
	var sums [16]float64
	done := sumSquaresVector(x, &sums)
	for i, v := range x[done:] {
		sums[i%16] += float64(v) * float64(v)
	}
	total := 0.0
	for _, s := range sums {
		total += s
	}
	return total
}
