// This file checks the product of a sparse vector: the elements that it lists, bits, shapes, memory.

package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// sparse returns n numbers, each zero with the given chance; half of the zeros are negative.
func sparse(r *rand.Rand, n int, zero float64) []float32 {
	x := random(r, n)
	for i := range x {
		switch u := r.Float64(); {
		case u < zero/2:
			x[i] = 0
		case u < zero:
			x[i] = float32(math.Copysign(0, -1))
		}
	}
	return x
}

func TestSparseListsWhatIsNotZero(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		r := newRand()
		s := NewSparse(200)
		for n := range 200 {
			x := sparse(r, n, 0.5)
			if n > 3 { // these are not zero
				x[1], x[2], x[3] = float32(math.NaN()), float32(math.Inf(-1)), math.SmallestNonzeroFloat32
			}
			s.Set(x)
			at := 0
			for i, v := range x {
				if v == 0 {
					continue
				}
				if at == s.Len() || s.rows[at] != int32(i) || !sameBits(s.values[at], v) {
					t.Fatalf("of %d elements, element %d at %d is not %v", n, at, i, v)
				}
				at++
			}
			if s.Len() != at {
				t.Fatalf("%d of %d elements are not zero, want %d", s.Len(), n, at)
			}
		}
	})
}

func TestSparseGivesTheBitsOfSgemm(t *testing.T) {
	r := newRand()
	s := NewSparse(400)
	for _, k := range []int{0, 1, 2, 5, 16, 37, 256, 400} {
		for _, n := range []int{16, 32, 48, 64, 112, 240, 256, 272, 496, 640} {
			for _, zero := range []float64{0, 0.5, 0.9, 1} {
				a, b := sparse(r, k, zero), random(r, k*n)
				want := multiply(1, n, k, a, b)
				onKernels(t, Kernels(), func(t *testing.T) {
					c := newMatrix(1, n, 0)
					s.Set(a)
					s.Multiply(c.data(), b, n)
					if !c.guarded() {
						t.Fatalf("%d by %d: writes beyond c", k, n)
					}
					for j, got := range c.data() {
						if fused() && !sameBits(got, want.chain[j]) {
							t.Fatalf("%d by %d, %v zeros: element %d is %v, want %v", k, n, zero, j, got, want.chain[j])
						}
						if math.Abs(float64(got)-want.exact[j]) > want.bound[j] {
							t.Fatalf("%d by %d, %v zeros: element %d is %v, exactly %v", k, n, zero, j, got, want.exact[j])
						}
					}
				})
			}
		}
	}
}

func TestPanelsGiveTheColumnsThatAreWanted(t *testing.T) {
	r := newRand()
	s := NewSparse(300)
	for _, k := range []int{1, 7, 256, 300} {
		for _, n := range []int{1, 16, 70, 640, 1200} {
			b, stride := random(r, k*(n+3)), n+3
			panels := NewPanels(b, k, n, stride)
			dense := make([]float32, k*panels.Count()*PanelWidth)
			for i := range k {
				copy(dense[i*panels.Count()*PanelWidth:], b[i*stride:][:n])
			}
			a := sparse(r, k, 0.5)
			onKernels(t, Kernels(), func(t *testing.T) {
				s.Set(a)
				want := make([]float32, panels.Count()*PanelWidth)
				s.Multiply(want, dense, len(want))
				for _, density := range []float64{0, 0.2, 1} {
					set := make([]uint64, (panels.Count()+63)/64)
					for i := range panels.Count() {
						if r.Float64() < density {
							set[i/64] |= 1 << (i % 64)
						}
					}
					c := newMatrix(1, panels.Count()*PanelWidth, 0)
					s.MultiplyPanels(c.data(), panels, set)
					if !c.guarded() {
						t.Fatalf("%d by %d: writes beyond c", k, n)
					}
					for j, got := range c.data() {
						wanted := set[j/PanelWidth/64]>>(j/PanelWidth%64)&1 != 0
						if !wanted && math.Float32bits(got) != math.Float32bits(guard) {
							t.Fatalf("%d by %d: column %d was not wanted and is %v", k, n, j, got)
						}
						if wanted && !sameBits(got, want[j]) {
							t.Fatalf("%d by %d: column %d is %v, want %v", k, n, j, got, want[j])
						}
					}
				}
			})
		}
	}
}

func TestSparseRefusesWhatDoesNotFit(t *testing.T) {
	s := NewSparse(4)
	s.Set([]float32{1, 0, 2})
	big := make([]float32, 64)
	for name, call := range map[string]func(){
		"five elements": func() { s.Set(make([]float32, 5)) },
		"columns":       func() { s.Multiply(big, big, 17) },
		"short c":       func() { s.Multiply(big[:15], big, 16) },
		"short b":       func() { s.Multiply(big, big[:47], 16) },
		"no matrix":     func() { NewPanels(big, 4, 17, 17) },
		"other rows":    func() { s.MultiplyPanels(big, NewPanels(big, 4, 16, 16), []uint64{1}) },
		"short panels":  func() { s.MultiplyPanels(big[:31], NewPanels(big, 3, 17, 17), []uint64{1}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func TestSparseAllocatesNothing(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		s, x := NewSparse(64), sparse(newRand(), 64, 0.5)
		b, c := random(newRand(), 64*32), make([]float32, 32)
		panels, set := NewPanels(b, 64, 32, 32), []uint64{3}
		if n := testing.AllocsPerRun(100, func() { s.Set(x); s.Multiply(c, b, 32); s.MultiplyPanels(c, panels, set) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// A layer for one row, half of whose elements are zero, and the same by Sgemm. Many matrices, as a network has them.
func BenchmarkOneRow(b *testing.B) {
	const matrices = 8
	for _, shape := range [][2]int{{256, 256}, {256, 640}, {256, 64}} {
		k, n := shape[0], shape[1]
		x, y, c := sparse(newRand(), k, 0.5), random(newRand(), matrices*k*n), make([]float32, n)
		run := func(b *testing.B, layer func(y []float32)) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at := i % matrices * k * n
				layer(y[at : at+k*n])
			}
		}
		b.Run(fmt.Sprintf("%dx%d", k, n), func(b *testing.B) {
			eachKernel(b, func(b *testing.B) {
				s := NewSparse(k)
				b.Run("list", func(b *testing.B) { run(b, func([]float32) { s.Set(x) }) })
				b.Run("sparse", func(b *testing.B) { run(b, func(y []float32) { s.Set(x); s.Multiply(c, y, n) }) })
				b.Run("panels", func(b *testing.B) { // three of ten
					var panels []*Panels
					for i := range matrices {
						panels = append(panels, NewPanels(y[i*k*n:], k, n, n))
					}
					set := uint64(0)
					for i := 0; i < n/PanelWidth; i += 3 {
						set |= 1 << i
					}
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						s.Set(x)
						s.MultiplyPanels(c, panels[i%matrices], []uint64{set})
					}
				})
				b.Run("sgemm", func(b *testing.B) {
					run(b, func(y []float32) {
						New(1).Sgemm(blas.NoTrans, blas.NoTrans, 1, n, k, 1, x, k, y, n, 0, c, n)
					})
				})
			})
		})
	}
}
