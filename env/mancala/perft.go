package mancala

import "iter"

// This file counts sequences of actions, the usual way to compare move generators (rules, section 6).

// Perft returns the number of sequences of exactly depth actions from s. A game that ends sooner adds nothing; depth 0
// counts the empty sequence. It allocates once a ply, not once a node.
func Perft(g Game, s State, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	c := counter{game: g, states: []State{s}}
	return c.count(0, depth)
}

// Divide splits Perft by the first action: it yields each legal action of s, ascending, and the number of sequences of
// exactly depth actions that begin with it. It yields nothing at depth 0.
func Divide(g Game, s State, depth int) iter.Seq2[Action, uint64] {
	return func(yield func(Action, uint64) bool) {
		if depth <= 0 {
			return
		}
		for _, a := range g.AppendLegal(nil, &s) {
			next := s
			MustPlay(g, &next, a)
			if !yield(a, Perft(g, next, depth-1)) {
				return
			}
		}
	}
}

// A counter walks the tree in depth. Its stacks keep the states and the actions off the heap.
type counter struct {
	game    Game
	states  []State  // the state at each level
	actions []Action // the legal actions of all levels above, one after the other
}

// count returns the number of sequences of depth ≥ 1 actions from the state at a level.
func (c *counter) count(level, depth int) uint64 {
	first := len(c.actions)
	c.actions = c.game.AppendLegal(c.actions, &c.states[level])
	last := len(c.actions)
	if depth == 1 {
		c.actions = c.actions[:first]
		return uint64(last - first)
	}
	if len(c.states) == level+1 {
		c.states = append(c.states, State{})
	}
	total := uint64(0)
	for i := first; i < last; i++ {
		c.states[level+1] = c.states[level]
		MustPlay(c.game, &c.states[level+1], c.actions[i])
		total += c.count(level+1, depth-1)
	}
	c.actions = c.actions[:first]
	return total
}
