// This file is the product of one row that is mostly zeros and a matrix: what a network does when it judges a single
// position, whose features are mostly zero and whose layers end in a ReLU.

package blas

import (
	"fmt"
	"math"
	"math/bits"
)

// Sparse is a vector by its elements that are not zero. It is for one goroutine.
type Sparse struct {
	size   int // of the vector
	count  int // elements that are not zero
	values []float32
	rows   []int32 // where they are

	from, to [4]*float32 // scratch: arguments of a kernel
}

// sparseTile is what the columns of a matrix that a Sparse multiplies are a multiple of, and how many elements a list
// may be overwritten beyond its end.
const sparseTile = 16

// span computes `width` columns of the product of a sparse vector and a matrix:
// C[j] = sum over l of values[l] B[rows[l], j], where B[i, j] is at b + i bRow + j.
type span struct {
	width int
	run   func(n int, values *float32, rows *int32, b *float32, bRow int, c *float32)
}

// sparseKernels is the assembly that a Sparse runs on.
type sparseKernels struct {
	spans []span // widest first; the last is one panel wide
	// panels computes four panels of 16 columns, [rows, 16] each, of a product like a span's.
	panels func(n int, values *float32, rows *int32, b, c *[4]*float32)
	// nonzero lists the elements of x that are not zero, where n is a multiple of 16, and returns how many there are.
	nonzero func(values *float32, rows *int32, x *float32, n int) int
}

// NewSparse returns a vector for up to so many elements.
func NewSparse(capacity int) *Sparse {
	return &Sparse{values: make([]float32, capacity+sparseTile), rows: make([]int32, capacity+sparseTile)}
}

// Len returns how many elements are not zero.
func (s *Sparse) Len() int { return s.count }

// Set makes s the elements of x. It panics if x has more than the capacity of s.
func (s *Sparse) Set(x []float32) {
	if len(x) > len(s.values)-sparseTile {
		panic(fmt.Sprintf("blas: Sparse.Set: %d elements, want at most %d", len(x), len(s.values)-sparseTile))
	}
	s.size = len(x)
	n, done := 0, 0
	if nonzero := selected.Load().sparse.nonzero; nonzero != nil && len(x) >= sparseTile {
		done = len(x) / sparseTile * sparseTile
		n = nonzero(&s.values[0], &s.rows[0], &x[0], done)
	}
	for i, v := range x[done:] {
		s.values[n], s.rows[n] = v, int32(done+i)
		// Without a branch, because which elements are zero cannot be foreseen: 1 unless v is 0 or -0.
		magnitude := math.Float32bits(v) << 1
		n += int((magnitude | -magnitude) >> 31)
	}
	s.count = n
}

// Multiply computes c = s B, for B [size of s, columns] and c [columns], where columns is a multiple of 16. With the
// AVX2 and AVX-512 kernels c has the bits that [Implementation.Sgemm] gives (where B is finite, and up to the sign of a
// zero). It panics if the shapes do not fit.
func (s *Sparse) Multiply(c, b []float32, columns int) {
	if columns%sparseTile != 0 {
		panic(fmt.Sprintf("blas: Sparse.Multiply: %d columns, want a multiple of %d", columns, sparseTile))
	}
	check("Sparse.Multiply", "c", c, 1, columns)
	check("Sparse.Multiply", "b", b, s.size, columns)
	if columns == 0 || s.size == 0 {
		clear(c[:columns])
		return
	}
	spans := selected.Load().sparse.spans
	if spans == nil {
		s.multiply(c[:columns], b)
		return
	}
	for j := 0; j < columns; j += spans[0].width {
		for spans[0].width > columns-j {
			spans = spans[1:]
		}
		spans[0].run(s.count, &s.values[0], &s.rows[0], &b[j], columns, &c[j])
	}
}

// Panels is a matrix [rows, columns] for products of which only some columns are wanted. It is stored by panels of
// [PanelWidth] columns, one after the other; the last is filled up with zeros.
type Panels struct {
	rows, count int
	data        []float32 // [count, rows, PanelWidth]
}

// PanelWidth is how many columns of a [Panels] are computed together.
const PanelWidth = sparseTile

// NewPanels copies the matrix at b, whose rows are stride elements apart. It panics if b is too short.
func NewPanels(b []float32, rows, columns, stride int) *Panels {
	if rows < 1 || columns < 1 || !holds(b, rows, columns, stride) {
		panic(fmt.Sprintf("blas: NewPanels: %d elements are no matrix [%d, %d] with rows %d apart", len(b), rows, columns, stride))
	}
	p := &Panels{rows: rows, count: (columns + PanelWidth - 1) / PanelWidth}
	p.data = make([]float32, p.count*rows*PanelWidth)
	for i := range rows {
		row := b[i*stride:][:columns]
		for j := 0; j < columns; j += PanelWidth {
			copy(p.row(j/PanelWidth, i), row[j:min(j+PanelWidth, columns)])
		}
	}
	return p
}

// Count is the number of panels.
func (p *Panels) Count() int { return p.count }

// row is row i of a panel [PanelWidth].
func (p *Panels) row(panel, i int) []float32 {
	start := (panel*p.rows + i) * PanelWidth
	return p.data[start : start+PanelWidth : start+PanelWidth]
}

// MultiplyPanels computes the columns of c = s B that lie in the given panels of B [size of s, columns], which the bit
// of each panel's number stands for, and leaves the others of c [Count of B times PanelWidth] alone. Each has the bits
// that [Sparse.Multiply] gives. It panics if the shapes do not fit.
func (s *Sparse) MultiplyPanels(c []float32, b *Panels, panels []uint64) {
	check("Sparse.MultiplyPanels", "c", c, b.count, PanelWidth)
	if s.size != b.rows {
		panic(fmt.Sprintf("blas: Sparse.MultiplyPanels: a vector of %d elements, the matrix has %d rows", s.size, b.rows))
	}
	kernel := selected.Load().sparse.panels
	from, to := &s.from, &s.to
	n := 0
	for word, set := range panels {
		for ; set != 0; set &= set - 1 {
			panel := 64*word + bits.TrailingZeros64(set)
			at := panel * b.rows * PanelWidth
			if kernel == nil {
				s.multiply(c[panel*PanelWidth:][:PanelWidth], b.data[at:at+b.rows*PanelWidth])
				continue
			}
			from[n], to[n] = &b.data[at], &c[panel*PanelWidth]
			if n++; n == len(from) {
				kernel(s.count, &s.values[0], &s.rows[0], from, to)
				n = 0
			}
		}
	}
	if n > 0 {
		for i := n; i < len(from); i++ { // the last once more
			from[i], to[i] = from[n-1], to[n-1]
		}
		kernel(s.count, &s.values[0], &s.rows[0], from, to)
	}
}

// multiply is Multiply in plain Go: four rows of B in one pass over c, each added after the other.
func (s *Sparse) multiply(c, b []float32) {
	clear(c)
	row := func(l int) []float32 { return b[int(s.rows[l])*len(c):][:len(c)] }
	l := 0
	for ; l+4 <= s.count; l += 4 {
		v0, v1, v2, v3 := s.values[l], s.values[l+1], s.values[l+2], s.values[l+3]
		b0, b1, b2, b3 := row(l), row(l+1), row(l+2), row(l+3)
		for j, sum := range c {
			c[j] = sum + v0*b0[j] + v1*b1[j] + v2*b2[j] + v3*b3[j]
		}
	}
	for ; l < s.count; l++ {
		v, row := s.values[l], row(l)
		for j := range c {
			c[j] += v * row[j]
		}
	}
}
