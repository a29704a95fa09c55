package kiothi

import (
	"math/bits"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// This file plays at random without listing the legal actions, for playouts.

// RandomTurn plays a sowing drawn uniformly from the legal ones, up to a bias of less than 2^-57, and returns it. The
// state is in the phase Sow and not over. It draws one word from rng.
func (g *Game) RandomTurn(s *mancala.State, rng *rand.PCG) (a mancala.Action, turn mancala.Turn) {
	set := g.sowings(s.Rows[s.Player&1])
	q := set.draw(rng.Uint64())
	r := set.finder().pit(q)
	k := q - set.start(r)
	g.sow(s, r, k+1, &turn)
	return mancala.Action(SowStride*r + k), turn
}

// draw returns the set's bit that a uniformly random word stands for. The set is not empty.
func (set sowings) draw(word uint64) uint {
	// Byte i of counts is the number of set bits in the bytes 0 to i.
	const ones = 0x0101010101010101
	counts := set.bits - set.bits>>1&(0x55*ones)
	counts = counts&(0x33*ones) + counts>>2&(0x33*ones)
	counts = (counts + counts>>4) & (0x0f * ones) * ones

	// The j-th set bit lies in the byte before which all counts are at most j.
	j, _ := bits.Mul64(word, counts>>56)
	passed := ((j|0x80)*ones - counts) & (0x80 * ones)
	byteAt := uint(passed>>7*ones>>56) * 8
	j -= counts << 8 >> (byteAt & 63) & 0xff
	return byteAt + uint(nthBit[set.bits>>(byteAt&63)&0xff][j&7])
}

// nthBit holds, for each byte, the places of its set bits in ascending order.
var nthBit = makeNthBit()

func makeNthBit() (table [256][8]uint8) {
	for b := range table {
		j := 0
		for i := range uint8(8) {
			if b>>i&1 != 0 {
				table[b][j] = i
				j++
			}
		}
	}
	return table
}
