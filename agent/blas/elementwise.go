// This file is the passes over a layer's output and its gradient.
//
// Each function checks its shapes, lets the assembly do the leading columns (a multiple of 8, or none), and does the
// rest in plain Go. Both round alike, so the bits do not depend on where the border lies.

package blas

import (
	"fmt"
	"math"
)

// BiasReLU adds bias [cols], and residual [rows, cols] unless it is nil, to each row of y [rows, cols]:
// y = (y + bias) + residual. If relu, it then replaces what is negative by zero; -0 becomes +0 and NaN stays.
// It panics if a slice is too short.
func BiasReLU(y, bias, residual []float32, rows, cols int, relu bool) {
	check("BiasReLU", "y", y, rows, cols)
	check("BiasReLU", "bias", bias, 1, cols)
	if residual != nil {
		check("BiasReLU", "residual", residual, rows, cols)
	}
	if rows == 0 || cols == 0 {
		return
	}
	done := biasReLUVector(y, bias, residual, rows, cols, relu)
	if done == cols {
		return
	}
	bias = bias[done:cols]
	for i := range rows {
		row := y[i*cols+done : (i+1)*cols]
		row = row[:len(bias)]
		for j, b := range bias {
			row[j] += b
		}
		if residual != nil {
			for j, r := range residual[i*cols+done : (i+1)*cols] {
				row[j] += r
			}
		}
		if relu {
			for j, v := range row {
				row[j] = max(v, 0)
			}
		}
	}
}

// Add adds x to y, of the same length: y = y + x. It panics if x is shorter.
func Add(y, x []float32) { BiasReLU(y, x, nil, 1, len(y), false) }

// ReLUGrad is the gradient of [BiasReLU]: z = grad where the output y is positive, 0 elsewhere (z = grad everywhere
// if not relu, and then y may be nil), all [rows, cols]; and biasGrad [cols] is the sum of the rows of z, added from
// zero in their order. z may be grad or y itself. It panics if a slice is too short.
func ReLUGrad(z, y, grad, biasGrad []float32, rows, cols int, relu bool) {
	check("ReLUGrad", "z", z, rows, cols)
	check("ReLUGrad", "grad", grad, rows, cols)
	check("ReLUGrad", "biasGrad", biasGrad, 1, cols)
	if !relu {
		y = grad
	}
	check("ReLUGrad", "y", y, rows, cols)
	clear(biasGrad[:cols])
	if rows == 0 || cols == 0 {
		return
	}
	done := reluGradVector(z, y, grad, biasGrad, rows, cols, relu)
	if done == cols {
		return
	}
	sum := biasGrad[done:cols]
	for i := range rows {
		from, to := i*cols+done, (i+1)*cols
		zRow, yRow, gradRow := z[from:to], y[from:to], grad[from:to]
		for j := range sum {
			bits := math.Float32bits(gradRow[j])
			if relu && !(yRow[j] > 0) {
				bits = 0
			}
			zRow[j] = math.Float32frombits(bits)
			sum[j] += zRow[j]
		}
	}
}

// check panics unless x has the elements of [rows, cols].
func check(function, name string, x []float32, rows, cols int) {
	if rows < 0 || cols < 0 {
		panic(fmt.Sprintf("blas: %s: shape [%d, %d] is negative", function, rows, cols))
	}
	if cols > 0 && len(x)/cols < rows { // the product could overflow
		panic(fmt.Sprintf("blas: %s: %s has %d elements, [%d, %d] needs more", function, name, len(x), rows, cols))
	}
}
