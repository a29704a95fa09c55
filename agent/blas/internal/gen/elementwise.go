// This file emits the kernels that work element by element.
//
// All are AVX2 (AVX-512 gains nothing here: memory is the limit) and none fuses a multiply with an add, so that the
// plain Go loops of package blas give the same bits. They take a multiple of 8 elements, sumSquares of 16; Go does
// the rest.

package main

import "fmt"

// elementwiseAssembly is the text of elementwise_amd64.s.
func elementwiseAssembly() string {
	var out text
	out.WriteString(header)
	out.line("#include \"textflag.h\"\n")
	emitBiasReLU(&out)
	emitReLUGrad(&out)
	emitAdam(&out)
	emitSumSquares(&out)
	return out.String()
}

// element returns the operand of the vector `v` vectors after element BX of the array at base.
func element(v int, base string) string { return at(32*v, "("+base+")(BX*4)") }

// emitRow writes the loop over `width` elements of one row, width in CX: four vectors at a time while they last,
// then one at a time. body emits the work on one vector; suffix keeps labels apart.
func emitRow(out *text, suffix string, body func(v int)) {
	out.op("XORQ", "BX", "BX")
	out.op("JMP", "test"+suffix)
	out.op("PCALIGN", "$32")
	out.line("four%s:", suffix)
	for v := range 4 {
		body(v)
	}
	out.op("ADDQ", "$32", "BX")
	out.line("test%s:", suffix)
	out.op("LEAQ", "32(BX)", "AX")
	out.op("CMPQ", "AX", "CX")
	out.op("JLE", "four"+suffix)
	out.op("JMP", "last"+suffix)
	out.line("one%s:", suffix)
	body(0)
	out.op("ADDQ", "$8", "BX")
	out.line("last%s:", suffix)
	out.op("CMPQ", "BX", "CX")
	out.op("JLT", "one"+suffix)
}

// emitBiasReLU writes y = max(y + bias + residual, lower) + zero for each row. With ReLU lower is 0 and zero is +0,
// which turns -0 into +0; without, they are -Inf and -0 and change nothing. The order of the operands of VMAXPS
// lets NaN through.
func emitBiasReLU(out *text) {
	out.line("// func biasReLUAVX2(y, bias, residual *float32, rows, cols, width int, relu bool)")
	out.line("TEXT ·biasReLUAVX2(SB), NOSPLIT, $0-49")
	out.op("MOVQ", "y+0(FP)", "DI")
	out.op("MOVQ", "bias+8(FP)", "SI")
	out.op("MOVQ", "residual+16(FP)", "DX")
	out.op("MOVQ", "rows+24(FP)", "R8")
	out.op("MOVQ", "cols+32(FP)", "R9")
	out.op("MOVQ", "width+40(FP)", "CX")
	out.op("SHLQ", "$2", "R9")
	out.op("VXORPS", "Y14", "Y14", "Y14")
	out.op("VXORPS", "Y15", "Y15", "Y15")
	out.op("CMPB", "relu+48(FP)", "$0")
	out.op("JNE", "bounded")
	out.op("MOVL", "$0x80000000", "AX") // -0
	out.op("VMOVD", "AX", "X14")
	out.op("VBROADCASTSS", "X14", "Y14")
	out.op("MOVL", "$0xff800000", "AX") // -Inf
	out.op("VMOVD", "AX", "X15")
	out.op("VBROADCASTSS", "X15", "Y15")
	out.line("bounded:")
	out.op("TESTQ", "DX", "DX")
	out.op("JZ", "plain")
	for _, residual := range []bool{true, false} {
		suffix := "Residual"
		if !residual {
			suffix = "Plain"
			out.line("plain:")
		}
		out.line("row%s:", suffix)
		emitRow(out, suffix, func(v int) {
			y := fmt.Sprint("Y", v)
			out.op("VMOVUPS", element(v, "DI"), y)
			out.op("VADDPS", element(v, "SI"), y, y)
			if residual {
				out.op("VADDPS", element(v, "DX"), y, y)
			}
			out.op("VMAXPS", y, "Y15", y)
			out.op("VADDPS", "Y14", y, y)
			out.op("VMOVUPS", y, element(v, "DI"))
		})
		out.op("ADDQ", "R9", "DI")
		if residual {
			out.op("ADDQ", "R9", "DX")
		}
		out.op("DECQ", "R8")
		out.op("JNZ", "row"+suffix)
		out.op("VZEROUPPER")
		out.op("RET")
	}
	out.line("")
}

// emitReLUGrad writes z = grad where y > 0, and adds each row of z to biasGrad. Without ReLU every element counts:
// Y14 is then all ones and is or-ed to the comparison.
func emitReLUGrad(out *text) {
	out.line("// func reluGradAVX2(z, y, grad, biasGrad *float32, rows, cols, width int, relu bool)")
	out.line("TEXT ·reluGradAVX2(SB), NOSPLIT, $0-57")
	out.op("MOVQ", "z+0(FP)", "DI")
	out.op("MOVQ", "y+8(FP)", "SI")
	out.op("MOVQ", "grad+16(FP)", "DX")
	out.op("MOVQ", "biasGrad+24(FP)", "R10")
	out.op("MOVQ", "rows+32(FP)", "R8")
	out.op("MOVQ", "cols+40(FP)", "R9")
	out.op("MOVQ", "width+48(FP)", "CX")
	out.op("SHLQ", "$2", "R9")
	out.op("VXORPS", "Y14", "Y14", "Y14")
	out.op("VXORPS", "Y15", "Y15", "Y15")
	out.op("CMPB", "relu+56(FP)", "$0")
	out.op("JNE", "row")
	out.op("VPCMPEQD", "Y14", "Y14", "Y14")
	out.line("row:")
	emitRow(out, "", func(v int) {
		z := fmt.Sprint("Y", v)
		if v%2 == 0 {
			// A store waits for its cache line, and the processor does not fetch ahead for stores.
			out.op("PREFETCHT0", at(512+32*v, "(DI)(BX*4)"))
		}
		out.op("VMOVUPS", element(v, "SI"), z)
		out.op("VCMPPS", "$0x1e", "Y15", z, z) // y > 0, false for NaN
		out.op("VORPS", "Y14", z, z)
		out.op("VANDPS", element(v, "DX"), z, z)
		out.op("VMOVUPS", z, element(v, "DI"))
		out.op("VADDPS", element(v, "R10"), z, z)
		out.op("VMOVUPS", z, element(v, "R10"))
	})
	out.op("ADDQ", "R9", "DI")
	out.op("ADDQ", "R9", "SI")
	out.op("ADDQ", "R9", "DX")
	out.op("DECQ", "R8")
	out.op("JNZ", "row")
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

// emitAdam writes one step of Adam over n elements. The constants stay in Y6 to Y15, in the order of the fields of
// AdamConstants.
func emitAdam(out *text) {
	const (
		gradScale, l2, beta1, oneMinusBeta1, beta2, oneMinusBeta2, correction2, epsilon, step, keep = "Y6", "Y7", "Y8", "Y9", "Y10",
			"Y11", "Y12", "Y13", "Y14", "Y15"
	)
	// What is smaller than Tiny becomes 0; what is no number stays.
	constant(out, "magnitude", 0x7fffffff)
	constant(out, "tiny", 0x0d800000)
	flush := func(register string) {
		out.op("VANDPS", "magnitude<>(SB)", register, "Y4")
		out.op("VCMPPS", "$0x15", "tiny<>(SB)", "Y4", "Y4") // not less than
		out.op("VANDPS", "Y4", register, register)
	}
	out.line("// func adamAVX2(w, grad, m, v *float32, n int, c *AdamConstants)")
	out.line("TEXT ·adamAVX2(SB), NOSPLIT, $0-48")
	out.op("MOVQ", "w+0(FP)", "DI")
	out.op("MOVQ", "grad+8(FP)", "SI")
	out.op("MOVQ", "m+16(FP)", "DX")
	out.op("MOVQ", "v+24(FP)", "R8")
	out.op("MOVQ", "n+32(FP)", "CX")
	out.op("MOVQ", "c+40(FP)", "R9")
	for i := range 10 {
		out.op("VBROADCASTSS", at(4*i, "(R9)"), fmt.Sprint("Y", 6+i))
	}
	out.op("XORQ", "BX", "BX")
	out.op("PCALIGN", "$32")
	out.line("loop:")
	out.op("VMOVUPS", element(0, "DI"), "Y0")
	out.op("VMULPS", element(0, "SI"), gradScale, "Y1")
	out.op("VMULPS", l2, "Y0", "Y4")
	out.op("VADDPS", "Y4", "Y1", "Y1") // g
	out.op("VMULPS", element(0, "DX"), beta1, "Y2")
	out.op("VMULPS", oneMinusBeta1, "Y1", "Y4")
	out.op("VADDPS", "Y4", "Y2", "Y2") // m
	flush("Y2")
	out.op("VMOVUPS", "Y2", element(0, "DX"))
	out.op("VMULPS", "Y1", "Y1", "Y1")
	out.op("VMULPS", element(0, "R8"), beta2, "Y3")
	out.op("VMULPS", oneMinusBeta2, "Y1", "Y4")
	out.op("VADDPS", "Y4", "Y3", "Y3") // v
	flush("Y3")
	out.op("VMOVUPS", "Y3", element(0, "R8"))
	out.op("VMULPS", correction2, "Y3", "Y3")
	out.op("VSQRTPS", "Y3", "Y3")
	out.op("VADDPS", epsilon, "Y3", "Y3")
	out.op("VDIVPS", "Y3", "Y2", "Y2")
	out.op("VMULPS", step, "Y2", "Y2")
	out.op("VMULPS", keep, "Y0", "Y0")
	out.op("VSUBPS", "Y2", "Y0", "Y0") // w
	flush("Y0")
	out.op("VMOVUPS", "Y0", element(0, "DI"))
	out.op("ADDQ", "$8", "BX")
	out.op("CMPQ", "BX", "CX")
	out.op("JLT", "loop")
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

// constant writes eight copies of a word as read-only data.
func constant(out *text, name string, word uint32) {
	for i := range 8 {
		out.line("DATA %s<>+%d(SB)/4, $%#x", name, 4*i, word)
	}
	out.line("GLOBL %s<>(SB), RODATA|NOPTR, $32", name)
	out.line("")
}

// emitSumSquares writes 16 sums in float64, sum i over the elements at i, i+16, i+32 and so on. A square of a
// float32 is exact in float64, so the fused add rounds just as a plain one.
func emitSumSquares(out *text) {
	out.line("// func sumSquaresAVX2(x *float32, n int, sums *[16]float64)")
	out.line("TEXT ·sumSquaresAVX2(SB), NOSPLIT, $0-24")
	out.op("MOVQ", "x+0(FP)", "SI")
	out.op("MOVQ", "n+8(FP)", "CX")
	out.op("MOVQ", "sums+16(FP)", "DI")
	for i := range 4 {
		y := fmt.Sprint("Y", i)
		out.op("VXORPS", y, y, y)
	}
	out.op("XORQ", "BX", "BX")
	out.op("PCALIGN", "$32")
	out.line("loop:")
	for i := range 4 {
		x := fmt.Sprint("Y", 4+i)
		out.op("VCVTPS2PD", at(16*i, "(SI)(BX*4)"), x)
		out.op("VFMADD231PD", x, x, fmt.Sprint("Y", i))
	}
	out.op("ADDQ", "$16", "BX")
	out.op("CMPQ", "BX", "CX")
	out.op("JLT", "loop")
	for i := range 4 {
		out.op("VMOVUPD", fmt.Sprint("Y", i), at(32*i, "(DI)"))
	}
	out.op("VZEROUPPER")
	out.op("RET")
}
