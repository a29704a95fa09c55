package blas

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
)

var _ gorgonia.BLAS = (*Implementation)(nil)

var transposes = []blas.Transpose{blas.NoTrans, blas.Trans}

// The reference of the other tests is checked against arithmetic of arbitrary precision, for numbers that often round
// from halfway.
func TestReferenceMultiplyAddRoundsOnce(t *testing.T) {
	r := newRand()
	number := func() float32 {
		mantissa := []float64{float64(r.IntN(1 << 24)), float64(1<<23 + r.IntN(4)), float64(int(1) << r.IntN(24))}[r.IntN(3)]
		return float32(math.Ldexp(mantissa*float64(1-2*r.IntN(2)), -r.IntN(60)))
	}
	for range 200_000 {
		a, b, c := number(), number(), number()
		exact := new(big.Float).SetPrec(500).SetFloat64(float64(a))
		exact.Mul(exact, big.NewFloat(float64(b))).Add(exact, big.NewFloat(float64(c)))
		if want, _ := exact.Float32(); fma(a, b, c) != want {
			t.Fatalf("%b * %b + %b: %b, want %b", a, b, c, fma(a, b, c), want)
		}
	}
}

// checkProduct computes one product in all layouts, with beta 0 and 1, and checks every element and the guards.
func checkProduct(t *testing.T, impl *Implementation, m, n, k, padding int, a, b, c []float32, ref reference) {
	t.Helper()
	for _, tA := range transposes {
		ma := operand(a, tA, m, k, padding)
		for _, tB := range transposes {
			mb := operand(b, tB, k, n, padding)
			for _, beta := range []float32{0, 1} {
				mc := newMatrix(m, n, padding) // full of NaN, which beta 0 must not let through
				if beta == 1 {
					mc.fill(c, blas.NoTrans)
				}
				impl.Sgemm(tA, tB, m, n, k, 1, ma.data(), ma.stride, mb.data(), mb.stride, beta, mc.data(), mc.stride)

				where := func(i, j int) string {
					return fmt.Sprintf("[%d,%d,%d] tA %c tB %c beta %v at [%d,%d]", m, n, k, tA, tB, beta, i, j)
				}
				for i := range m {
					for j, got := range mc.row(i) {
						exact, chain, bound := ref.exact[i*n+j], ref.chain[i*n+j], ref.bound[i*n+j]
						if beta == 1 {
							exact += float64(c[i*n+j])
							chain += c[i*n+j]
							bound += math.Abs(float64(c[i*n+j])) / (1 << 22)
						}
						if !(math.Abs(float64(got)-exact) <= bound) {
							t.Fatalf("%s: %v, want %v within %v", where(i, j), got, exact, bound)
						}
						if fused() && !sameBits(got, chain) {
							t.Fatalf("%s: %b, the chain of fused multiply-adds is %b", where(i, j), got, chain)
						}
					}
				}
				if !mc.guarded() {
					t.Fatalf("%s: wrote outside of C", where(m, n))
				}
			}
		}
	}
}

// On the assembly kernels this is equality of bits with one reference, so it also shows that they agree with each
// other, and that no element depends on the shape around it.
func TestSgemmOnEverySmallShape(t *testing.T) {
	step := 1
	if raceEnabled || testing.Short() {
		step = 5
	}
	r := newRand()
	maxM, maxN, maxK := 18, 36, 18
	a, b, c := random(r, maxM*maxK), random(r, maxK*maxN), random(r, maxM*maxN)
	onEachKernel(t, func(t *testing.T) {
		products := 0
		for m := 1; m <= maxM; m++ {
			for n := 1; n <= maxN; n++ {
				for k := 1 + (m+n)%step; k <= maxK; k += step {
					ref := multiply(m, n, k, a[:m*k], b[:k*n])
					checkProduct(t, New(1), m, n, k, (m+n+k)%3, a[:m*k], b[:k*n], c[:m*n], ref)
					products += 8
				}
			}
		}
		t.Logf("%d products checked", products)
	})
}

func TestSgemmOnLargeShapes(t *testing.T) {
	r := newRand()
	shapes := [][3]int{{512, 256, 256}, {200, 256, 512}, {37, 640, 256}, {9, 631, 200}, {130, 1, 64}, {1, 256, 256}, {2, 100, 300}, {3, 75, 99}, {66, 64, 1}, {17, 130, 9}, {5, 128, 3}, {8, 201, 16}}
	for range 6 {
		shapes = append(shapes, [3]int{1 + r.IntN(300), 1 + r.IntN(300), 1 + r.IntN(300)})
	}
	if raceEnabled || testing.Short() {
		shapes = shapes[2:12]
	}
	for _, s := range shapes {
		m, n, k := s[0], s[1], s[2]
		a, b, c := random(r, m*k), random(r, k*n), random(r, m*n)
		ref := multiply(m, n, k, a, b)
		for _, kernel := range Kernels() {
			if err := use(t, kernel); err != nil {
				t.Fatal(err)
			}
			for _, workers := range []int{1, 3} {
				checkProduct(t, New(workers), m, n, k, r.IntN(5), a, b, c, ref)
			}
		}
	}
	t.Logf("%d shapes on each of %v", len(shapes), Kernels())
}

// A row is the same in a batch of any size, at any place in it, with any number of workers. Gonum's product keeps to
// this as well.
func TestSgemmRowDoesNotDependOnBatchOrWorkers(t *testing.T) {
	const k = 200
	for _, n := range []int{1, 64, 256, 631} {
		r := newRand()
		x, w := random(r, 515*k), random(r, k*n)
		onEachKernel(t, func(t *testing.T) {
			want := make([]float32, 515*n)
			New(1).Sgemm(blas.NoTrans, blas.NoTrans, 515, n, k, 1, x, k, w, n, 0, want, n)
			for _, workers := range []int{2, 3, 5, 100} {
				got := make([]float32, 515*n)
				New(workers).Sgemm(blas.NoTrans, blas.NoTrans, 515, n, k, 1, x, k, w, n, 0, got, n)
				if i := firstDifference(got, want); i >= 0 {
					t.Fatalf("width %d, %d workers: element %d is %b, with one worker %b", n, workers, i, got[i], want[i])
				}
			}
			batches := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 31, 64, 65, 128}
			for _, batch := range batches {
				for _, first := range []int{0, 1, 300} {
					got := make([]float32, batch*n)
					New(1).Sgemm(blas.NoTrans, blas.NoTrans, batch, n, k, 1, x[first*k:], k, w, n, 0, got, n)
					if i := firstDifference(got, want[first*n:][:batch*n]); i >= 0 {
						t.Fatalf("width %d, batch %d from row %d: element %d differs from the large batch", n, batch, first, i)
					}
				}
			}
		})
	}
}

func TestSgemmInManyGoroutinesAtOnce(t *testing.T) {
	const m, n, k = 96, 160, 144
	r := newRand()
	a, b := random(r, m*k), random(r, k*n)
	onEachKernel(t, func(t *testing.T) {
		impl := New(3)
		want := make([]float32, m*n)
		impl.Sgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, want, n)
		results := make(chan []float32)
		for range 4 {
			go func() {
				got := make([]float32, m*n)
				for range 5 {
					impl.Sgemm(blas.NoTrans, blas.Trans, m, n, k, 1, a, k, b, k, 0, got, n)
				}
				results <- got
			}()
		}
		for range 4 {
			if got := <-results; firstDifference(got, want) >= 0 {
				t.Error("a product differs when others run at the same time")
			}
		}
	})
}

// The kernels do not take these; gonum does.
func TestSgemmOfOtherFactorsAndEmptyProducts(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		c := []float32{1, 2, 3, 4}
		New(1).Sgemm(blas.NoTrans, blas.NoTrans, 2, 2, 1, 2, []float32{1, 10}, 1, []float32{1, 2}, 2, 3, c, 2)
		if want := []float32{5, 10, 29, 52}; firstDifference(c, want) >= 0 {
			t.Errorf("alpha 2, beta 3: %v, want %v", c, want)
		}
		New(1).Sgemm(blas.NoTrans, blas.NoTrans, 2, 2, 0, 1, []float32{7}, 1, nil, 2, 0, c, 2)
		if want := make([]float32, 4); firstDifference(c, want) >= 0 {
			t.Errorf("k 0, beta 0: %v, want zeros", c)
		}
		New(1).Sgemm(blas.NoTrans, blas.NoTrans, 0, 2, 1, 1, nil, 1, []float32{1, 2}, 2, 0, nil, 2)
	})
}

func TestSgemmPropagatesNaNAndInf(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	onEachKernel(t, func(t *testing.T) {
		c := make([]float32, 2)
		New(1).Sgemm(blas.NoTrans, blas.NoTrans, 1, 2, 2, 1, []float32{1, 1}, 2, []float32{nan, inf, 1, 1}, 2, 0, c, 2)
		if c[0] == c[0] || c[1] != inf {
			t.Errorf("got %v, want [NaN +Inf]", c)
		}
	})
}

func TestSgemmPanicsWhenShapesDoNotFit(t *testing.T) {
	const big = math.MaxInt / 2
	six := make([]float32, 6)
	for _, c := range []struct {
		name    string
		tA, tB  blas.Transpose
		m, n, k int
		a       []float32
		lda     int
		b       []float32
		ldb     int
		c       []float32
		ldc     int
		fits    bool
	}{
		{name: "fits", m: 2, n: 3, k: 2, a: six[:4], lda: 2, b: six, ldb: 3, c: six, ldc: 3, fits: true},
		{name: "short A", m: 2, n: 3, k: 2, a: six[:3], lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "short B", m: 2, n: 3, k: 2, a: six[:4], lda: 2, b: six[:5], ldb: 3, c: six, ldc: 3},
		{name: "short C", m: 2, n: 3, k: 2, a: six[:4], lda: 2, b: six, ldb: 3, c: six[:5], ldc: 3},
		{name: "short transposed A", tA: blas.Trans, m: 2, n: 3, k: 2, a: six[:3], lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "short transposed B", tB: blas.Trans, m: 2, n: 3, k: 2, a: six[:4], lda: 2, b: six[:5], ldb: 2, c: six, ldc: 3},
		{name: "narrow A", m: 2, n: 3, k: 2, a: six, lda: 1, b: six, ldb: 3, c: six, ldc: 3},
		{name: "narrow B", m: 2, n: 3, k: 2, a: six, lda: 2, b: six, ldb: 2, c: six, ldc: 3},
		{name: "narrow C", m: 2, n: 3, k: 2, a: six, lda: 2, b: six, ldb: 3, c: six, ldc: 2},
		{name: "negative m", m: -2, n: 3, k: 2, a: six, lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "negative n", m: 2, n: -3, k: 2, a: six, lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "negative k", m: 2, n: 3, k: -2, a: six, lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "not a transposition", tA: 'X', m: 2, n: 3, k: 2, a: six, lda: 2, b: six, ldb: 3, c: six, ldc: 3},
		{name: "sizes that overflow", m: 5, n: 1, k: 1, a: six, lda: big, b: six, ldb: 1, c: six, ldc: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.tA == 0 {
				c.tA = blas.NoTrans
			}
			if c.tB == 0 {
				c.tB = blas.NoTrans
			}
			onEachKernel(t, func(t *testing.T) {
				defer func() {
					if panicked := recover() != nil; panicked == c.fits {
						t.Errorf("panicked: %v", panicked)
					}
				}()
				New(1).Sgemm(c.tA, c.tB, c.m, c.n, c.k, 1, c.a, c.lda, c.b, c.ldb, 0, c.c, c.ldc)
			})
		})
	}
}

func TestSgemmAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget at random")
	}
	const m, n, k = 192, 128, 128 // enough to be shared
	a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for _, kernel := range Kernels() {
		if kernel == Go {
			continue // gonum allocates to share its work
		}
		if err := use(t, kernel); err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			impl := New(workers)
			for _, tB := range transposes {
				ldb := n
				if tB != blas.NoTrans {
					ldb = k
				}
				got := testing.AllocsPerRun(100, func() {
					impl.Sgemm(blas.NoTrans, tB, m, n, k, 1, a, k, b, ldb, 0, c, n)
				})
				if got >= 1 {
					t.Errorf("%s, %d workers, tB %c: %v allocations a product", kernel, workers, tB, got)
				}
			}
		}
	}
}

func TestPeakRateMeasuresEveryKernel(t *testing.T) {
	onEachKernel(t, func(t *testing.T) {
		if rate := PeakRate(16, 32, 32, 1, 1e6); !(rate > 0) || math.IsInf(rate, 0) {
			t.Errorf("rate %v GFLOP/s", rate)
		}
	})
}
