package blas

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// awkward returns random numbers among which are zeros of both signs, infinities, NaN and the smallest.
func awkward(r *rand.Rand, n int) []float32 {
	x := random(r, n)
	special := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, math.MaxFloat32}
	for i := range x {
		if r.IntN(4) == 0 {
			x[i] = special[r.IntN(len(special))]
		}
	}
	return x
}

var elementwiseShapes = [][2]int{{0, 0}, {0, 5}, {3, 0}, {1, 1}, {1, 7}, {3, 8}, {2, 9}, {5, 31}, {4, 32}, {3, 33}, {2, 64}, {3, 75}, {7, 100}, {2, 256}}

func TestBiasReLUIsTheSumClampedAtZero(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		r := newRand()
		for _, shape := range elementwiseShapes {
			rows, cols := shape[0], shape[1]
			for _, relu := range []bool{true, false} {
				for _, residual := range [][]float32{nil, awkward(r, rows*cols)} {
					y, bias := awkward(r, rows*cols+3), awkward(r, cols+1)
					want := slices.Clone(y)
					for i := range rows * cols {
						want[i] += bias[i%cols]
						if residual != nil {
							want[i] += residual[i]
						}
						if relu && want[i] <= 0 {
							want[i] = 0
						}
					}
					BiasReLU(y, bias, residual, rows, cols, relu)
					if i := firstDifference(y, want); i >= 0 {
						t.Fatalf("[%d,%d] relu %v residual %v: element %d is %v, want %v", rows, cols, relu, residual != nil, i, y[i], want[i])
					}
				}
			}
		}
	})
}

func TestAddAddsEachElement(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 100, 1003} {
		r := newRand()
		y, x := random(r, n), random(r, n)
		want := make([]float32, n)
		for i := range want {
			want[i] = y[i] + x[i]
		}
		Add(y, x)
		if !slices.Equal(y, want) {
			t.Errorf("%d elements: got %v, want %v", n, y, want)
		}
	}
}

func TestReLUGradPassesTheGradientWhereTheOutputIsPositive(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		r := newRand()
		for _, shape := range elementwiseShapes {
			rows, cols := shape[0], shape[1]
			for _, relu := range []bool{true, false} {
				y, grad := awkward(r, rows*cols), awkward(r, rows*cols)
				z, biasGrad := random(r, rows*cols+2), random(r, cols+2)
				wantZ, wantBias := slices.Clone(z), slices.Clone(biasGrad)
				clear(wantBias[:cols])
				for i := range rows * cols {
					wantZ[i] = 0
					if !relu || y[i] > 0 {
						wantZ[i] = grad[i]
					}
					wantBias[i%cols] += wantZ[i]
				}
				if !relu {
					y = nil // not looked at
				}
				ReLUGrad(z, y, grad, biasGrad, rows, cols, relu)
				if i := firstDifference(z, wantZ); i >= 0 {
					t.Fatalf("[%d,%d] relu %v: z[%d] is %v, want %v", rows, cols, relu, i, z[i], wantZ[i])
				}
				if i := firstDifference(biasGrad, wantBias); i >= 0 {
					t.Fatalf("[%d,%d] relu %v: biasGrad[%d] is %b, in order of rows %b", rows, cols, relu, i, biasGrad[i], wantBias[i])
				}
			}
		}
	})
}

func TestReLUGradInPlace(t *testing.T) {
	const rows, cols = 5, 37
	onEachKernel(t, func(t *testing.T) {
		r := newRand()
		y, grad := random(r, rows*cols), random(r, rows*cols)
		want, biasGrad := make([]float32, rows*cols), make([]float32, cols)
		ReLUGrad(want, y, grad, biasGrad, rows, cols, true)
		for name, z := range map[string][]float32{"grad": grad, "y": y} {
			y, grad := slices.Clone(y), slices.Clone(grad)
			if name == "grad" {
				z = grad
			} else {
				z = y
			}
			ReLUGrad(z, y, grad, biasGrad, rows, cols, true)
			if firstDifference(z, want) >= 0 {
				t.Errorf("z is wrong when it is %s", name)
			}
		}
	})
}

func TestElementwisePanicsWhenASliceIsShort(t *testing.T) {
	const rows, cols = 3, 8
	full, row, short, shortRow := make([]float32, rows*cols), make([]float32, cols), make([]float32, rows*cols-1), make([]float32, cols-1)
	var constants AdamConstants
	for name, call := range map[string]func(){
		"BiasReLU y":          func() { BiasReLU(short, row, nil, rows, cols, true) },
		"BiasReLU bias":       func() { BiasReLU(full, shortRow, nil, rows, cols, true) },
		"BiasReLU residual":   func() { BiasReLU(full, row, short, rows, cols, true) },
		"BiasReLU negative":   func() { BiasReLU(full, row, nil, -rows, cols, true) },
		"BiasReLU overflow":   func() { BiasReLU(full, row, nil, math.MaxInt/2, cols, true) },
		"ReLUGrad z":          func() { ReLUGrad(short, full, full, row, rows, cols, true) },
		"ReLUGrad y":          func() { ReLUGrad(full, short, full, row, rows, cols, true) },
		"ReLUGrad grad":       func() { ReLUGrad(full, full, short, row, rows, cols, true) },
		"ReLUGrad biasGrad":   func() { ReLUGrad(full, full, full, shortRow, rows, cols, true) },
		"ReLUGrad no y":       func() { ReLUGrad(full, nil, full, row, rows, cols, true) },
		"Adam grad":           func() { Adam(full, short, full, full, &constants) },
		"Adam first moments":  func() { Adam(full, full, short, full, &constants) },
		"Adam second moments": func() { Adam(full, full, full, short, &constants) },
	} {
		t.Run(name, func(t *testing.T) {
			onEachKernel(t, func(t *testing.T) {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				call()
			})
		})
	}
}
