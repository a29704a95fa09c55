// This file cuts a product into the tiles that the kernels compute, and shares it among goroutines.

package blas

import (
	"sync"
	"sync/atomic"
)

// tile computes as many rows of C as its place in its table says, in one go:
// C[i, j] = sum over l of A[i, l] B[l, j], plus C[i, j] if add. A[i, l] is at a + i aRow + l aStep, B[l, j] at
// b + l bRow + j and C[i, j] at c + i cRow + j, counted in elements. Tiles of the narrowest width compute only the
// first `columns` columns, and touch no memory beyond them; the others ignore that argument.
type tile func(k int, a *float32, aRow, aStep int, b *float32, bRow int, c *float32, cRow, columns int, add bool)

// band is the tiles of one width, by their number of rows, from 1.
type band struct {
	width int
	tiles []tile
}

// panel is the width of the widest tiles. A transposed B is stored as panels of so many columns, each [k, panel], one
// after the other: a tile then reads memory in sequence.
const panel = 64

// splitWork is the number of multiply-adds from which a product is shared: some 20 µs of work, several times what
// waking a goroutine takes.
const splitWork = 2 << 20

// product is one call of Sgemm that the kernels take. Names are as in [tile]; B[l, j] is at
// b[j/panel*bPanel + l*bRow + j%panel].
type product struct {
	kernels      *kernels
	m, n, k      int
	a            []float32
	aRow, aStep  int
	b            []float32
	bRow, bPanel int
	c            []float32
	cRow         int
	add          bool
}

// rows computes rows [from, to) of C.
func (p *product) rows(from, to int) {
	bands := p.kernels.bands(to - from)
	j := 0
	for i := range bands {
		band := &bands[i]
		for last := i == len(bands)-1; p.n-j >= band.width || last && j < p.n; j += band.width {
			p.band(band, from, to, j)
		}
	}
}

// band computes rows [from, to) of one band of columns, which starts at j. It deals out the rows evenly, because two
// tiles of 4 rows are faster than one of 6 and one of 2.
func (p *product) band(band *band, from, to, j int) {
	columns := min(band.width, p.n-j)
	b := &p.b[j/panel*p.bPanel+j%panel]
	most := len(band.tiles) - 1
	for tiles := (to - from + most - 1) / most; tiles > 0; tiles-- {
		rows := (to - from + tiles - 1) / tiles
		band.tiles[rows](p.k, &p.a[from*p.aRow], p.aRow, p.aStep, b, p.bRow, &p.c[from*p.cRow+j], p.cRow, columns, p.add)
		from += rows
	}
}

// run computes the product with so many goroutines, if it is worth their while.
func (p *product) run(workers int) {
	if workers < 2 || p.m < 16 || p.m*p.n*p.k < splitWork {
		p.rows(0, p.m)
		return
	}
	s := shares.Get().(*share)
	s.product = *p
	s.run(workers)
	s.product = product{} // keep no matrix alive
	shares.Put(s)
}

// share is a product under computation by several goroutines, each of which takes the next rows until none are left.
type share struct {
	product product
	step    int // rows to take at a time
	next    atomic.Int64
	done    sync.WaitGroup
	work    func() // the method, made a value once: go then allocates nothing
}

var shares = sync.Pool{New: func() any {
	s := new(share)
	s.work = s.take
	return s
}}

// run starts the goroutines and returns when C is complete. Two helpings for each let one that gets less of the
// processor do less; whole multiples of 6 rows suit the tiles.
func (s *share) run(workers int) {
	s.step = max(12, (s.product.m/(2*workers)+5)/6*6)
	s.next.Store(0)
	s.done.Add(workers)
	for range workers - 1 {
		go s.work()
	}
	s.work()
	s.done.Wait()
}

func (s *share) take() {
	defer s.done.Done()
	for {
		to := int(s.next.Add(int64(s.step)))
		from := to - s.step
		if from >= s.product.m {
			return
		}
		s.product.rows(from, min(to, s.product.m))
	}
}
