// This file says which assembly kernels the processor can run, and which tiles suit how many rows.

//go:build amd64 && !noasm

package blas

import "golang.org/x/sys/cpu"

// assembly returns the assembly kernels this processor can run, fastest first.
func assembly() []*kernels {
	var list []*kernels
	x := &cpu.X86
	has2 := x.HasAVX2 && x.HasFMA
	if has2 && x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512BW && x.HasAVX512VL {
		list = append(list, &kernels{name: AVX512, bands: avx512Bands, sparse: sparseKernels{avx512Spans, avx512Panels, avx512Nonzero}, transpose: transpose8x8})
	}
	if has2 {
		list = append(list, &kernels{name: AVX2, bands: avx2Bands, rereads: 128, sparse: sparseKernels{avx2Spans, avx2Panels, avx2Nonzero}, transpose: transpose8x8})
	}
	return list
}

var (
	avx512All = []band{{64, avx512Tiles64}, {32, avx512Tiles32}, {16, avx512Tiles16}}
	avx2All   = []band{{64, avx2Tiles64}, {32, avx2Tiles32}, {16, avx2Tiles16}, {8, avx2Tiles8}}
)

// avx512Bands prefers tiles 64 wide, of up to 6 rows. Seven or eight rows fit one tile 32 wide, which reads B once
// where two tiles of 64 would read it twice.
func avx512Bands(rows int) []band {
	if rows == 7 || rows == 8 {
		return avx512All[1:]
	}
	return avx512All
}

// avx2Bands prefers the widest tiles that hold all rows: the fewer the rows, the more columns it takes to keep enough
// multiply-adds in flight. From four rows on 16 columns are enough.
func avx2Bands(rows int) []band {
	switch {
	case rows == 1:
		return avx2All
	case rows <= 3:
		return avx2All[1:]
	default:
		return avx2All[2:]
	}
}
