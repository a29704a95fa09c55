package search

import (
	"math"

	"kiothi/env/mancala"
)

// This file is what a search proves. It carries exact bounds of the result up the tree beside the mean values, as the
// MCTS-solver of Winands, Björnsson and Saito (Computers and Games, 2008) does with won and lost positions, and as
// Cazenave and Saffidine (Computers and Games, 2010) do for games with more than two results. Bounds are of the utility of
// the final margin, so that a win by much, or by exactly two, is proven in the same way where that is what is played for.
//
// A simulation goes only where it can find something out: to an action whose result is not known, and may be better than
// what another action is proven to get (bounds.open). What it brings back is moved into the bounds of each position that it
// passes, so that a mean has not long to forget what is proven to be wrong.

// bounds are the least and the largest utility that the result can still have when both play as well as they can.
type bounds struct{ low, high float32 }

// unbounded are the bounds in a search without proofs.
var unbounded = bounds{float32(math.Inf(-1)), float32(math.Inf(1))}

// known reports whether the result is known.
func (b *bounds) known() bool { return b.low == b.high }

// turned returns the bounds as the other player sees them.
func (b bounds) turned() bounds { return bounds{-b.high, -b.low} }

// clamp moves a value into the bounds.
func (b *bounds) clamp(value float32) float32 { return min(max(value, b.low), b.high) }

// open reports whether something can be found out behind an action, whose bounds these are, in a position.
func (b *bounds) open(n *node) bool { return b.low < b.high && b.high > n.low }

// reach returns the bounds that the stores alone give: seeds that were won stay won.
func (t *Tree) reach(s *mancala.State) bounds {
	own, enemy := int(s.Stores[s.Player]), int(s.Stores[s.Player.Other()])
	rest := s.Total() - own - enemy
	b := unbounded.turned() // the largest low and the lowest high
	b.low, b.high = b.high, b.low
	for margin := own - enemy - rest; margin <= own-enemy+rest; margin += 2 {
		u := t.utility[margin+mancala.MaxSeeds]
		b.low, b.high = min(b.low, u), max(b.high, u)
	}
	return b
}

// prove narrows the bounds of an edge, and then those of its node: the player to move gets at least what one action is sure
// of, and at most what the best action can be.
func (t *Tree) prove(n *node, e *edge, b bounds) {
	b.low, b.high = max(b.low, e.low), min(b.high, e.high)
	if b == e.bounds {
		return
	}
	e.bounds = b
	n.low = max(n.low, b.low)
	high := b.high
	edges := t.edgesOf(n)
	for i := range edges {
		if edges[i].high >= n.high {
			return // as before
		}
		high = max(high, edges[i].high)
	}
	n.high = high
}

// A verdict tells which actions of a position may be the best.
type verdict struct{ low, high float32 }

// verdictOf returns the verdict of a node's edges: what one is sure to get, and the most that such a one may.
func verdictOf(edges []edge) verdict {
	v := verdict{edges[0].low, edges[0].high}
	for i := range edges {
		if e := &edges[i]; e.low > v.low || e.low == v.low && e.high > v.high {
			v = verdict{e.low, e.high}
		}
	}
	return v
}

// admits reports whether an action may be the best, and is no worse than another in any case.
func (v *verdict) admits(e *edge) bool {
	return e.high > v.low || e.high == v.low && e.low == v.low && v.high == v.low
}

// settled reports whether more simulations cannot change the action to play: the result is known, or one action is at least
// as good as any.
func (t *Tree) settled() bool {
	root := &t.nodes[0]
	if root.known() {
		return true
	}
	edges := t.edgesOf(root)
	v := verdictOf(edges)
	admitted := 0
	for i := range edges {
		if v.admits(&edges[i]) {
			admitted++
		}
	}
	return admitted == 1
}
