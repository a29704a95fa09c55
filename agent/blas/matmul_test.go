// This file checks the product without gonum.

package blas

import (
	"testing"

	"gonum.org/v1/gonum/blas"
)

func TestMatMulIsSgemm(t *testing.T) {
	r := newRand()
	for _, m := range []int{1, 2, 4, 7, 33} {
		for _, n := range []int{1, 16, 61, 640} {
			for _, k := range []int{1, 17, 256} {
				x, y := sparse(r, m*k, 0.5), random(r, k*n)
				want := multiply(m, n, k, x, y)
				onKernels(t, Kernels(), func(t *testing.T) {
					a, b, c := operand(x, blas.NoTrans, m, k, 3), operand(y, blas.NoTrans, k, n, 5), newMatrix(m, n, 7)
					MatMul(m, n, k, a.data(), a.stride, b.data(), b.stride, c.data(), c.stride)
					if !c.guarded() {
						t.Fatalf("%dx%dx%d: writes beside C", m, n, k)
					}
					alone := make([]float32, n)
					for i := range m {
						for j, got := range c.row(i) {
							if at := i*n + j; fused() && !sameBits(got, want.chain[at]) {
								t.Fatalf("%dx%dx%d: element %d, %d is %v, want %v", m, n, k, i, j, got, want.chain[at])
							} else if off := float64(got) - want.exact[at]; off > want.bound[at] || off < -want.bound[at] {
								t.Fatalf("%dx%dx%d: element %d, %d is %v, exactly %v", m, n, k, i, j, got, want.exact[at])
							}
						}
						MatMul(1, n, k, a.row(i), k, b.data(), b.stride, alone, n)
						if j := firstDifference(alone, c.row(i)); j >= 0 {
							t.Fatalf("%dx%dx%d: element %d, %d is %v beside other rows, %v alone", m, n, k, i, j, c.row(i)[j], alone[j])
						}
					}
				})
			}
		}
	}
}

func TestMatMulRefusesWhatDoesNotFit(t *testing.T) {
	x := make([]float32, 12)
	for _, c := range []struct{ m, n, k, lda, ldb, ldc, elements int }{
		{0, 3, 4, 4, 3, 3, 12}, {3, 0, 4, 4, 3, 3, 12}, {3, 3, 0, 4, 3, 3, 12},
		{3, 3, 4, 3, 3, 3, 12}, {3, 3, 4, 4, 2, 3, 12}, {3, 3, 4, 4, 3, 2, 12}, {3, 3, 4, 4, 3, 3, 8},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v: no panic", c)
				}
			}()
			MatMul(c.m, c.n, c.k, x[:c.elements], c.lda, x, c.ldb, x, c.ldc)
		}()
	}
}
