package solve

import "kiothi/env/mancala"

// This file is what earlier searches suggest to later ones. It makes them faster and is never relied upon.

// A hint is what a search that hoped for an answer, and did not find it, leaves behind.
type hint struct {
	bound  int8   // of the question, or noBound
	depth  uint16 // that did not suffice
	action int16  // to search first, or noAction
}

// noBound is hint.bound when there was no such search.
const noBound = -128

// hintBytes is the memory that a hint takes.
const hintBytes = 16

// hints is a table of fixed size in which newer hints displace older ones.
type hints []struct {
	key uint64 // the hash of the board and the hope; 0 where there is none
	hint
}

// newHints returns a table of about the given number of hints.
func newHints(n int) hints {
	size := 1 << 10
	for 2*size <= n {
		size *= 2
	}
	return make(hints, size)
}

// makeHints makes the table before its first use.
func (s *Solver) makeHints() {
	if s.hints == nil {
		s.hints = newHints(s.room)
	}
}

// keyOf returns the hash of a board and a hope.
func keyOf(b *Board, hope verdict) uint64 { return b.hash()*2 + uint64(hope+1)/2 }

// find returns the hint about a board.
func (h hints) find(b *Board, hope verdict) hint {
	key := keyOf(b, hope)
	if e := &h[key&uint64(len(h)-1)]; e.key == key {
		return e.hint
	}
	return hint{bound: noBound, action: int16(noAction)}
}

// store keeps a hint.
func (h hints) store(b *Board, hope verdict, new hint) { h.put(keyOf(b, hope), new) }

// put keeps a hint by its key.
func (h hints) put(key uint64, new hint) {
	e := &h[key&uint64(len(h)-1)]
	e.key, e.hint = key, new
}

// count returns the number of hints.
func (h hints) count() int {
	n := 0
	for i := range h {
		if h[i].key != 0 {
			n++
		}
	}
	return n
}

// The order in which open moves are searched: the one that a hint names, and then those that leave the mover the most. What
// was won counts most, seeds in the own row next.
const (
	hintOrder = 1 << 20
	wonOrder  = 4
)

// order returns the place of a move in the order.
func order(before *mancala.State, c *child, first int16) int32 {
	p := before.Player & 1
	home := c.state.Rows[p].Sum() - c.state.Rows[p^1].Sum()
	o := int32(wonOrder*lead(&c.state, p) + home)
	if c.action == mancala.Action(first) {
		o += hintOrder
	}
	return o
}

// pick brings the child with the highest order to the front of a list, the first of equals.
func pick(list []child) {
	best := 0
	for i := range list {
		if list[i].order > list[best].order {
			best = i
		}
	}
	if best > 0 {
		list[0], list[best] = list[best], list[0]
	}
}
