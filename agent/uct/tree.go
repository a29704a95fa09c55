package uct

import (
	"math"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/env/mancala"
)

// This file is the tree and its simulations.

// A node is a position, or rather the action that leads to it from its parent's position.
type node struct {
	points float64 // sum over the visits, as the player who moved here sees them: 1 a win, 0 a draw, -1 a loss
	visits int32
	first  int32 // index of the first child, 0 when there are none yet
	count  int32 // children, which lie one after the other
	action mancala.Action
}

const (
	// exploration is the constant of UCB1 for points from -1 to 1.
	exploration = 1.0
	// firstPlay is the value of a child without a visit, before the term of exploration: a little under what its parent
	// has, so that good moves are gone into before all others were tried once (first-play urgency; Gelly and Wang, 2006).
	firstPlay = -0.2
	// expandAt is the number of visits at which a leaf gets children.
	expandAt = 2
	// maxNodes bounds the memory of a tree, to 24 bytes each. A full tree goes on without growing.
	maxNodes = 1 << 22
)

// A tree is a search of one position. Its nodes lie in one slice, and are used again by the next search.
type tree struct {
	game    mancala.Game
	sampler mancala.Sampler
	// endgames, if not nil, tell results before the end.
	endgames agent.Endgames
	nodes    []node
	path     []step
	state    mancala.State // of the simulation under way
	legal    []mancala.Action
	source   rand.PCG
	rng      *rand.Rand // on source
}

// A step is a node of the line of a simulation, and who moved to it.
type step struct {
	node  int32
	mover mancala.Player
}

// newTree returns a tree without a position, with room for some nodes, so that it need not be copied as it grows up to
// there. Memory that no node is written to costs nothing but addresses.
func newTree(g mancala.Sampler, room int) *tree {
	t := &tree{game: g, sampler: g, nodes: make([]node, 0, min(room, maxNodes))}
	t.rng = rand.New(&t.source)
	return t
}

// reset begins the search of a position.
func (t *tree) reset(root *mancala.State, rng *rand.Rand) {
	t.source.Seed(rng.Uint64(), rng.Uint64())
	t.nodes = append(t.nodes[:0], node{action: -1})
	t.expand(0, root)
}

// resume begins the search of a position with what an earlier one found behind one of its nodes, which is that position.
func (t *tree) resume(root *mancala.State, found []node, at int32, rng *rand.Rand) {
	t.source.Seed(rng.Uint64(), rng.Uint64())
	t.nodes = appendSubtree(t.nodes[:0], found, at, maxNodes/2)
	if t.nodes[0].count == 0 {
		t.expand(0, root)
	}
}

// appendSubtree appends what is behind a node of a tree to an empty one, up to a number of nodes: those near the root come
// first, and where there is no room the children are left out.
func appendSubtree(to, from []node, root int32, limit int) []node {
	to = append(to, from[root])
	for i := 0; i < len(to); i++ {
		first, count := to[i].first, to[i].count
		if len(to)+int(count) > limit {
			to[i].first, to[i].count = 0, 0
			continue
		}
		to[i].first = int32(len(to))
		to = append(to, from[first:first+count]...)
	}
	return to
}

// expand gives a node its children.
func (t *tree) expand(at int32, s *mancala.State) {
	t.legal = t.game.AppendLegal(t.legal[:0], s)
	if len(t.nodes)+len(t.legal) > maxNodes {
		return
	}
	t.nodes[at].first, t.nodes[at].count = int32(len(t.nodes)), int32(len(t.legal))
	for _, a := range t.legal {
		t.nodes = append(t.nodes, node{action: a})
	}
}

// simulate goes down the tree, plays at random to the end, and tells all nodes of the line the result.
func (t *tree) simulate(root *mancala.State) {
	s := &t.state
	*s = *root
	at := int32(0)
	t.path = append(t.path[:0], step{})
	for !s.Over() {
		n := &t.nodes[at]
		if n.count == 0 {
			if n.visits+1 < expandAt {
				break
			}
			if t.expand(at, s); t.nodes[at].count == 0 {
				break
			}
		}
		at = t.choose(at)
		t.path = append(t.path, step{at, s.Player})
		mancala.MustPlay(t.game, s, t.nodes[at].action)
		if _, ok := t.known(s); ok {
			break
		}
	}
	south := t.playout(s)
	for _, step := range t.path {
		n := &t.nodes[step.node]
		n.visits++
		if step.mover == mancala.South {
			n.points += south
		} else {
			n.points -= south
		}
	}
}

// choose returns the child with the highest upper confidence bound, the first of equals.
func (t *tree) choose(parent int32) int32 {
	p := &t.nodes[parent]
	spread := exploration * math.Sqrt(math.Log(float64(p.visits+1)))
	children := t.nodes[p.first : p.first+p.count]
	// A child's points are the parent's mover's to gain; the mean over the children is what the position is worth.
	points, visits := 0.0, int32(0)
	for i := range children {
		points += children[i].points
		visits += children[i].visits
	}
	urgency := firstPlay + spread
	if visits > 0 {
		urgency += points / float64(visits)
	}
	best, highest := 0, math.Inf(-1)
	for i := range children {
		c := &children[i]
		score := urgency
		if c.visits > 0 {
			root := inverseRoot(c.visits)
			score = c.points*root*root + spread*root
		}
		if score > highest {
			best, highest = i, score
		}
	}
	return p.first + int32(best)
}

// inverseRoots holds the inverse of the square roots of small numbers.
var inverseRoots = func() (table [1024]float64) {
	for i := range table {
		table[i] = 1 / math.Sqrt(float64(i))
	}
	return table
}()

// inverseRoot returns 1/√n.
func inverseRoot(n int32) float64 {
	if int(n) < len(inverseRoots) {
		return inverseRoots[n]
	}
	return 1 / math.Sqrt(float64(n))
}

// playout plays at random until the game is over or the result known, and returns South's points.
func (t *tree) playout(s *mancala.State) float64 {
	for s.Opening > 0 && !s.Over() {
		for _, a := range scripted.SampleOpening(t.game, s, t.rng) {
			mancala.MustPlay(t.game, s, a)
		}
	}
	for !s.Over() {
		if south, ok := t.known(s); ok {
			return south
		}
		t.sampler.RandomTurn(s, &t.source)
	}
	return sign(mancala.Margin(t.game, s, mancala.South))
}

// known returns South's points in a position whose result is known before the end.
func (t *tree) known(s *mancala.State) (south float64, ok bool) {
	if t.endgames == nil {
		return 0, false
	}
	margin, ok := t.endgames.Probe(s)
	if s.Player == mancala.North {
		margin = -margin
	}
	return sign(margin), ok
}

// best returns the root's child with the most visits, the one with more points among equals.
func (t *tree) best() int32 {
	root := t.nodes[0]
	best := root.first
	for i := root.first; i < root.first+root.count; i++ {
		c, b := &t.nodes[i], &t.nodes[best]
		if c.visits > b.visits || c.visits == b.visits && c.points > b.points {
			best = i
		}
	}
	return best
}

// value returns the mean result of the simulations from the root, as the player to move there sees it.
func (t *tree) value() float64 {
	root := t.nodes[0]
	points, visits := 0.0, 0.0
	for _, c := range t.nodes[root.first : root.first+root.count] {
		points += c.points
		visits += float64(c.visits)
	}
	return points / visits
}

// sign returns -1, 0 or 1.
func sign(n int) float64 {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}
