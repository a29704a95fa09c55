// This file calls the elementwise assembly. Each function returns how much it has done: leading columns, or elements.

//go:build amd64 && !noasm

package blas

//go:noescape
func biasReLUAVX2(y, bias, residual *float32, rows, cols, width int, relu bool)

//go:noescape
func reluGradAVX2(z, y, grad, biasGrad *float32, rows, cols, width int, relu bool)

//go:noescape
func adamAVX2(w, grad, m, v *float32, n int, c *AdamConstants)

//go:noescape
func sumSquaresAVX2(x *float32, n int, sums *[16]float64)

// vectors returns the part of n that assembly takes: its multiple of `of`, or none if plain Go is selected.
func vectors(n, of int) int {
	if selected.Load().bands == nil {
		return 0
	}
	return n / of * of
}

func biasReLUVector(y, bias, residual []float32, rows, cols int, relu bool) int {
	width := vectors(cols, 8)
	if width == 0 {
		return 0
	}
	var r *float32
	if residual != nil {
		r = &residual[0]
	}
	biasReLUAVX2(&y[0], &bias[0], r, rows, cols, width, relu)
	return width
}

func reluGradVector(z, y, grad, biasGrad []float32, rows, cols int, relu bool) int {
	width := vectors(cols, 8)
	if width == 0 {
		return 0
	}
	reluGradAVX2(&z[0], &y[0], &grad[0], &biasGrad[0], rows, cols, width, relu)
	return width
}

func adamVector(w, grad, m, v []float32, c *AdamConstants) int {
	n := vectors(len(w), 8)
	if n > 0 {
		adamAVX2(&w[0], &grad[0], &m[0], &v[0], n, c)
	}
	return n
}

func sumSquaresVector(x []float32, sums *[16]float64) int {
	n := vectors(len(x), 16)
	if n > 0 {
		sumSquaresAVX2(&x[0], n, sums)
	}
	return n
}
