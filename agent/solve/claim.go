package solve

import (
	"errors"

	"kiothi/env/mancala"
)

// This file is what has been proved: a list of claims, each of which follows from the rules and from claims before it.

// noAction stands for no action.
const noAction mancala.Action = -1

// clocks are the clocks of turns without a capture, from the first to the last, at which a claim holds. A proof in which no
// line of play lets the clock run out holds for all early clocks, and one that counts on the clock's end for one clock only.
type clocks struct{ from, to uint16 }

// has reports whether a clock is among them.
func (c clocks) has(clock uint16) bool { return c.from <= clock && clock <= c.to }

// cover reports whether all clocks of d are among them.
func (c clocks) cover(d clocks) bool { return c.from <= d.from && d.to <= c.to }

// meet returns the clocks that are in both.
func (c clocks) meet(d clocks) clocks { return clocks{max(c.from, d.from), min(c.to, d.to)} }

// A claim says of a board how much the player to move gets of the seeds on it, less what the other player gets, when both
// play best for that difference: at least bound, which one action shows, or at most bound, whatever the action.
type claim struct {
	board  Board
	older  int32 // the claim about the same board before this one, or none
	bound  int8
	atMost bool
	clocks clocks
	action int16 // for an upper bound noAction
}

// none is claim.older of the first claim about a board.
const none = -1

// claimBytes is the memory that a claim takes, with its share of the index.
const claimBytes = 32 + 2*4

// claims is a list of claims and an index to find them by their whole boards.
type claims struct {
	list  []claim
	index []int32 // places in list of the newest claim about a board, plus 1; a power of two, at least twice the boards
	used  int     // places of index that are taken
	limit int     // the largest number of claims
}

// ErrMemory is what a search returns that has no room for another claim.
var ErrMemory = errors.New("the memory for claims is full; give it more")

func newClaims(limit int) *claims {
	return &claims{index: make([]int32, 1<<10), limit: limit}
}

// reset forgets all claims.
func (c *claims) reset() {
	c.list, c.used = c.list[:0], 0
	clear(c.index)
}

// full reports whether there is no room for another claim.
func (c *claims) full() bool { return len(c.list) >= c.limit }

// newest returns the place in the list of the newest claim about a board, or none.
func (c *claims) newest(b *Board) int32 { return c.index[c.slot(b)] - 1 }

// slot returns the place in the index that a board has, or would have.
func (c *claims) slot(b *Board) uint64 {
	mask := uint64(len(c.index) - 1)
	for i := b.hash() & mask; ; i = (i + 1) & mask {
		n := c.index[i]
		if n == 0 || c.list[n-1].board == *b {
			return i
		}
	}
}

// add appends a claim. There is room for it.
func (c *claims) add(new claim) {
	if 2*(c.used+1) > len(c.index) {
		c.grow()
	}
	i := c.slot(&new.board)
	if c.index[i] == 0 {
		c.used++
	}
	new.older = c.index[i] - 1
	c.list = append(c.list, new)
	c.index[i] = int32(len(c.list))
}

// grow doubles the index.
func (c *claims) grow() {
	old := c.index
	c.index = make([]int32, 2*len(old))
	for _, n := range old {
		if n != 0 {
			c.index[c.slot(&c.list[n-1].board)] = n
		}
	}
}

// verdict looks up whether the player to move on a board gets bound or more, at a clock, and returns for which clocks that
// is so.
func (c *claims) verdict(b *Board, bound int, clock uint16) (verdict, clocks) {
	for n := c.newest(b); n != none; n = c.list[n].older {
		switch l := &c.list[n]; {
		case !l.clocks.has(clock):
		case l.atMost && int(l.bound) < bound:
			return no, l.clocks
		case !l.atMost && int(l.bound) >= bound:
			return yes, l.clocks
		}
	}
	return unknown, clocks{}
}
