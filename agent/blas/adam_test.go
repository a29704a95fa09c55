package blas

import (
	"math"
	"slices"
	"testing"
)

// One parameter, computed in float64 from the formulas of the paper.
func TestAdamFollowsThePaper(t *testing.T) {
	const rate, beta1, beta2, epsilon, scale, l2, decay = .01, .9, .99, 1e-6, .5, .1, .2
	onEachKernel(t, func(t *testing.T) {
		const n = 19
		w, m, v := make([]float32, n), make([]float32, n), make([]float32, n)
		want, wantM, wantV := make([]float64, n), make([]float64, n), make([]float64, n)
		r := newRand()
		for i := range w {
			w[i] = float32(r.NormFloat64())
			want[i] = float64(w[i])
		}
		for step := 1; step <= 20; step++ {
			grad := random(r, n)
			c := NewAdamConstants(step, rate, beta1, beta2, epsilon)
			c.GradScale, c.L2, c.Keep = scale, l2, float32(1-rate*decay)
			Adam(w, grad, m, v, &c)
			for i := range want {
				g := scale*float64(grad[i]) + l2*want[i]
				wantM[i] = beta1*wantM[i] + (1-beta1)*g
				wantV[i] = beta2*wantV[i] + (1-beta2)*g*g
				corrected := wantM[i] / (1 - math.Pow(beta1, float64(step)))
				root := math.Sqrt(wantV[i] / (1 - math.Pow(beta2, float64(step))))
				want[i] = want[i] - rate*decay*want[i] - rate*corrected/(root+epsilon)
				if math.Abs(float64(w[i])-want[i]) > 1e-5 {
					t.Fatalf("step %d: w[%d] is %v, want %v", step, i, w[i], want[i])
				}
			}
		}
	})
}

// Moments without a gradient, and parameters that L2 alone moves, fall towards 0 for ever. They have to reach it, and not
// stay among the numbers below the smallest normal one, on which processors are slow.
func TestAdamLeavesNothingSmallerThanTiny(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		const n = 21
		w, grad, m, v := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		r := newRand()
		for i := range w {
			w[i], m[i], v[i] = float32(1e-36*r.NormFloat64()), float32(r.NormFloat64()), 1
		}
		for step := 1; step <= 1000; step++ {
			c := NewAdamConstants(step, 0, .9, .9, 1e-8)
			Adam(w, grad, m, v, &c)
			for i, x := range slices.Concat(w, m, v) {
				if x != 0 && math.Abs(float64(x)) < Tiny {
					t.Fatalf("step %d: number %d is %g", step, i, x)
				}
			}
		}
		for i, x := range slices.Concat(w, m, v) {
			if x != 0 {
				t.Errorf("number %d is %g after 1000 steps, want 0", i, x)
			}
		}
		w[0], m[1] = float32(math.NaN()), float32(math.Inf(1))
		c := NewAdamConstants(1, 1, .9, .999, 1e-8)
		Adam(w, grad, m, v, &c)
		if !math.IsNaN(float64(w[0])) || !math.IsInf(float64(w[1]), -1) {
			t.Errorf("from a parameter NaN came %v, and from a moment +Inf %v", w[0], w[1])
		}
	})
}

func TestNewAdamConstantsNeitherScalesNorDecays(t *testing.T) {
	c := NewAdamConstants(1, .1, .9, .999, 1e-8)
	want := AdamConstants{GradScale: 1, Beta1: .9, OneMinusBeta1: float32(1 - .9), Beta2: .999, OneMinusBeta2: float32(1 - .999),
		Correction2: float32(1 / (1 - .999)), Epsilon: 1e-8, Step: float32(.1 / (1 - .9)), Keep: 1}
	if math.Abs(float64(c.Correction2-want.Correction2)) < .01 && math.Abs(float64(c.Step-want.Step)) < 1e-6 {
		c.Correction2, c.Step = want.Correction2, want.Step
	}
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
}

func TestAdamAndSumSquaresAreTheSameBitsOnEveryKernel(t *testing.T) {
	c := NewAdamConstants(3, .003, .9, .999, 1e-8)
	c.GradScale, c.L2, c.Keep = .37, 1e-4, .9999
	for n := range 100 {
		r := newRand()
		w, grad, m, v := awkward(r, n), random(r, n), random(r, n), random(r, n)
		for i := range v {
			v[i] = max(v[i], -v[i])
		}
		run := func(k Kernel) (state [3][]float32, sum float64) {
			if err := use(t, k); err != nil {
				t.Fatal(err)
			}
			state = [3][]float32{slices.Clone(w), slices.Clone(m), slices.Clone(v)}
			for range 3 {
				Adam(state[0], grad, state[1], state[2], &c)
			}
			return state, SumSquares(grad)
		}
		want, wantSum := run(Go)
		for _, k := range Kernels() {
			got, sum := run(k)
			for i, name := range []string{"w", "m", "v"} {
				if at := firstDifference(got[i], want[i]); at >= 0 {
					t.Fatalf("%s, %d elements: %s[%d] is %b, in Go %b", k, n, name, at, got[i][at], want[i][at])
				}
			}
			if sum != wantSum {
				t.Fatalf("%s: sum of %d squares is %b, in Go %b", k, n, sum, wantSum)
			}
		}
	}
}

func TestSumSquaresNeitherOverflowsNorLosesSmallOnes(t *testing.T) {
	x := make([]float32, 50)
	for i := range x {
		x[i] = 1e-20
	}
	x[7] = 1e30
	onEachKernel(t, func(t *testing.T) {
		if got, want := SumSquares(x), float64(x[7])*float64(x[7]); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
		x[7] = 1e-20
		if got, want := SumSquares(x), 50*float64(x[7])*float64(x[7]); math.Abs(got-want) > 1e-12*want {
			t.Errorf("got %v, want %v", got, want)
		}
		x[7] = 1e30
	})
}
