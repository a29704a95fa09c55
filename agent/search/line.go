package search

import (
	"iter"

	"kiothi/env/mancala"
)

// This file is what a finished search says about the game to come.

// AppendLine appends the principal variation: Best, then the most visited action of each position that it leads to, as far
// as the search has gone. Actions without an alternative, which the search passes through, are in it.
func (t *Tree) AppendLine(line []mancala.Action) []mancala.Action {
	for n, e := &t.nodes[0], t.best(); ; e = t.mostVisited(n) {
		if e == nil {
			return line
		}
		line = append(line, mancala.Action(e.action))
		if e.child == unvisited {
			return line
		}
		child := &t.nodes[e.child]
		s := n.state
		mancala.MustPlay(t.game, &s, mancala.Action(e.action))
		for s != child.state {
			t.legal = t.game.AppendLegal(t.legal[:0], &s)
			line = append(line, t.legal[0])
			mancala.MustPlay(t.game, &s, t.legal[0])
		}
		n = child
	}
}

// Behind yields the positions that the mean value of Best was made of, and how many simulations ended in each: one in a
// position that was judged, one or more where the result is known. A search that never tried Best yields its root. (With proofs
// the value of Best is not just their mean: see proof.go.)
func (t *Tree) Behind() iter.Seq2[*mancala.State, int] {
	return func(yield func(*mancala.State, int) bool) {
		if e := t.best(); e.child == unvisited {
			yield(&t.nodes[0].state, 1)
		} else {
			t.behind(e, yield)
		}
	}
}

// behind yields the positions that the mean value of a visited edge was made of. It reports whether to go on.
func (t *Tree) behind(e *edge, yield func(*mancala.State, int) bool) bool {
	n := &t.nodes[e.child]
	if n.count == 0 {
		return yield(&n.state, int(e.visits))
	}
	if !yield(&n.state, 1) {
		return false
	}
	edges := t.edgesOf(n)
	for i := range edges {
		if edges[i].child != unvisited && !t.behind(&edges[i], yield) {
			return false
		}
	}
	return true
}

// mostVisited returns the most visited edge of a node among those that may be the best, nil when none of them was visited.
func (t *Tree) mostVisited(n *node) *edge {
	var most *edge
	edges := t.edgesOf(n)
	if len(edges) == 0 {
		return nil
	}
	v := verdictOf(edges)
	for i := range edges {
		if e := &edges[i]; e.visits > 0 && v.admits(e) && (most == nil || e.visits > most.visits) {
			most = e
		}
	}
	return most
}
