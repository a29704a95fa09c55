package search

import "kiothi/env/mancala"

// This file begins a search with what the one before found.

// A subtree is memory for the part of a tree that is kept.
type subtree struct {
	nodes []node
	edges []edge
}

// Resume starts the search of a position with what the tree holds of it: the part behind its most visited node, without what
// is neither there nor behind it. Where the position is not in the tree, that is Reset. The simulations are further ones.
// A Gumbel search must be Unlimited, because the halving of actions begins with none visited, and there is no noise.
func (t *Tree) Resume(s *mancala.State, simulations int) {
	at := int32(-1)
	for i := range t.nodes {
		if n := &t.nodes[i]; n.judged && n.state == *s && (at < 0 || n.total > t.nodes[at].total) {
			at = int32(i)
		}
	}
	if at < 0 {
		t.Reset(s, simulations, nil)
		return
	}
	t.start(simulations, nil)
	t.spare.take(t, at)
	t.nodes, t.spare.nodes = t.spare.nodes, t.nodes
	t.edges, t.spare.edges = t.spare.edges, t.edges
	if t.config.Twins {
		t.twins.fill(t.nodes)
	}
	t.startRoot()
	t.decided = t.config.Proofs && t.settled()
}

// take copies the part of a tree behind a node.
func (to *subtree) take(t *Tree, at int32) {
	to.nodes, to.edges = append(to.nodes[:0], t.nodes[at]), to.edges[:0]
	for i := 0; i < len(to.nodes); i++ {
		n := &to.nodes[i]
		edges := t.edgesOf(n)
		n.first, n.under = int32(len(to.edges)), 0
		for j := range edges {
			e := edges[j]
			e.under = 0
			if e.child != unvisited {
				to.nodes = append(to.nodes, t.nodes[e.child])
				e.child = int32(len(to.nodes) - 1)
			}
			to.edges = append(to.edges, e)
		}
	}
}
