package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"
)

// crowded returns an objective in which every term has some weight.
func crowded(first bool) *objective {
	rng := rand.New(rand.NewPCG(1, 2))
	o := &objective{players: 5, anchor: 2, first: first, draws: [2]float64{0.5, 0.7}, moves: [2]float64{0.4, 0.6}}
	for b := range 5 {
		for a := range b {
			m := match{a: a, b: b, prior: [2]float64{rng.Float64(), rng.Float64()}}
			for f := range m.games {
				for r := range m.games[f] {
					m.games[f][r] = 10 * rng.Float64()
				}
			}
			o.matches = append(o.matches, m)
		}
	}
	return o
}

func TestDerivativesAreThoseOfTheLikelihood(t *testing.T) {
	for _, first := range []bool{false, true} {
		o := crowded(first)
		n := o.size()
		rng := rand.New(rand.NewPCG(3, 4))
		for range 5 {
			x := make([]float64, n)
			for i := range x {
				x[i] = 3 * rng.NormFloat64()
			}
			got := make([]float64, n)
			o.gradient(got, x)
			for i, want := range fd.Gradient(nil, o.value, x, &fd.Settings{Formula: fd.Central}) {
				if math.Abs(got[i]-want) > 1e-5*(1+math.Abs(want)) {
					t.Errorf("first %v, slope %d is %g, by differences %g", first, i, got[i], want)
				}
			}
			h, numeric := mat.NewSymDense(n, nil), mat.NewDense(n, n, nil)
			o.hessian(h, x)
			fd.Jacobian(numeric, o.gradient, x, &fd.JacobianSettings{Formula: fd.Central})
			if !mat.EqualApprox(h, numeric, 1e-5) {
				t.Errorf("first %v, second derivatives\n%v\nby differences\n%v", first, mat.Formatted(h), mat.Formatted(numeric))
			}
		}
	}
}

func TestChancesAddUpAtAnyStrength(t *testing.T) {
	for _, d := range []float64{0, 1, -30, 2000, -2000} {
		for _, logNu := range []float64{0, -500, 5, 900} {
			p, _ := chances(d, logNu)
			if sum := p[win] + p[draw] + p[loss]; !(math.Abs(sum-1) < 1e-12) {
				t.Errorf("at %g and %g the chances %v add up to %g", d, logNu, p, sum)
			}
		}
	}
}

// The optimum is the same from wherever the search begins: the posterior density has one.
func TestTheSearchFindsOneOptimum(t *testing.T) {
	o := crowded(true)
	want, err := o.maximize(make([]float64, o.size()))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5 {
		x := make([]float64, o.size())
		for i := range x {
			x[i] = 4 * rng.NormFloat64()
		}
		got, err := o.maximize(x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(got[i]-want[i]) > 1e-6 {
				t.Errorf("parameter %d is %g from one start and %g from another", i, want[i], got[i])
			}
		}
	}
}
