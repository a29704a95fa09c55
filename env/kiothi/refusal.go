package kiothi

import (
	"fmt"
	"math/bits"

	"kiothi/env/mancala"
)

// This file says why an action is illegal, in the words of the rules page.

// refusal returns the rule that forbids an action, or nothing when it is a legal one of an opening turn. It is not asked
// about legal sowings.
func (g *Game) refusal(s *mancala.State, a mancala.Action) string {
	switch {
	case a < 0 || a >= actions:
		return fmt.Sprintf("there is no such action, they are 0 to %d", actions-1)
	case s.Over():
		return fmt.Sprintf("the game is over (%s)", s.End)
	case s.Phase == mancala.Sow:
		if a >= FirstLift {
			return "the opening is over: a turn sows seeds from an own pit"
		}
		return g.sowRefusal(s, int(a/SowStride), int(a%SowStride)+1)
	case s.Phase == mancala.Lift:
		return g.liftRefusal(s, a)
	}
	return placeRefusal(s, a)
}

// pitName returns the letter of a pit by the index that the player to move counts it with.
func pitName(s *mancala.State, r int) string {
	return string(mancala.PitName(mancala.Absolute(s.Player&1, r, width), width))
}

// sowRefusal says why k seeds may not be sown from own pit r, when they may not.
func (g *Game) sowRefusal(s *mancala.State, r, k int) string {
	row := s.Rows[s.Player&1]
	pit, n := pitName(s, r), row.At(r)
	switch {
	case n == 0:
		return fmt.Sprintf("pit %s is empty", pit)
	case k > n:
		return fmt.Sprintf("pit %s holds only %s", pit, seeds(n))
	case k < n && g.rules.Pickup == PickupAll:
		return fmt.Sprintf("a sowing lifts the whole pit, and %s holds %s (pickup=all)", pit, seeds(n))
	}
	return fmt.Sprintf("the last seed would fall in own pit %s, which holds a seed by then (the first lap may not end in an occupied own pit)",
		pitName(s, (r+k)%(2*width)))
}

// liftRefusal says why an action may not be played in the lift phase.
func (g *Game) liftRefusal(s *mancala.State, a mancala.Action) string {
	n := bits.OnesCount16(s.Lifted)
	switch {
	case a < FirstLift:
		return "nothing is sown before both players have made their opening turns: lift a pit, such as +" + pitName(s, width-1)
	case a >= FirstPlace:
		return "seeds are placed after the lifting has ended"
	case a == StopLifting:
		if g.mayStop(s) {
			return ""
		}
		return fmt.Sprintf("lifting cannot stop at %d lifted pits (lifts=%s)", n, g.rules.Lifts)
	}
	r := int(a - FirstLift)
	row := s.Rows[s.Player&1]
	switch {
	case g.liftable(row, s.Lifted)>>r&1 != 0:
		return ""
	case r < bits.Len16(s.Lifted):
		return fmt.Sprintf("pits are lifted from left to right, and %s is not to the right of %s",
			pitName(s, r), pitName(s, bits.Len16(s.Lifted)-1))
	case row.At(r) == 0:
		return fmt.Sprintf("pit %s is empty", pitName(s, r))
	}
	return fmt.Sprintf("too few occupied pits lie to the right of %s to complete the lifting (lifts=%s)", pitName(s, r), g.rules.Lifts)
}

// placeRefusal says why an action may not be played in the place phase.
func placeRefusal(s *mancala.State, a mancala.Action) string {
	if a < FirstPlace {
		return fmt.Sprintf("the %s in hand must be placed first, such as >%s", seeds(int(s.Hand)), pitName(s, 2*width-1))
	}
	if r := int(a - FirstPlace); r < int(s.Last) {
		return fmt.Sprintf("seeds are placed in order, counter-clockwise from the own leftmost pit, and %s comes before %s, the last one",
			pitName(s, r), pitName(s, int(s.Last)))
	}
	return ""
}

// seeds returns a number of seeds in words.
func seeds(n int) string {
	if n == 1 {
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", n)
}
