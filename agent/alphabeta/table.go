package alphabeta

import (
	"math/bits"

	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// This file is the transposition table, and the keys of positions in it.

// A bound says what a stored score means.
type bound uint8

// The bounds. An entry without a score has none.
const (
	atMost  bound = 1 // the search failed low: the score is this or less
	atLeast bound = 2 // the search failed high: the score is this or more
	exact   bound = 3
)

// An entry is what was found out about a position, packed into two words:
//
//	score 16 bits | action 16 | depth 8 | bound 8 | generation 16
type entry struct{ key, data uint64 }

func (e *entry) score() int32           { return int32(int16(e.data)) }
func (e *entry) action() mancala.Action { return mancala.Action(int16(e.data >> 16)) }
func (e *entry) depth() int             { return int(uint8(e.data >> 32)) }
func (e *entry) bound() bound           { return bound(e.data >> 40) }
func (e *entry) generation() uint16     { return uint16(e.data >> 48) }

// noAction stands for the absence of an action.
const noAction mancala.Action = -1

// bucketSize is the number of entries among which a position's place is: a cache line of them.
const bucketSize = 4

// A table remembers positions within a fixed size. Entries of earlier generations count as absent, so that a new
// generation is a cleared table: what a search finds does not depend on the searches before it.
type table struct {
	buckets [][bucketSize]entry // a power of two
	current uint16              // generation, 1 or more
}

// newTable returns an empty table of the largest power of two of bytes that is not over the given number of MiB.
func newTable(mib int) *table {
	const bucketBytes = 16 * bucketSize
	n := mib << 20 / bucketBytes
	return &table{buckets: make([][bucketSize]entry, 1<<(bits.Len(uint(n))-1)), current: 1}
}

// clear forgets everything.
func (t *table) clear() {
	if t.current++; t.current == 0 {
		clear(t.buckets)
		t.current = 1
	}
}

// find returns the entry of a position, nil when there is none.
func (t *table) find(key uint64) *entry {
	b := &t.buckets[key&uint64(len(t.buckets)-1)]
	for i := range b {
		if b[i].key == key && b[i].generation() == t.current {
			return &b[i]
		}
	}
	return nil
}

// store remembers a position. It takes the place of what was known of it, or else of an entry of an earlier generation, or
// else of the bucket's shallowest.
func (t *table) store(key uint64, a mancala.Action, score int32, depth int, what bound) {
	b := &t.buckets[key&uint64(len(t.buckets)-1)]
	place, least := &b[0], 1<<30
	for i := range b {
		e := &b[i]
		if e.generation() != t.current {
			if least >= 0 {
				place, least = e, -1
			}
			continue
		}
		if e.key == key {
			if a == noAction {
				a = e.action()
			}
			place = e
			break
		}
		if e.depth() < least {
			place, least = e, e.depth()
		}
	}
	place.key = key
	place.data = uint64(uint16(score)) | uint64(uint16(a))<<16 | uint64(depth)<<32 | uint64(what)<<40 | uint64(t.current)<<48
}

// keyOf returns the key of a position in the phase Sow: a hash of all that decides how the game can go on and what its
// result is. The stores are one number, because no sowing changes the seeds in all.
//
// The clock of turns without a capture belongs to it only from clockFrom on, the first clock from which a search may reach
// the limit: a search of MaxDepth turns that starts below it ends before the limit, so that the clock cannot have changed
// what it found. So positions with different clocks share what is found where that is exact, and nowhere else.
//
// A network sees the clock, but does not tell apart the clocks that are further from the limit (see lastClockRow).
func keyOf(s *mancala.State, clockFrom uint16) uint64 {
	rest := uint64(s.Marks)<<24 ^ uint64(s.Closed)<<44 ^ uint64(s.Stores[0])<<18 ^ uint64(s.Player)<<17
	if s.Clock >= clockFrom {
		rest ^= uint64(s.Clock) + 1
	}
	// Two folded multiplications of 64 by 64 bits, after wyhash (Wang Yi). The constants are the fractions of square roots.
	high, low := bits.Mul64(uint64(s.Rows[0])^0x6a09e667f3bcc908, uint64(s.Rows[1])^0xbb67ae8584caa73b)
	high, low = bits.Mul64(high^low^0x3c6ef372fe94f82b, rest^0xa54ff53a5f1d36f1)
	return high ^ low
}

// lastClockRow is the number of turns from which on a network does not tell apart how many are left. Positions with so many
// left may share what is found about them.
const lastClockRow = 1 << (nnue.ClockRows - 2)

// This does not compile where a search could see clocks that are not part of keys, and that the network tells apart.
const _ = uint(MaxDepth - lastClockRow)
