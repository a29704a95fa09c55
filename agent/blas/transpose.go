// This file stores a transposed operand anew, in the order in which the tiles read it.

package blas

import "sync"

// scratch holds *[]float32 for operands that are stored anew.
var scratch = sync.Pool{New: func() any { return new([]float32) }}

// grow returns n elements of the scratch, with any contents.
func grow(scratch *[]float32, n int) []float32 {
	if cap(*scratch) < n {
		*scratch = make([]float32, n)
	}
	return (*scratch)[:n]
}

// transposeB takes b as stored [n, k] and replaces it by panels [k, panel] in the scratch.
func (p *product) transposeB(scratch *[]float32) {
	size := panel * p.k
	dst := grow(scratch, (p.n+panel-1)/panel*size)
	p.kernels.repack(dst, panel, panel, size, p.b, p.bRow, p.n, p.k)
	p.b, p.bRow, p.bPanel = dst, panel, size
}

// transposeA takes a as stored [k, m] and replaces it by [m, k] in the scratch. The rows are a cache line longer, lest
// those of one tile compete for the same places in the cache when k is a power of two.
func (p *product) transposeA(scratch *[]float32) {
	row := p.k + 16
	dst := grow(scratch, p.m*row)
	p.kernels.repack(dst, row, p.k, 0, p.a, p.aStep, p.k, p.m)
	p.a, p.aRow, p.aStep = dst, row, 1
}

// repack transposes src [rows, cols] into panels of `width` columns that are `size` elements apart, rows dstRow apart:
// dst[i/width*size + j*dstRow + i%width] = src[i*srcRow + j]. Width is a multiple of 8 unless there is but one panel.
func (k *kernels) repack(dst []float32, dstRow, width, size int, src []float32, srcRow, rows, cols int) {
	const block = 8
	fullRows, fullCols := rows/block*block, cols/block*block
	for i := 0; i < fullRows; i += 2 * block {
		// Two blocks after each other fill whole cache lines of dst.
		for j := 0; j < fullCols; j += block {
			for ii := i; ii < min(i+2*block, fullRows); ii += block {
				k.transpose(&dst[ii/width*size+j*dstRow+ii%width], dstRow, &src[ii*srcRow+j], srcRow)
			}
		}
	}
	for i := range rows {
		first := fullCols
		if i >= fullRows {
			first = 0
		}
		for j := first; j < cols; j++ {
			dst[i/width*size+j*dstRow+i%width] = src[i*srcRow+j]
		}
	}
}
