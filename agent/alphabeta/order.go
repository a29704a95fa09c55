package alphabeta

import "kiothi/env/mancala"

// This file decides in which order moves are searched.

// The places of moves in the order. Other moves stand by their evaluation.
const (
	tableOrder   = 1 << 30
	killerOrder  = 150       // added to the evaluation of a move that was too good in a sibling
	historyOrder = 4 * cents // added to that of the move that was too good most often
	maxHistory   = 1 << 14
)

// expand plays all moves of a position, the positions after them go to children from top on, and returns their number.
func (s *searcher) expand(state *mancala.State, ply, top int, tableMove mancala.Action) int {
	s.legal = s.game.AppendLegal(s.legal[:0], state)
	history := s.history[state.Player&1]
	for i, a := range s.legal {
		c := &s.children[top+i]
		c.state, c.action = *state, a
		s.play(&c.state, a)
		if c.score, c.known = s.eval.known(&c.state); !c.known {
			c.score = s.eval.guess(&c.state)
		}
		c.order = c.score
		if c.state.Player != state.Player {
			c.order = -c.order
		}
		c.order += history[a] * historyOrder / maxHistory
		switch a {
		case tableMove:
			c.order = tableOrder
		case s.killers[ply][0], s.killers[ply][1]:
			c.order += killerOrder
		}
	}
	return len(s.legal)
}

// pick brings the child with the highest order to the front of a list, the first of equals.
func pick(list []child) {
	best := 0
	for i := 1; i < len(list); i++ {
		if list[i].order > list[best].order {
			best = i
		}
	}
	if best > 0 {
		list[0], list[best] = list[best], list[0]
	}
}

// reward remembers a move that was too good for the enemy to let it come to that.
func (s *searcher) reward(p mancala.Player, ply, depth int, a mancala.Action) {
	if s.killers[ply][0] != a {
		s.killers[ply] = [2]mancala.Action{a, s.killers[ply][0]}
	}
	h := &s.history[p&1][a]
	bonus := int32(min(depth*depth, 400))
	*h += bonus - *h*bonus/maxHistory // so that it never grows beyond maxHistory
}
