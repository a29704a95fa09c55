package kiothi

import (
	"math/bits"

	"kiothi/env/mancala"
)

// This file is the opening, in single actions (rules, sections 2.2 and 4.1).

// liftable returns the own pits that may be lifted next, as relative bits: occupied, to the right of those lifted, and
// such that a count of lifts can still be reached.
func (g *Game) liftable(own mancala.Row, lifted uint16) uint32 {
	occupied := own.Set()
	next := bits.OnesCount16(lifted) + 1
	var pits uint32
	for r := bits.Len16(lifted); r < width; r++ {
		right := bits.OnesCount32(occupied >> (r + 1))
		if occupied>>r&1 != 0 && g.reachable(next, right) {
			pits |= 1 << r
		}
	}
	return pits
}

// reachable reports whether a count of lifts can be reached by a turn that has lifted n pits and can lift more others.
func (g *Game) reachable(n, more int) bool {
	for c := n; c <= min(n+more, maxLifts); c++ {
		if g.rules.Lifts.Has(c) {
			return true
		}
	}
	return false
}

// mayStop reports whether the player may stop lifting.
func (g *Game) mayStop(s *mancala.State) bool {
	n := bits.OnesCount16(s.Lifted)
	return g.rules.Lifts.Has(n) && n < g.rules.Lifts.Max()
}

// appendLifts appends the legal actions of the lift phase.
func (g *Game) appendLifts(dst []mancala.Action, s *mancala.State) []mancala.Action {
	for pits := g.liftable(s.Rows[s.Player&1], s.Lifted); pits != 0; pits &= pits - 1 {
		dst = append(dst, FirstLift+mancala.Action(bits.TrailingZeros32(pits)))
	}
	if g.mayStop(s) {
		dst = append(dst, StopLifting)
	}
	return dst
}

// appendPlaces appends the legal actions of the place phase.
func appendPlaces(dst []mancala.Action, s *mancala.State) []mancala.Action {
	for r := max(s.Last, 0); r < 2*width; r++ {
		dst = append(dst, FirstPlace+mancala.Action(r))
	}
	return dst
}

// playOpening carries out a legal action of an opening turn.
func (g *Game) playOpening(s *mancala.State, a mancala.Action) {
	switch {
	case a >= FirstPlace:
		r := int(a - FirstPlace)
		row := &s.Rows[s.Player&1]
		if r >= width {
			row = &s.Rows[s.Player.Other()&1]
		}
		*row = row.With(r%width, row.At(r%width)+1)
		s.Hand--
		s.Last = int8(r)
		if s.Hand == 0 {
			g.endOpeningTurn(s)
		}
	case a == StopLifting:
		g.endLifting(s)
	default:
		r := int(a - FirstLift)
		row := &s.Rows[s.Player&1]
		s.Hand += uint8(row.At(r))
		*row = row.With(r, 0)
		s.Lifted |= 1 << r
		if bits.OnesCount16(s.Lifted) == g.rules.Lifts.Max() {
			g.endLifting(s)
		}
	}
}

// endLifting goes on to placing, if anything was lifted.
func (g *Game) endLifting(s *mancala.State) {
	s.Lifted = 0
	if s.Hand == 0 {
		g.endOpeningTurn(s)
		return
	}
	s.Phase = mancala.Place
}

// endOpeningTurn passes to the other player, and to the first sowing turn after both openings.
func (g *Game) endOpeningTurn(s *mancala.State) {
	s.Last = mancala.NoPit
	s.Player = s.Player.Other()
	s.Phase = mancala.Lift
	if s.Opening--; s.Opening == 0 {
		s.Phase = mancala.Sow
		g.protect(s)
	}
	g.settle(s)
}

// protect sets the marks that the sowing starts with.
func (g *Game) protect(s *mancala.State) {
	s.Marks = allPits
	if g.rules.Protection == ProtectNki {
		s.Marks = s.Rows[mancala.South].Set() | s.Rows[mancala.North].Set()<<width
	}
}
