// Package blas is where the network spends its time: the float32 matrix product, for Gorgonia to use, and the few
// elementwise passes around it.
//
// On amd64 these run on assembly for AVX-512 or AVX2 with FMA, whichever [Use] selects; elsewhere, and under the
// build tag noasm, the product is gonum's and the rest plain Go. There is no library to install and no cgo.
//
// # What results depend on
//
// With the AVX2 and AVX-512 kernels an element of a product is always the same chain of fused multiply-adds over k,
// from zero, with C added last when beta is 1. So its bits do not depend on the kernel of the two, on the number of
// rows (a row does not depend on those around it), on the number of workers, on transposition or on the width of C,
// multiple of 16 or not. Gonum's product rounds after each multiplication, and differs from them in the last bits.
//
// [MatMul] and [Sparse] are for programs that only play: the same bits by the same assembly, and plain Go of this package
// elsewhere, so that gonum's product stays out of a small program. A Sparse multiplies one row by what is not zero in it.
//
// [BiasReLU], [ReLUGrad], [Adam] and [SumSquares] give the same bits with every kernel, plain Go included, on every
// architecture. The bits of a NaN are never promised.
package blas

//go:generate go run ./internal/gen
