// This file is the matrix product for programs that only play: without gonum, which a small program should not carry.

package blas

import "fmt"

// MatMul computes C = A B on the caller's goroutine, for A [m, k], B [k, n] and C [m, n], all row-major with lda, ldb
// and ldc elements from one row to the next; C must not overlap A or B. The assembly gives the bits of
// [Implementation.Sgemm]. Plain Go computes each element in the same order, so that here, too, the bits of a row do not
// depend on those around it, but rounds as the compiler sees fit. It panics if the shapes do not fit.
func MatMul(m, n, k int, a []float32, lda int, b []float32, ldb int, c []float32, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 || !holds(a, m, k, lda) || !holds(b, k, n, ldb) || !holds(c, m, n, ldc) {
		panic(fmt.Sprintf("blas: MatMul: %d, %d and %d elements with strides %d, %d and %d are no matrices [%d, %d], [%d, %d], [%d, %d]",
			len(a), len(b), len(c), lda, ldb, ldc, m, k, k, n, m, n))
	}
	kernel := selected.Load()
	if kernel.bands != nil {
		p := product{kernels: kernel, m: m, n: n, k: k, a: a, aRow: lda, aStep: 1, b: b, bRow: ldb, bPanel: panel, c: c, cRow: ldc}
		p.rows(0, m)
		return
	}
	i := 0
	for ; i+4 <= m; i += 4 { // four rows in one pass over B
		c0, c1, c2, c3 := c[i*ldc:][:n], c[(i+1)*ldc:][:n], c[(i+2)*ldc:][:n], c[(i+3)*ldc:][:n]
		clear(c0)
		clear(c1)
		clear(c2)
		clear(c3)
		for l := range k {
			a0, a1, a2, a3 := a[i*lda+l], a[(i+1)*lda+l], a[(i+2)*lda+l], a[(i+3)*lda+l]
			if a0 == 0 && a1 == 0 && a2 == 0 && a3 == 0 {
				continue
			}
			for j, y := range b[l*ldb:][:n] {
				c0[j] += a0 * y
				c1[j] += a1 * y
				c2[j] += a2 * y
				c3[j] += a3 * y
			}
		}
	}
	for ; i < m; i++ {
		row := c[i*ldc:][:n]
		clear(row)
		for l, x := range a[i*lda:][:k] {
			if x == 0 {
				continue
			}
			for j, y := range b[l*ldb:][:n] {
				row[j] += x * y
			}
		}
	}
}
