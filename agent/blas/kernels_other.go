// This file stands in for the assembly where there is none.

//go:build !amd64 || noasm

package blas

func assembly() []*kernels { return nil }

func biasReLUVector(y, bias, residual []float32, rows, cols int, relu bool) int { return 0 }

func reluGradVector(z, y, grad, biasGrad []float32, rows, cols int, relu bool) int { return 0 }

func adamVector(w, grad, m, v []float32, c *AdamConstants) int { return 0 }

func sumSquaresVector(x []float32, sums *[16]float64) int { return 0 }
