package kiothi

import (
	"fmt"
	"math/bits"

	"kiothi/env/mancala"
)

// This file is the text of positions (rules, section 5), and which positions the rule set refuses.

// Format returns a position's text.
func (g *Game) Format(s *mancala.State) string { return g.board.Format(s) }

// Parse reads a position. Errors name the field and say what is wrong with it.
func (g *Game) Parse(position string) (mancala.State, error) {
	s, err := g.board.Parse(position)
	if err != nil {
		return mancala.State{}, err
	}
	if s.Phase != mancala.Sow {
		if err := g.checkOpening(&s); err != nil {
			return mancala.State{}, fmt.Errorf("position %q: %w", position, err)
		}
	}
	g.settle(&s)
	return s, nil
}

// checkOpening refuses what cannot be in the opening.
func (g *Game) checkOpening(s *mancala.State) error {
	switch {
	case g.rules.Lifts == 1<<0:
		return fmt.Errorf("phase %s: this rule set has no opening (lifts=0), expected sow", s.Phase)
	case s.Marks != 0:
		return fmt.Errorf("marks: no pit is marked before the opening is over, expected -")
	case s.Stores != [2]uint8{}:
		return fmt.Errorf("stores: nothing is captured before the opening is over, expected 0-0")
	case s.Clock != 0:
		return fmt.Errorf("clock: it starts after the opening, expected 0")
	case s.Phase == mancala.Lift:
		return g.checkLifted(s)
	}
	return g.checkPlaced(s)
}

// checkLifted refuses a lift phase that no lifts lead to.
func (g *Game) checkLifted(s *mancala.State) error {
	n := bits.OnesCount16(s.Lifted)
	if n == 0 {
		return nil
	}
	right := bits.OnesCount32(s.Rows[s.Player].Set() >> bits.Len16(s.Lifted))
	switch {
	case n >= g.rules.Lifts.Max():
		return fmt.Errorf("phase lift: lifting has ended after %d pits (lifts=%s), expected place(%d)", n, g.rules.Lifts, s.Hand)
	case !g.reachable(n, right):
		return fmt.Errorf("phase lift: after %d lifted pits, with %d occupied to their right, the lifting cannot be completed (lifts=%s)", n, right, g.rules.Lifts)
	}
	return nil
}

// checkPlaced refuses a place phase that no opening turn leads to. Some pits were lifted, and those that no seed was
// placed in since are empty.
func (g *Game) checkPlaced(s *mancala.State) error {
	least := g.rules.Lifts.leastNonzero()
	own := s.Rows[s.Player]
	last := int(s.Last)
	if last != mancala.NoPit {
		row := s.Rows[(int(s.Player)+last/width)%2]
		if row.At(last%width) == 0 {
			return fmt.Errorf("phase place: pit %s is empty, but a seed was last placed there", pitName(s, last))
		}
	}
	maybeLifted := ownPits &^ own.Set() // empty, or filled since
	if last != mancala.NoPit {
		maybeLifted |= 1<<(min(last, width-1)+1) - 1
	}
	if found := bits.OnesCount32(maybeLifted); found < least {
		return fmt.Errorf("phase place: at most %d own pits can have been lifted, expected %d or more (lifts=%s)", found, least, g.rules.Lifts)
	}
	if last == mancala.NoPit && int(s.Hand) < least {
		return fmt.Errorf("phase place: the hand of %d is less than a seed for each of %d lifted pits (lifts=%s)", s.Hand, least, g.rules.Lifts)
	}
	return nil
}
