// This file emits the kernels of the matrix product.
//
// A tile is `rows` x `vectors` registers of C. Its loop runs over k: it loads `vectors` registers of a row of B,
// broadcasts one element of each row of A and accumulates with fused multiply-adds. Whatever the tile, an element
// of C is the chain fma(a[k-1], b[k-1], ... fma(a[0], b[0], 0)), then + C when it accumulates; that is why every
// tile gives the same bits.

package main

import "fmt"

// isa is an instruction set.
type isa struct {
	name      string // as in the names of kernels
	register  string // prefix of a vector register
	bytes     int    // in a vector register
	registers int    // how many there are
}

var (
	avx2   = isa{"avx2", "Y", 32, 16}
	avx512 = isa{"avx512", "Z", 64, 32}
)

// family is the tiles of one width, 1 to `rows` rows of C.
type family struct {
	isa     isa
	vectors int
	rows    int
	masked  bool // the last vector may be partly used
}

// families lists every tile there is. More rows than 8 would need more address registers; otherwise the limit is the
// number of vector registers. The narrowest family of each instruction set is masked and takes the last columns.
var families = []family{
	{avx512, 4, 6, false},
	{avx512, 2, 8, false},
	{avx512, 1, 8, true},
	{avx2, 8, 1, false},
	{avx2, 4, 3, false},
	{avx2, 2, 6, false},
	{avx2, 1, 8, true},
}

// columns is the width of a tile in elements.
func (f family) columns() int { return f.vectors * f.isa.bytes / 4 }

// table is the name of the slice of a family's kernels, indexed by rows.
func (f family) table() string { return fmt.Sprintf("%sTiles%d", f.isa.name, f.columns()) }

// tile is one kernel.
type tile struct {
	family
	rows int
}

func (t tile) name() string { return fmt.Sprintf("%sTile%dx%d", t.isa.name, t.rows, t.columns()) }

// Vector registers, in order: the accumulators row by row; then either all of B's vectors and one or two broadcast
// elements of A, or, where those do not fit, all elements of A and one vector of B; last the mask of AVX2.

func (t tile) accumulators() int { return t.rows * t.vectors }

func (t tile) keepsB() bool {
	return t.accumulators()+t.vectors+1+t.maskRegisters() <= t.isa.registers
}

// maskRegisters is 1 for AVX2, where a mask takes a vector register.
func (t tile) maskRegisters() int {
	if t.masked && t.isa == avx2 {
		return 1
	}
	return 0
}

// broadcasts is how many registers take turns to hold an element of A when B is kept: two if there is room, so that
// a broadcast need not wait for the last use of the one before.
func (t tile) broadcasts() int {
	return min(2, t.rows, t.isa.registers-t.accumulators()-t.vectors-t.maskRegisters())
}

func (t tile) registers() int {
	switch {
	case t.keepsB():
		return t.accumulators() + t.vectors + t.broadcasts() + t.maskRegisters()
	case t.rows == 1: // B is read from memory by the multiply-add itself
		return t.accumulators() + 1
	default:
		return t.accumulators() + t.rows + 1
	}
}

func (t tile) register(i int) string { return fmt.Sprint(t.isa.register, i) }

func (t tile) mask() string {
	if t.isa == avx2 {
		return "Y15"
	}
	return "K1"
}

// load emits the load of vector v of the row at address.
func (t tile) load(out *text, v int, address, to string) {
	from := at(v*t.isa.bytes, address)
	switch {
	case !t.masked:
		out.op("VMOVUPS", from, to)
	case t.isa == avx2:
		out.op("VMASKMOVPS", from, t.mask(), to)
	default:
		out.op("VMOVUPS.Z", from, t.mask(), to)
	}
}

// store emits the store of a register to vector v of the row at address.
func (t tile) store(out *text, v int, from, address string) {
	to := at(v*t.isa.bytes, address)
	switch {
	case !t.masked:
		out.op("VMOVUPS", from, to)
	case t.isa == avx2:
		out.op("VMASKMOVPS", from, t.mask(), to)
	default:
		out.op("VMOVUPS", from, t.mask(), to)
	}
}

// emit writes the kernel:
//
//	func(k int, a *float32, aRow, aStep int, b *float32, bRow int, c *float32, cRow, columns int, add bool)
func (t tile) emit(out *text) {
	a := eightRows("R8", "BX", "R9", "AX")
	c := eightRows("DI", "R13", "SI", "DX")

	out.line("// func %s(%s)", t.name(), tileParameters)
	out.line("TEXT ·%s(SB), NOSPLIT, $0-73", t.name())
	if t.masked {
		t.emitMask(out)
	}
	for _, p := range []struct{ argument, register string }{
		{"k+0(FP)", "CX"}, {"a+8(FP)", "R8"}, {"aRow+16(FP)", "R9"}, {"aStep+24(FP)", "R10"}, {"b+32(FP)", "R11"},
		{"bRow+40(FP)", "R12"}, {"c+48(FP)", "DI"}, {"cRow+56(FP)", "SI"},
	} {
		out.op("MOVQ", p.argument, p.register)
	}
	for _, stride := range []string{"R9", "R10", "R12", "SI"} {
		out.op("SHLQ", "$2", stride) // elements to bytes
	}
	out.op("LEAQ", "(R9)(R9*2)", "AX")
	out.op("LEAQ", "(SI)(SI*2)", "DX")
	if t.rows > 4 {
		out.op("LEAQ", "(R8)(R9*4)", "BX")
		out.op("LEAQ", "(DI)(SI*4)", "R13")
	}
	for i := range t.accumulators() {
		r := t.register(i)
		if t.isa == avx2 {
			out.op("VXORPS", r, r, r)
		} else {
			out.op("VPXORD", r, r, r)
		}
	}

	out.op("PCALIGN", "$32")
	out.line("loop:")
	switch {
	case t.keepsB():
		t.emitKeepingB(out, a)
	default:
		t.emitKeepingA(out, a)
	}
	out.op("ADDQ", "R12", "R11")
	out.op("ADDQ", "R10", "R8")
	if t.rows > 4 {
		out.op("ADDQ", "R10", "BX")
	}
	out.op("DECQ", "CX")
	out.op("JNZ", "loop")

	out.op("CMPB", "add+72(FP)", "$0")
	out.op("JEQ", "store")
	for i := range t.rows {
		for v := range t.vectors {
			r := t.register(i*t.vectors + v)
			if t.masked {
				spare := t.register(t.accumulators())
				t.load(out, v, c[i], spare)
				out.op("VADDPS", spare, r, r)
			} else {
				out.op("VADDPS", at(v*t.isa.bytes, c[i]), r, r)
			}
		}
	}
	out.line("store:")
	for i := range t.rows {
		for v := range t.vectors {
			t.store(out, v, t.register(i*t.vectors+v), c[i])
		}
	}
	out.op("VZEROUPPER")
	out.op("RET")
	out.line("")
}

func (t tile) emitKeepingB(out *text, a [8]string) {
	b := t.accumulators()
	for v := range t.vectors {
		t.load(out, v, "(R11)", t.register(b+v))
	}
	for i := range t.rows {
		element := t.register(b + t.vectors + i%t.broadcasts())
		out.op("VBROADCASTSS", a[i], element)
		for v := range t.vectors {
			out.op("VFMADD231PS", t.register(b+v), element, t.register(i*t.vectors+v))
		}
	}
}

func (t tile) emitKeepingA(out *text, a [8]string) {
	element := t.accumulators()
	for i := range t.rows {
		out.op("VBROADCASTSS", a[i], t.register(element+i))
	}
	for v := range t.vectors {
		b := at(v*t.isa.bytes, "(R11)")
		if t.rows > 1 {
			loaded := t.register(element + t.rows)
			out.op("VMOVUPS", b, loaded)
			b = loaded
		}
		for i := range t.rows {
			out.op("VFMADD231PS", b, t.register(element+i), t.register(i*t.vectors+v))
		}
	}
}

// emitMask makes the mask of the first `columns` elements of a vector.
func (t tile) emitMask(out *text) {
	out.op("MOVQ", "columns+64(FP)", "CX")
	if t.isa == avx2 {
		out.op("LEAQ", "tailMask<>+32(SB)", "AX")
		out.op("SHLQ", "$2", "CX")
		out.op("SUBQ", "CX", "AX")
		out.op("VMOVUPS", "(AX)", t.mask())
		return
	}
	out.op("MOVL", "$1", "AX")
	out.op("SHLL", "CX", "AX")
	out.op("DECL", "AX")
	out.op("KMOVW", "AX", t.mask())
}

const tileParameters = "k int, a *float32, aRow, aStep int, b *float32, bRow int, c *float32, cRow, columns int, add bool"

func allTiles() []tile {
	var all []tile
	for _, f := range families {
		for rows := 1; rows <= f.rows; rows++ {
			all = append(all, tile{f, rows})
		}
	}
	return all
}

// tileAssembly is the text of tiles_amd64.s.
func tileAssembly() string {
	var out text
	out.WriteString(header)
	out.line("#include \"textflag.h\"\n")
	out.line("// Eight elements of ones, then eight of zeros: the mask of n elements starts 4n bytes before the middle.")
	for offset := 0; offset < 64; offset += 8 {
		bits := "$0xffffffffffffffff"
		if offset >= 32 {
			bits = "$0"
		}
		out.line("DATA tailMask<>+%d(SB)/8, %s", offset, bits)
	}
	out.line("GLOBL tailMask<>(SB), RODATA|NOPTR, $64\n")
	for _, t := range allTiles() {
		t.emit(&out)
	}
	emitTranspose(&out)
	return out.String()
}

// tileDeclarations is the text of tiles_amd64.go.
func tileDeclarations() string {
	var out text
	out.WriteString(header)
	out.line("package blas\n")
	for _, t := range allTiles() {
		out.line("//go:noescape")
		out.line("func %s(%s)\n", t.name(), tileParameters)
	}
	out.line("// The tiles of each width, by their number of rows.")
	out.line("var (")
	for _, f := range families {
		out.line("\t%s = []tile{", f.table())
		for rows := 1; rows <= f.rows; rows++ {
			out.line("\t\t%d: %s,", rows, tile{f, rows}.name())
		}
		out.line("\t}")
	}
	out.line(")")
	out.line("")
	out.line("//go:noescape")
	out.line("func transpose8x8(dst *float32, dstRow int, src *float32, srcRow int)")
	return out.String()
}

// emitTranspose writes the kernel that transposes 8x8 elements, in three rounds of exchanges between registers:
// single elements, pairs, halves.
func emitTranspose(out *text) {
	y := func(i int) string { return fmt.Sprint("Y", i) }
	src := eightRows("R8", "BX", "R9", "AX")
	dst := eightRows("DI", "R13", "SI", "DX")
	out.line("// func transpose8x8(dst *float32, dstRow int, src *float32, srcRow int)")
	out.line("TEXT ·transpose8x8(SB), NOSPLIT, $0-32")
	out.op("MOVQ", "dst+0(FP)", "DI")
	out.op("MOVQ", "dstRow+8(FP)", "SI")
	out.op("MOVQ", "src+16(FP)", "R8")
	out.op("MOVQ", "srcRow+24(FP)", "R9")
	out.op("SHLQ", "$2", "SI")
	out.op("SHLQ", "$2", "R9")
	out.op("LEAQ", "(R9)(R9*2)", "AX")
	out.op("LEAQ", "(SI)(SI*2)", "DX")
	out.op("LEAQ", "(R8)(R9*4)", "BX")
	out.op("LEAQ", "(DI)(SI*4)", "R13")
	for i := range 8 {
		out.op("VMOVUPS", src[i], y(i))
	}
	for i := range 4 { // Y8+2i, Y9+2i: low and high elements of rows 2i and 2i+1, interleaved
		out.op("VUNPCKLPS", y(2*i+1), y(2*i), y(8+2*i))
		out.op("VUNPCKHPS", y(2*i+1), y(2*i), y(9+2*i))
	}
	for half := range 2 { // Y4h ... Y4h+3: columns 0..3, and 4..7 in the upper half, of rows 4h ... 4h+3
		b, low := 8+4*half, 4*half
		out.op("VSHUFPS", "$0x44", y(b+2), y(b), y(low))
		out.op("VSHUFPS", "$0xEE", y(b+2), y(b), y(low+1))
		out.op("VSHUFPS", "$0x44", y(b+3), y(b+1), y(low+2))
		out.op("VSHUFPS", "$0xEE", y(b+3), y(b+1), y(low+3))
	}
	for i := range 4 {
		out.op("VPERM2F128", "$0x20", y(4+i), y(i), y(8+i))
		out.op("VPERM2F128", "$0x31", y(4+i), y(i), y(12+i))
	}
	for i := range 8 {
		out.op("VMOVUPS", y(8+i), dst[i])
	}
	out.op("VZEROUPPER")
	out.op("RET")
}
