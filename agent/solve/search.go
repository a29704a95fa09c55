package solve

import (
	"kiothi/env/mancala"
)

// This file is the search for a proof.
//
// The question about a position is always whether the player to move gets at least a bound. A search to a depth answers yes,
// no, or that it does not know, and never guesses: where the depth is used up it does not know. It hopes for one of the two
// answers, and gives up a position as soon as it cannot be had, so that of the positions where the hope is the other
// player's one reply is looked at and of the others all. A deeper search, or one with the other hope, comes next.

// A verdict is the answer to a question.
type verdict int8

const (
	no verdict = iota - 1
	unknown
	yes
)

// A child is a position after an action, about which a question of its own remains open.
type child struct {
	state  mancala.State
	action mancala.Action
	order  int32 // the higher, the sooner it is searched
}

// search asks whether the player to move in a state gets at least bound of the seeds on the board, less what the other
// player gets, and for which clocks its answer holds. What the state itself tells (see settled) is not asked for again. hope
// is yes or no. The depth is 1 or more, and the free part of the children begins at top.
func (s *Solver) search(state *mancala.State, bound, depth int, hope verdict, top int) (verdict, clocks) {
	if s.nodes >= s.pollAt {
		s.poll()
	}
	if s.stopped != nil {
		return unknown, clocks{}
	}
	board := boardOf(state, s.width)
	last := s.hints.find(&board, hope)
	if int(last.bound) == bound && int(last.depth) >= depth {
		return unknown, clocks{} // as it was before
	}

	// The moves whose result is known come first: one of them may be the answer, and the others need no search.
	all := s.always()
	first := last.action
	s.legal = s.game.AppendLegal(s.legal[:0], state)
	if need := top + len(s.legal); need > len(s.children) {
		s.children = append(s.children, make([]child, need)...)
	}
	open := top
	for _, a := range s.legal {
		c := &s.children[open]
		c.state, c.action = *state, a
		s.play(&c.state, a)
		answer, when := s.after(state, &c.state, bound, 0, hope, 0)
		switch answer {
		case yes:
			s.record(&board, bound, when, a)
			return yes, when
		case no:
			all = all.meet(when)
		case unknown:
			c.order = order(state, c, first)
			open++
		}
	}

	answer := no
	if depth == 1 && open > top {
		return unknown, clocks{}
	}
	for i := top; i < open; i++ {
		pick(s.children[i:open])
		a := s.children[i].action
		result, when := s.after(state, &s.children[i].state, bound, depth-1, hope, open)
		if s.stopped != nil {
			return unknown, clocks{}
		}
		if result == yes {
			s.record(&board, bound, when, a)
			s.hints.store(&board, hope, hint{bound: noBound, action: int16(a)})
			return yes, when
		}
		if result == unknown {
			answer = unknown
			if hope == no {
				s.hints.store(&board, hope, hint{int8(bound), uint16(depth), int16(a)})
				return unknown, clocks{}
			}
		}
		all = all.meet(when)
	}
	if answer == unknown {
		s.hints.store(&board, hope, hint{int8(bound), uint16(depth), first})
		return unknown, clocks{}
	}
	s.record(&board, bound, all, noAction)
	return no, all
}
