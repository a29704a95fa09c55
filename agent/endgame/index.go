package endgame

import (
	"math"

	"kiothi/env/mancala"
)

// This file numbers the positions of a layer: those with a given number of seeds on the board, seen from the player to
// move. Pits are counted from the mover's left, the own row first, and ordered from the last pit to the first: once the
// pits behind pit i are known, so is the number of seeds in the pits 0 to i. No number is left out.

// maxPits is the number of pits of the largest board.
const maxPits = 2 * mancala.MaxWidth

// lanes is the number of values of a pit's lane in a row.
const lanes = mancala.PitMask + 1

// An index numbers the positions of one layer from 0 to size-1. With marks it tells positions apart by their protected
// pits, which all hold seeds; without, positions have none.
type index struct {
	width, seeds int
	marked       bool
	size         uint64 // saturates at math.MaxUint64

	// Without marks: fewer[i][q] is the number of ways to lay fewer than q seeds into the pits 0 to i. A position's number is
	// the sum of fewer[i] over all pits but the last, with q the seeds in the pits 0 to i (the combinatorial number system).
	fewer [maxPits][lanes]uint32

	// With marks: a pit's code is 0 when it is empty, else twice its seeds, plus 1 with a mark, less 1. below[i][q][code] is
	// the number of ways to lay q seeds into the pits 0 to i with a lower code in pit i, and the sum over all pits is the
	// position's number.
	below [][][]uint32
}

// newIndex numbers the positions with a number of seeds on a board of two rows of the given width.
func newIndex(width, seeds int, marked bool) *index {
	x := &index{width: width, seeds: seeds, marked: marked, size: count(2*width, seeds, marked)}
	if x.size > maxLayer {
		return x // too large to be numbered; Build refuses it
	}
	if marked {
		x.fillMarked()
		return x
	}
	for i := range 2*width - 1 {
		sum := uint64(0)
		for q := range seeds + 1 {
			x.fewer[i][q] = uint32(sum)
			sum += count(i+1, q, false)
		}
	}
	return x
}

// fillMarked fills below.
func (x *index) fillMarked() {
	x.below = make([][][]uint32, 2*x.width)
	for i := range x.below {
		x.below[i] = make([][]uint32, x.seeds+1)
		for q := range x.below[i] {
			x.below[i][q] = make([]uint32, 2*q+1)
			sum := uint64(0)
			for code := range x.below[i][q] {
				x.below[i][q][code] = uint32(sum)
				sum += count(i, q-(code+1)/2, true)
			}
		}
	}
}

// count returns in how many ways seeds can lie in pits, with a mark or without in each occupied one if marked is set. It
// saturates at math.MaxUint64.
func count(pits, seeds int, marked bool) uint64 {
	// A recurrence over the pits: the last one holds k of the seeds.
	ways := make([]uint64, seeds+1)
	ways[0] = 1
	for range pits {
		for q := seeds; q > 0; q-- {
			for k := 1; k <= q; k++ {
				kinds := uint64(1)
				if marked {
					kinds = 2
				}
				more := kinds * ways[q-k]
				if ways[q-k] > math.MaxUint64/2 || ways[q] > math.MaxUint64-more {
					ways[q] = math.MaxUint64
					break
				}
				ways[q] += more
			}
		}
	}
	return ways[seeds]
}

// rank returns the number of a position. The rows hold seeds seeds, and marks, relative to the mover, is a subset of the
// occupied pits, empty without marks.
func (x *index) rank(own, enemy mancala.Row, marks uint32) uint32 {
	if x.marked {
		return x.rankMarked(own, enemy, marks)
	}
	own, enemy = x.prefixes(own, enemy)
	n := uint32(0)
	for i := range x.width {
		n += x.fewer[i][own%lanes]
		own >>= mancala.PitBits
	}
	for i := x.width; i < 2*x.width-1; i++ {
		n += x.fewer[i][enemy%lanes]
		enemy >>= mancala.PitBits
	}
	return n
}

// prefixes returns in each lane the number of seeds from the mover's first pit up to there.
func (x *index) prefixes(own, enemy mancala.Row) (_, _ mancala.Row) {
	own = own.Prefix()
	return own, enemy.Prefix() + mancala.Lanes*mancala.Row(own.At(x.width-1))
}

func (x *index) rankMarked(own, enemy mancala.Row, marks uint32) uint32 {
	ownSums, enemySums := x.prefixes(own, enemy)
	n := uint32(0)
	for i := range x.width {
		n += x.below[i][ownSums%lanes][code(own%lanes, marks>>i&1)]
		own, ownSums = own>>mancala.PitBits, ownSums>>mancala.PitBits
	}
	for i := x.width; i < 2*x.width; i++ {
		n += x.below[i][enemySums%lanes][code(enemy%lanes, marks>>i&1)]
		enemy, enemySums = enemy>>mancala.PitBits, enemySums>>mancala.PitBits
	}
	return n
}

// code returns the code of a pit.
func code(seeds mancala.Row, mark uint32) int {
	if seeds == 0 {
		return 0
	}
	return 2*int(seeds) - 1 + int(mark)
}

// position returns the position with a number below size: rank's inverse.
func (x *index) position(n uint32) (own, enemy mancala.Row, marks uint32) {
	q := x.seeds // in the pits 0 to i
	for i := 2*x.width - 1; i >= 0 && q > 0; i-- {
		seeds := q
		if x.marked {
			below := x.below[i][q]
			code := len(below) - 1
			for below[code] > n {
				code--
			}
			n -= below[code]
			seeds = (code + 1) / 2
			if code > 0 && code%2 == 0 {
				marks |= 1 << i
			}
		} else if i > 0 {
			rest := q // in the pits 0 to i-1
			for x.fewer[i-1][rest] > n {
				rest--
			}
			n -= x.fewer[i-1][rest]
			seeds = q - rest
		}
		if i < x.width {
			own = own.With(i, seeds)
		} else {
			enemy = enemy.With(i-x.width, seeds)
		}
		q -= seeds
	}
	return own, enemy, marks
}
