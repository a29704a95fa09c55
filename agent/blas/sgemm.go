// This file is the BLAS that Gorgonia is given, and decides what the kernels take.

package blas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation is gonum's BLAS with Sgemm replaced, for gorgonia.Use. Any number of goroutines may use one.
type Implementation struct {
	gonum.Implementation
	// Workers is how many goroutines share a large product; below 2 there is just the caller's. Results do not
	// depend on it. Gonum's product, of the kernel [Go], spreads over GOMAXPROCS by itself and ignores it.
	Workers int
}

// New returns an Implementation whose large products are shared by so many goroutines.
func New(workers int) *Implementation { return &Implementation{Workers: workers} }

// Sgemm computes C = alpha op(A) op(B) + beta C, where op(A) is A or its transpose, [m, k]; op(B) likewise, [k, n];
// and C is [m, n]. All are row-major, with lda, ldb and ldc elements from one row as stored to the next; C must not
// overlap A or B. With beta 0 the old contents of C do not matter, NaN included.
//
// The selected kernel computes products with alpha 1 and beta 0 or 1, and allocates nothing but scratch for transposed
// operands, which is kept for the next call. The rest is gonum's, and so are the panics for transposes, sizes, strides
// and slices that do not fit together.
func (impl Implementation) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	kernel := selected.Load()
	take := kernel.bands != nil && alpha == 1 && (beta == 0 || beta == 1) && valid(tA) && valid(tB) &&
		m > 0 && n > 0 && k > 0
	if take {
		rowsA, colsA := stored(tA, m, k)
		rowsB, colsB := stored(tB, k, n)
		// The assembly checks no bounds, so this must.
		take = holds(a, rowsA, colsA, lda) && holds(b, rowsB, colsB, ldb) && holds(c, m, n, ldc)
	}
	if !take {
		impl.Implementation.Sgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}

	p := product{kernels: kernel, m: m, n: n, k: k, a: a, aRow: lda, aStep: 1, b: b, bRow: ldb, bPanel: panel, c: c, cRow: ldc, add: beta == 1}
	if tA != blas.NoTrans {
		p.aRow, p.aStep = 1, lda
		if kernel.rereads > 0 && n >= kernel.rereads {
			s := scratch.Get().(*[]float32)
			defer scratch.Put(s)
			p.transposeA(s)
		}
	}
	if tB != blas.NoTrans {
		s := scratch.Get().(*[]float32)
		defer scratch.Put(s)
		p.transposeB(s)
	}
	p.run(impl.Workers)
}

func valid(t blas.Transpose) bool { return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans }

// stored returns the shape in memory of a matrix that is [rows, cols] after the transposition.
func stored(t blas.Transpose, rows, cols int) (int, int) {
	if t == blas.NoTrans {
		return rows, cols
	}
	return cols, rows
}

// holds reports whether x has the elements of a matrix [rows, cols], both positive, with rows `stride` apart. It
// divides because the product could overflow.
func holds(x []float32, rows, cols, stride int) bool {
	return stride >= cols && len(x) >= cols && rows-1 <= (len(x)-cols)/stride
}
