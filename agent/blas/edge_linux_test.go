// This file checks that the assembly reads and writes nothing past the last element, by placing each matrix right
// before a page that must not be touched.

package blas

import (
	"syscall"
	"testing"
	"unsafe"
)

// edge returns memory for n elements that ends where a forbidden page begins.
func edge(t *testing.T, n int) []float32 {
	t.Helper()
	page := syscall.Getpagesize()
	size := (4*n + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, size+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	if err := syscall.Mprotect(memory[size:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&memory[size-4*n])), n)
}

func TestKernelsStayWithinTheirSlices(t *testing.T) {
	const most = 140
	const size = 80 * most
	a, b, c, d := edge(t, size), edge(t, size), edge(t, size), edge(t, size)
	tail := func(x []float32, n int) []float32 { return x[len(x)-n:] }
	onEachKernel(t, func(t *testing.T) {
		sparse := NewSparse(most)
		for k := 1; k <= most; k++ {
			for _, n := range []int{16, 48, 80} {
				sparse.Set(tail(a, k))
				sparse.Multiply(tail(c, n), tail(b, k*n), n)
			}
		}
		for _, m := range []int{1, 2, 3, 4, 5, 6, 7, 8, 13} {
			for n := 1; n <= most; n++ {
				const k = 9
				for _, tA := range transposes {
					for _, tB := range transposes {
						_, lda := stored(tA, m, k)
						_, ldb := stored(tB, k, n)
						New(1).Sgemm(tA, tB, m, n, k, 1, tail(a, m*k), lda, tail(b, k*n), ldb, 1, tail(c, m*n), n)
					}
				}
				y, grad, z, bias := tail(a, m*n), tail(b, m*n), tail(c, m*n), tail(d, n)
				BiasReLU(y, bias, grad, m, n, true)
				ReLUGrad(z, y, grad, bias, m, n, true)
				constants := NewAdamConstants(1, .1, .9, .999, 1e-8)
				Adam(y, grad, z, tail(d, m*n), &constants)
				SumSquares(y)
			}
		}
	})
}
