// This file emits the kernels of the product of a sparse vector and a matrix.
//
// A kernel holds some vector registers of the result. Its loop runs over the elements of the vector that are not zero:
// it broadcasts one and accumulates its row of the matrix, read by the fused multiply-add itself. An element of the
// result is the same chain of multiply-adds as in the tiles, without those that add zero.

package main

import "fmt"

// span is one kernel, of so many vectors of the result.
type span struct {
	isa     isa
	vectors int
}

// spans lists the kernels, widest first. Widths are powers of two so that few of them make up any multiple of 16
// columns; the widest of AVX-512 holds the whole result of a layer of 256.
var spans = []span{
	{avx512, 16}, {avx512, 8}, {avx512, 4}, {avx512, 2}, {avx512, 1},
	{avx2, 8}, {avx2, 4}, {avx2, 2},
}

// columns is the width of a kernel in elements.
func (s span) columns() int { return s.vectors * s.isa.bytes / 4 }

func (s span) name() string { return fmt.Sprintf("%sSpan%d", s.isa.name, s.columns()) }

func (s span) registers() int { return s.vectors + 1 }

const spanParameters = "n int, values *float32, rows *int32, b *float32, bRow int, c *float32"

// emit writes the kernel:
//
//	func(n int, values *float32, rows *int32, b *float32, bRow int, c *float32)
func (s span) emit(out *text) {
	register := func(i int) string { return fmt.Sprint(s.isa.register, i) }
	out.line("// func %s(%s)", s.name(), spanParameters)
	out.line("TEXT ·%s(SB), NOSPLIT, $0-48", s.name())
	for _, p := range []struct{ argument, register string }{
		{"n+0(FP)", "CX"}, {"values+8(FP)", "R8"}, {"rows+16(FP)", "R9"}, {"b+24(FP)", "R11"}, {"bRow+32(FP)", "R12"},
		{"c+40(FP)", "DI"},
	} {
		out.op("MOVQ", p.argument, p.register)
	}
	out.op("SHLQ", "$2", "R12")
	for i := range s.vectors {
		r := register(i)
		if s.isa == avx2 {
			out.op("VXORPS", r, r, r)
		} else {
			out.op("VPXORD", r, r, r)
		}
	}
	out.op("TESTQ", "CX", "CX")
	out.op("JZ", "store")
	out.op("PCALIGN", "$32")
	out.line("loop:")
	element := register(s.vectors)
	out.op("MOVLQSX", "(R9)", "AX")
	out.op("VBROADCASTSS", "(R8)", element)
	out.op("IMULQ", "R12", "AX")
	out.op("ADDQ", "R11", "AX")
	for i := range s.vectors {
		out.op("VFMADD231PS", at(i*s.isa.bytes, "(AX)"), element, register(i))
	}
	out.op("ADDQ", "$4", "R8")
	out.op("ADDQ", "$4", "R9")
	out.op("DECQ", "CX")
	out.op("JNZ", "loop")
	out.line("store:")
	for i := range s.vectors {
		out.op("VMOVUPS", register(i), at(i*s.isa.bytes, "(DI)"))
	}
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

// emitPanels writes the kernel that computes four panels of 16 columns each, which lie anywhere: four results at a time
// hide how long a multiply-add takes.
//
//	func(n int, values *float32, rows *int32, b *[4]*float32, c *[4]*float32)
func emitPanels(out *text, set isa) {
	const panels = 4
	vectors := 64 / set.bytes
	register := func(i int) string { return fmt.Sprint(set.register, i) }
	out.line("// func %sPanels(%s)", set.name, panelsParameters)
	out.line("TEXT ·%sPanels(SB), NOSPLIT, $0-40", set.name)
	for _, p := range []struct{ argument, register string }{
		{"n+0(FP)", "CX"}, {"values+8(FP)", "R8"}, {"rows+16(FP)", "R9"}, {"b+24(FP)", "SI"}, {"c+32(FP)", "DI"},
	} {
		out.op("MOVQ", p.argument, p.register)
	}
	bases := [panels]string{"R10", "R11", "R12", "R13"}
	for i, base := range bases {
		out.op("MOVQ", at(8*i, "(SI)"), base)
	}
	for i := range panels * vectors {
		r := register(i)
		if set == avx2 {
			out.op("VXORPS", r, r, r)
		} else {
			out.op("VPXORD", r, r, r)
		}
	}
	out.op("TESTQ", "CX", "CX")
	out.op("JZ", "store")
	element := register(panels * vectors)
	out.op("PCALIGN", "$32")
	out.line("loop:")
	out.op("MOVLQSX", "(R9)", "AX")
	out.op("VBROADCASTSS", "(R8)", element)
	out.op("SHLQ", "$6", "AX")
	for i, base := range bases {
		for v := range vectors {
			out.op("VFMADD231PS", at(v*set.bytes, "("+base+")(AX*1)"), element, register(i*vectors+v))
		}
	}
	out.op("ADDQ", "$4", "R8")
	out.op("ADDQ", "$4", "R9")
	out.op("DECQ", "CX")
	out.op("JNZ", "loop")
	out.line("store:")
	for i := range panels {
		out.op("MOVQ", at(8*i, "(DI)"), "AX")
		for v := range vectors {
			out.op("VMOVUPS", register(i*vectors+v), at(v*set.bytes, "(AX)"))
		}
	}
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

const panelsParameters = "n int, values *float32, rows *int32, b, c *[4]*float32"

const nonzeroParameters = "values *float32, rows *int32, x *float32, n int"

// emitNonzero512 writes the kernel that lists the elements that are not zero, 16 at a time. What it writes beyond the
// last of them, up to 15 elements of each list, has no meaning.
func emitNonzero512(out *text) {
	out.line("// The numbers from 0 to 15.")
	for i := range 16 {
		out.line("DATA count<>+%d(SB)/4, $%d", 4*i, i)
	}
	out.line("GLOBL count<>(SB), RODATA|NOPTR, $64\n")
	out.line("// func avx512Nonzero(%s) int", nonzeroParameters)
	out.line("TEXT ·avx512Nonzero(SB), NOSPLIT, $0-40")
	out.op("MOVQ", "values+0(FP)", "DI")
	out.op("MOVQ", "rows+8(FP)", "SI")
	out.op("MOVQ", "x+16(FP)", "R8")
	out.op("MOVQ", "n+24(FP)", "CX")
	out.op("XORQ", "DX", "DX") // how many there are
	out.op("VPXORD", "Z0", "Z0", "Z0")
	out.op("VMOVDQU32", "count<>(SB)", "Z1")
	out.op("MOVL", "$16", "AX")
	out.op("VPBROADCASTD", "AX", "Z2")
	out.op("PCALIGN", "$32")
	out.line("loop:")
	out.op("VMOVUPS", "(R8)", "Z3")
	out.op("VCMPPS", "$4", "Z0", "Z3", "K1") // not equal, true for NaN
	out.op("VCOMPRESSPS.Z", "Z3", "K1", "Z4")
	out.op("VPCOMPRESSD.Z", "Z1", "K1", "Z5")
	out.op("VMOVUPS", "Z4", "(DI)(DX*4)")
	out.op("VMOVDQU32", "Z5", "(SI)(DX*4)")
	out.op("KMOVW", "K1", "AX")
	out.op("POPCNTL", "AX", "AX")
	out.op("ADDQ", "AX", "DX")
	out.op("VPADDD", "Z2", "Z1", "Z1")
	out.op("ADDQ", "$64", "R8")
	out.op("SUBQ", "$16", "CX")
	out.op("JNZ", "loop")
	out.op("MOVQ", "DX", "ret+32(FP)")
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

// emitNonzero2 writes the same for AVX2, 8 at a time. A table tells for each set of the eight, as a mask, which they are.
func emitNonzero2(out *text) {
	out.line("// For each mask of eight bits, the bits that are set, lowest first, a byte each.")
	for mask := range 256 {
		var places uint64
		n := 0
		for bit := range 8 {
			if mask>>bit&1 != 0 {
				places |= uint64(bit) << (8 * n)
				n++
			}
		}
		out.line("DATA places<>+%d(SB)/8, $%#x", 8*mask, places)
	}
	out.line("GLOBL places<>(SB), RODATA|NOPTR, $2048\n")
	out.line("// func avx2Nonzero(%s) int", nonzeroParameters)
	out.line("TEXT ·avx2Nonzero(SB), NOSPLIT, $0-40")
	out.op("MOVQ", "values+0(FP)", "DI")
	out.op("MOVQ", "rows+8(FP)", "SI")
	out.op("MOVQ", "x+16(FP)", "R8")
	out.op("MOVQ", "n+24(FP)", "CX")
	out.op("LEAQ", "places<>(SB)", "R9")
	out.op("XORQ", "DX", "DX") // how many there are
	out.op("VXORPS", "Y0", "Y0", "Y0")
	out.op("VPXOR", "Y1", "Y1", "Y1") // the number of the first of the eight
	out.op("MOVL", "$8", "AX")
	out.op("VMOVD", "AX", "X2")
	out.op("VPBROADCASTD", "X2", "Y2")
	out.op("PCALIGN", "$32")
	out.line("loop:")
	out.op("VMOVUPS", "(R8)", "Y3")
	out.op("VCMPPS", "$4", "Y0", "Y3", "Y4") // not equal, true for NaN
	out.op("VMOVMSKPS", "Y4", "AX")
	out.op("VPMOVZXBD", "(R9)(AX*8)", "Y5")
	out.op("VPERMPS", "Y3", "Y5", "Y6")
	out.op("VPADDD", "Y1", "Y5", "Y5")
	out.op("VMOVUPS", "Y6", "(DI)(DX*4)")
	out.op("VMOVDQU", "Y5", "(SI)(DX*4)")
	out.op("POPCNTL", "AX", "AX")
	out.op("ADDQ", "AX", "DX")
	out.op("VPADDD", "Y2", "Y1", "Y1")
	out.op("ADDQ", "$32", "R8")
	out.op("SUBQ", "$8", "CX")
	out.op("JNZ", "loop")
	out.op("MOVQ", "DX", "ret+32(FP)")
	out.op("VZEROUPPER")
	out.op("RET")
}

// sparseAssembly is the text of sparse_amd64.s.
func sparseAssembly() string {
	var out text
	out.WriteString(header)
	out.line("#include \"textflag.h\"\n")
	for _, s := range spans {
		s.emit(&out)
	}
	for _, isa := range []isa{avx512, avx2} {
		emitPanels(&out, isa)
	}
	emitNonzero512(&out)
	emitNonzero2(&out)
	return out.String()
}

// sparseDeclarations is the text of sparse_amd64.go.
func sparseDeclarations() string {
	var out text
	out.WriteString(header)
	out.line("package blas\n")
	for _, s := range spans {
		out.line("//go:noescape")
		out.line("func %s(%s)\n", s.name(), spanParameters)
	}
	out.line("// The kernels of a sparse vector times a matrix, widest first.")
	out.line("var (")
	for _, isa := range []isa{avx512, avx2} {
		out.line("\t%sSpans = []span{", isa.name)
		for _, s := range spans {
			if s.isa == isa {
				out.line("\t\t{%d, %s},", s.columns(), s.name())
			}
		}
		out.line("\t}")
	}
	out.line(")")
	for _, isa := range []isa{avx512, avx2} {
		out.line("\n//go:noescape")
		out.line("func %sPanels(%s)", isa.name, panelsParameters)
		out.line("\n//go:noescape")
		out.line("func %sNonzero(%s) int", isa.name, nonzeroParameters)
	}
	return out.String()
}
