package kiothi

import (
	"math/bits"
	"slices"

	"kiothi/env/mancala"
)

// This file finds all legal sowings of a row at once (rules, section 2.3). Only the own row matters: the last seed of a
// first lap may always fall in the enemy row.

// sowings is a set of sowings of a row. The seeds of the row, counted from its left, are numbered 0 to 59, and the bit
// of pit r's k-th seed stands for the sowing of k seeds from r: each pit owns a run of bits as long as its seeds.
type sowings struct {
	bits uint64
	ends mancala.Row // lane r: the bit after pit r's run, where that of pit r+1 starts
}

// sowings returns the legal sowings of the mover's row.
func (g *Game) sowings(own mancala.Row) sowings {
	ends := own.Prefix()
	set := sowings{bits: 1<<(ends>>(mancala.PitBits*(width-1))&63) - 1, ends: ends}
	if g.rules.FirstLap {
		if hasBig(own) {
			set.bits = bigFirstLaps(own)
		} else {
			set.bits = firstLaps(own)
		}
	}
	if g.rules.Pickup == PickupAll {
		set.bits &= wholePits(ends)
	}
	return set
}

// legalSowing reports whether k seeds may be sown from pit r of the mover's row. It is sowings for a single one.
func (g *Game) legalSowing(own mancala.Row, r, k uint) bool {
	n := uint(own.At(int(r)))
	if k > n || k < n && g.rules.Pickup == PickupAll {
		return false
	}
	return !g.rules.FirstLap || mayEnd(own, r, k)
}

// mayEnd reports whether a first lap of k seeds from pit r ends in the enemy row or in an own pit that was empty.
func mayEnd(own mancala.Row, r, k uint) bool {
	l := lapOf(k, r)
	return l.last >= width || l.inLast(own+l.own, 0) == 1
}

// firstLaps returns the sowings whose first lap may end where it does, for a row without big pits.
func firstLaps(own mancala.Row) uint64 {
	// With less than a full round, no other seed of the lap falls where the last one does, so that the pits that are
	// empty now decide: a sowing of k seeds from pit r is legal when bit r+k of open is set.
	empty := uint64(^own.Set()) & uint64(ownPits)
	open := empty | uint64(ownPits)<<width | empty<<(2*width)

	// Unrolled by hand, because the compiler does not, and this was a third of a playout's time.
	set := prepend(open>>10, own>>54, 0)
	set = prepend(open>>9, own>>48, set)
	set = prepend(open>>8, own>>42, set)
	set = prepend(open>>7, own>>36, set)
	set = prepend(open>>6, own>>30, set)
	set = prepend(open>>5, own>>24, set)
	set = prepend(open>>4, own>>18, set)
	set = prepend(open>>3, own>>12, set)
	set = prepend(open>>2, own>>6, set)
	return prepend(open>>1, own, set)
}

// prepend puts the lowest n bits of run before, that is below, those of set. Of n, only the lowest lane counts.
func prepend(run uint64, n mancala.Row, set uint64) uint64 {
	n &= mancala.PitMask
	return set<<n | run&^(^uint64(0)<<n)
}

// bigFirstLaps is firstLaps for any row. A lap of a full round or more drops a seed in every own pit before it ends in
// one, so that only the origin can be empty then: when all its seeds were lifted, and the last of 20 falls there.
func bigFirstLaps(own mancala.Row) uint64 {
	var set uint64
	start := uint(0)
	for r := range uint(width) {
		n := uint(own.At(int(r)))
		for k := uint(1); k <= n; k++ {
			if mayEnd(own, r, k) {
				set |= 1 << (start + k - 1)
			}
		}
		start += n
	}
	return set
}

// wholePits returns the sowings that lift a whole pit: the last bits of the runs that are not empty.
func wholePits(ends mancala.Row) uint64 {
	var set uint64
	for ; ends != 0; ends >>= mancala.PitBits {
		set |= 1 << (ends & mancala.PitMask) >> 1
	}
	return set
}

// hasBig reports whether a pit of the row holds 20 (binary 10100) seeds or more, so that a lap can pass its origin.
func hasBig(row mancala.Row) bool {
	return (row>>5|row>>4&(row>>3|row>>2))&mancala.Lanes != 0
}

// A finder tells in which pit's run a bit lies. It holds the ends in lanes of twelve bits, the even pits' and the odd
// ones', with a guard bit above each six, so that one subtraction compares a number with five of them.
type finder struct{ even, odd uint64 }

const (
	spread = 1 | 1<<12 | 1<<24 | 1<<36 | 1<<48 // a one in each lane of twelve bits
	guard  = 1 << mancala.PitBits * spread
)

// finder returns the set's finder.
func (set sowings) finder() finder {
	return finder{
		even: guard - uint64(set.ends)&(spread*mancala.PitMask),
		odd:  guard - uint64(set.ends>>mancala.PitBits)&(spread*mancala.PitMask),
	}
}

// pit returns the pit in whose run bit q lies.
func (f finder) pit(q uint) uint {
	at := uint64(q) * spread
	passed := (at+f.even)&guard + (at+f.odd)&guard // in each lane, how many of its two runs end at q or before
	return uint(passed >> mancala.PitBits * spread >> 48 & 15)
}

// start returns the first bit of pit r's run.
func (set sowings) start(r uint) uint {
	return uint(set.ends<<mancala.PitBits>>(mancala.PitBits*r&63)) & mancala.PitMask
}

// len returns the number of sowings in the set.
func (set sowings) len() int { return bits.OnesCount64(set.bits) }

// appendTo appends the set's actions in ascending order.
func (set sowings) appendTo(dst []mancala.Action) []mancala.Action {
	old, n := len(dst), set.len()
	dst = slices.Grow(dst, n)[:old+n]
	var first [16]mancala.Action // of each pit, less the bit where its run starts
	for r := range uint(width) {
		first[r] = mancala.Action(SowStride*r - set.start(r))
	}
	find := set.finder()
	rest := set.bits
	for i := range dst[old:] {
		q := uint(bits.TrailingZeros64(rest))
		dst[old+i] = mancala.Action(q) + first[find.pit(q)]
		rest &= rest - 1
	}
	return dst
}
