package solve

import "kiothi/env/mancala"

// This file answers the questions about a position that need no search, and carries answers from a position to the one
// before it.

// always returns all clocks of a game that is not over.
func (s *Solver) always() clocks { return clocks{0, s.limit - 1} }

// after answers what an action makes of a question. before is the state in which it is played and after the one that it
// leads to; the question is whether the player to move before gets at least bound from then on, and hope is the answer
// hoped for. With depth 0 the position after it is not searched. The clocks returned are those before the action.
func (s *Solver) after(before, after *mancala.State, bound, depth int, hope verdict, top int) (verdict, clocks) {
	mover := before.Player
	// What the action itself wins is not asked of the position after it.
	bound -= lead(after, mover) - lead(before, mover)
	if after.Player != mover { // the enemy gets less than 1-bound
		bound, hope = 1-bound, -hope
	}
	seeds := after.OnBoard() + int(after.Hand)
	bound += (bound ^ seeds) & 1 // the seeds on the board all go to one player or the other, so that the next bound is as good
	answer, when := s.settled(after, bound, seeds)
	if answer == unknown && depth > 0 {
		answer, when = s.search(after, bound, depth, hope, top)
	}
	if after.Player != mover {
		answer = -answer
	}
	switch {
	case before.Phase != mancala.Sow: // the clock stands still
		return answer, when.meet(s.always())
	case after.Clock == 0: // after a capture, whatever the clock was before
		return answer, s.always()
	}
	return answer, clocks{max(when.from, 1) - 1, when.to - 1}
}

// settled answers a question as far as the state and the claims so far tell. Of a state that is over and of what holds
// whatever is played, the clocks include the full one.
func (s *Solver) settled(state *mancala.State, bound, seeds int) (verdict, clocks) {
	whatever := clocks{0, s.limit}
	switch {
	case state.Over():
		if state.End == mancala.Exhausted {
			whatever.from = s.limit
		}
		final := s.game.Final(state)
		p := state.Player & 1
		if final[p]-final[p^1]-lead(state, p) >= bound {
			return yes, whatever
		}
		return no, whatever
	case bound <= -seeds: // even if the enemy gets them all
		return yes, whatever
	case bound > seeds:
		return no, whatever
	}
	if s.table != nil {
		if margin, ok := s.table.Probe(state); ok { // at this clock as at a fresh one
			if margin-lead(state, state.Player) >= bound {
				return yes, clocks{0, state.Clock}
			}
			return no, clocks{0, state.Clock}
		}
	}
	return s.listed(state, bound)
}

// listed answers a question as far as the claims so far tell.
func (s *Solver) listed(state *mancala.State, bound int) (verdict, clocks) {
	board := boardOf(state, s.width)
	for _, source := range s.sources {
		if answer, when := source.verdict(&board, bound, state.Clock); answer != unknown {
			return answer, when
		}
	}
	return unknown, clocks{}
}

// lead returns a player's store less the other's.
func lead(s *mancala.State, p mancala.Player) int {
	return int(s.Stores[p&1]) - int(s.Stores[p&1^1])
}

// record adds a claim: that the player to move gets at least bound, by an action, or less than bound when it is noAction.
func (s *Solver) record(b *Board, bound int, when clocks, a mancala.Action) {
	if s.claims.full() {
		s.stopped = ErrMemory
		return
	}
	c := claim{board: *b, bound: int8(bound), clocks: when, action: int16(a)}
	if a == noAction {
		c.atMost, c.bound = true, int8(bound-2) // the next below: see after
	}
	s.claims.add(c)
}
