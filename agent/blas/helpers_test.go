// This file is what the tests share: kernels to run on, matrices between guards, exact references.

package blas

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// onEachKernel runs the test on every kernel that this processor and build have, and names those they have not.
func onEachKernel(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	onKernels(t, Kernels(), test)
	for _, k := range []Kernel{AVX512, AVX2} {
		if use(t, k) != nil {
			t.Logf("not run on %s: this processor or build lacks it", k)
		}
	}
}

func onKernels(t *testing.T, list []Kernel, test func(t *testing.T)) {
	t.Helper()
	for _, k := range list {
		t.Run(string(k), func(t *testing.T) {
			if err := use(t, k); err != nil {
				t.Fatal(err)
			}
			test(t)
		})
	}
}

// use selects a kernel until the end of the test.
func use(t testing.TB, k Kernel) error {
	before := Selected()
	t.Cleanup(func() {
		if err := Use(before); err != nil {
			t.Fatal(err)
		}
	})
	return Use(k)
}

// fused reports whether the selected kernel promises the bits of a chain of fused multiply-adds.
func fused() bool { return Selected() != Go }

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// random returns n numbers of different sizes and both signs.
func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * math.Exp(r.NormFloat64()))
	}
	return x
}

// guard is a NaN that no computation makes: where it stands, nothing may have been written, and what was computed
// from it shows.
var guard = math.Float32frombits(0x7fc0abcd)

const guardSize = 19

// matrix is stored with guards before and after it, and at the end of each row.
type matrix struct {
	memory             []float32
	rows, cols, stride int
}

func newMatrix(rows, cols, padding int) matrix {
	m := matrix{rows: rows, cols: cols, stride: cols + padding}
	m.memory = make([]float32, rows*m.stride+2*guardSize)
	for i := range m.memory {
		m.memory[i] = guard
	}
	return m
}

// data is the slice to hand to Sgemm, cut off after the last element.
func (m matrix) data() []float32 {
	return m.memory[guardSize:][:(m.rows-1)*m.stride+m.cols]
}

func (m matrix) row(i int) []float32 { return m.memory[guardSize+i*m.stride:][:m.cols] }

// fill stores x [rows, cols], or the transposed x [cols, rows].
func (m matrix) fill(x []float32, t blas.Transpose) {
	for i := range m.rows {
		row := m.row(i)
		for j := range row {
			if t == blas.NoTrans {
				row[j] = x[i*m.cols+j]
			} else {
				row[j] = x[j*m.rows+i]
			}
		}
	}
}

// guarded reports whether all guards still stand.
func (m matrix) guarded() bool {
	for i, v := range m.memory {
		at := i - guardSize
		if at >= 0 && at/m.stride < m.rows && at%m.stride < m.cols {
			continue
		}
		if math.Float32bits(v) != math.Float32bits(guard) {
			return false
		}
	}
	return true
}

// operand stores a matrix that is [rows, cols] after the transposition.
func operand(x []float32, t blas.Transpose, rows, cols, padding int) matrix {
	rows, cols = stored(t, rows, cols)
	m := newMatrix(rows, cols, padding)
	m.fill(x, t)
	return m
}

// fma returns a b + c rounded once to float32.
func fma(a, b, c float32) float32 {
	product := float64(a) * float64(b) // exact
	sum := product + float64(c)
	back := sum - product
	lost := (product - (sum - back)) + (float64(c) - back)
	// Rounding twice could err. If the sum is not exact, take the neighbour with an odd last bit: that rounds on to
	// float32 as the exact sum does.
	if bits := math.Float64bits(sum); lost != 0 && bits&1 == 0 {
		if (lost > 0) == (sum > 0) {
			bits++
		} else {
			bits--
		}
		sum = math.Float64frombits(bits)
	}
	return float32(sum)
}

// reference is the product of A [m, k] and B [k, n] in float64, with a bound for the error in float32 of each
// element, and as the chain of fused multiply-adds that the assembly promises.
type reference struct {
	exact, bound []float64
	chain        []float32
}

func multiply(m, n, k int, a, b []float32) reference {
	ref := reference{make([]float64, m*n), make([]float64, m*n), make([]float32, m*n)}
	for i := range m {
		exact, bound, chain := ref.exact[i*n:(i+1)*n], ref.bound[i*n:(i+1)*n], ref.chain[i*n:(i+1)*n]
		for l := range k {
			x := a[i*k+l]
			for j, y := range b[l*n : (l+1)*n] {
				p := float64(x) * float64(y)
				exact[j] += p
				bound[j] += math.Abs(p) * float64(k+2) / (1 << 23)
				chain[j] = fma(x, y, chain[j])
			}
		}
	}
	return ref
}

// sameBits is equality of bits, but for NaN.
func sameBits(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func firstDifference(a, b []float32) int {
	for i := range a {
		if !sameBits(a[i], b[i]) {
			return i
		}
	}
	return -1
}
