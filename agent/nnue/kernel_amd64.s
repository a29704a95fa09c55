// This file evaluates the network with AVX2. See evaluateGo for what it computes: every step here is exact, or saturates
// where evaluateGo clips, so that the bits are the same.

//go:build amd64 && !noasm

#include "textflag.h"

DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// FOUR multiplies four activations, at the offset a of the scratch, with their weights for all units of the second layer,
// and adds the products to the sums in two registers.
#define FOUR(a, weights, low, high) \
	VPBROADCASTD (a)(SP), Y4 \
	VPMADDUBSW   (weights)(R10), Y4, Y5 \
	VPMADDUBSW   (weights+32)(R10), Y4, Y6 \
	VPMADDWD     Y15, Y5, Y5 \
	VPMADDWD     Y15, Y6, Y6 \
	VPADDD       Y5, low, low \
	VPADDD       Y6, high, high

// func evaluateAVX2(tables *int16, rows *int32, count, hidden int, shift uint64, dense *int8, bias *int32, output *int16) int32
TEXT ·evaluateAVX2(SB), NOSPLIT, $64-68
	MOVQ    tables+0(FP), DI
	MOVQ    rows+8(FP), SI
	MOVQ    count+16(FP), R8
	MOVQ    hidden+24(FP), R9
	VMOVQ   shift+32(FP), X14
	MOVQ    dense+40(FP), R10
	MOVQ    bias+48(FP), R11
	MOVQ    output+56(FP), R12
	VMOVDQU ones<>(SB), Y15
	VPXOR   Y13, Y13, Y13
	VMOVDQU (R11), Y8
	VMOVDQU 32(R11), Y9
	VPXOR   Y10, Y10, Y10
	VPXOR   Y11, Y11, Y11
	LEAQ    (R9)(R9*1), BX // bytes of a row
	SHRQ    $6, R9         // blocks of 64 units

block:
	// The first layer: the rows' sums, in Y0 to Y3.
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	XORQ  CX, CX

row:
	MOVL   (SI)(CX*4), AX
	IMULQ  BX, AX
	VPADDW (DI)(AX*1), Y0, Y0
	VPADDW 32(DI)(AX*1), Y1, Y1
	VPADDW 64(DI)(AX*1), Y2, Y2
	VPADDW 96(DI)(AX*1), Y3, Y3
	INCQ   CX
	CMPQ   CX, R8
	JLT    row

	// Clipped to bytes. Packing works on halves of registers, so that the units lie in the order 0-7, 16-23, 8-15, 24-31.
	VPSRAW    X14, Y0, Y0
	VPSRAW    X14, Y1, Y1
	VPSRAW    X14, Y2, Y2
	VPSRAW    X14, Y3, Y3
	VPACKSSWB Y1, Y0, Y0
	VPACKSSWB Y3, Y2, Y2
	VPMAXSB   Y13, Y0, Y0
	VPMAXSB   Y13, Y2, Y2
	VMOVDQU   Y0, (SP)
	VMOVDQU   Y2, 32(SP)

	FOUR(0, 0, Y8, Y9)
	FOUR(4, 64, Y10, Y11)
	FOUR(16, 128, Y8, Y9)
	FOUR(20, 192, Y10, Y11)
	FOUR(8, 256, Y8, Y9)
	FOUR(12, 320, Y10, Y11)
	FOUR(24, 384, Y8, Y9)
	FOUR(28, 448, Y10, Y11)
	FOUR(32, 512, Y8, Y9)
	FOUR(36, 576, Y10, Y11)
	FOUR(48, 640, Y8, Y9)
	FOUR(52, 704, Y10, Y11)
	FOUR(40, 768, Y8, Y9)
	FOUR(44, 832, Y10, Y11)
	FOUR(56, 896, Y8, Y9)
	FOUR(60, 960, Y10, Y11)

	ADDQ $128, DI
	ADDQ $1024, R10
	DECQ R9
	JNZ  block

	// The output: the second layer clipped to 0 to 2047 in words, times its weights.
	VPADDD       Y10, Y8, Y8
	VPADDD       Y11, Y9, Y9
	VPSRAD       $6, Y8, Y8
	VPSRAD       $6, Y9, Y9
	VPACKSSDW    Y9, Y8, Y8
	VPERMQ       $0xd8, Y8, Y8
	MOVL         $0x07ff07ff, AX
	VMOVD        AX, X4
	VPBROADCASTD X4, Y4
	VPMINSW      Y4, Y8, Y8
	VPMAXSW      Y13, Y8, Y8
	VPMADDWD     (R12), Y8, Y8
	VEXTRACTI128 $1, Y8, X9
	VPADDD       X9, X8, X8
	VPSHUFD      $0x4e, X8, X9
	VPADDD       X9, X8, X8
	VPSHUFD      $0xb1, X8, X9
	VPADDD       X9, X8, X8
	VMOVD        X8, AX
	MOVL         AX, ret+64(FP)
	VZEROUPPER
	RET
