package search

import (
	"math"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// This file is the tree and the way of a simulation through it; which edge it takes is said in gumbel.go and puct.go.

// A node is a position with at least two legal actions, or one whose result is known.
type node struct {
	state mancala.State
	first int32   // its edges are edges[first : first+count]
	count int32   // 0: not judged yet, or known
	total int32   // visits of all its edges together
	value float32 // utility for the player to move: the network's, or the result's when that is known
	known bool    // the game is over, or Known says its result
}

// An edge is a legal action of a node.
type edge struct {
	action mancala.Action
	child  int32   // the node it leads to, or unvisited
	visits int32   // N
	sum    float32 // sum of the values of its visits, for the player to move in the node
	logit  float32 // the network's, relative to the largest of the node
	prior  float32 // π: softmax of the logits over the legal actions
}

const unvisited = -1

// q returns the mean value of a visited edge.
func (e *edge) q() float64 { return float64(e.sum) / float64(e.visits) }

// visit is a step of the simulation under way.
type visit struct{ node, edge int32 }

// A Tree searches one position at a time. Its memory is kept from one search to the next. It is not safe for concurrent
// use.
type Tree struct {
	game    mancala.Game
	config  *Config
	utility func(margin int) float32 // of a finished game, for the player whose margin it is
	// Known, if not nil, tells the final margin for the player to move of positions that are not over. Where it does, the
	// search goes no further. It is not asked about the root.
	Known func(s *mancala.State) (margin int, ok bool)

	nodes []node
	edges []edge
	path  []visit
	leaf  int32 // the node that Select handed out

	simulations int // so far, the root's own judgement not counted
	budget      int
	judged      int        // positions that Expand was given, the root included
	noise       *rand.Rand // nil: none
	root        rootState

	legal  []mancala.Action // those of the leaf, when the search waits for Expand
	scores []float64        // see scratch
}

// NewTree returns a tree for positions of a game. utility gives the value, in [-1, 1], of a finished game to the player
// who won by the margin; it is odd.
func NewTree(g mancala.Game, c *Config, utility func(margin int) float32) *Tree {
	return &Tree{game: g, config: c, utility: utility}
}

// Reset starts the search of a position that is not over, with a number of simulations. A nil noise searches
// deterministically, as in play that is to be strong; with a generator the root explores, as in self-play.
func (t *Tree) Reset(s *mancala.State, simulations int, noise *rand.Rand) {
	t.nodes = append(t.nodes[:0], node{state: *s})
	t.edges = t.edges[:0]
	t.path = t.path[:0]
	t.leaf = 0
	t.simulations, t.budget, t.judged, t.noise = 0, simulations, 0, noise
}

// Select runs simulations up to the first whose leaf needs the network, and returns that leaf's position, valid until the
// next call; Expand must follow. It returns nil when the search is complete.
func (t *Tree) Select() *mancala.State {
	if root := &t.nodes[0]; root.count == 0 {
		t.legal = t.game.AppendLegal(t.legal[:0], &root.state)
		return &root.state
	}
	for t.simulations < t.budget {
		if t.descend() {
			return &t.nodes[t.leaf].state
		}
	}
	return nil
}

// Expand takes the network's judgement of the position that Select returned: a logit for each action of the game, and the
// value for the player to move. Logits of illegal actions are not read.
func (t *Tree) Expand(logits []float32, value float32) {
	t.judged++
	leaf := &t.nodes[t.leaf]
	leaf.first, leaf.count, leaf.value = int32(len(t.edges)), int32(len(t.legal)), value
	highest := float32(math.Inf(-1))
	for _, a := range t.legal {
		highest = max(highest, logits[a])
	}
	sum := 0.0
	for _, a := range t.legal {
		logit := logits[a] - highest
		p := math.Exp(float64(logit))
		sum += p
		t.edges = append(t.edges, edge{action: a, child: unvisited, logit: logit, prior: float32(p)})
	}
	for i := range t.edges[leaf.first:] {
		t.edges[int(leaf.first)+i].prior /= float32(sum)
	}
	if t.leaf == 0 {
		t.startRoot()
		return
	}
	t.backUp(value, leaf.state.Player)
}

// Judged returns how many positions the search has had judged. A search that is begun anew from the same position, with
// equal noise, is the same again once it has had as many.
func (t *Tree) Judged() int { return t.judged }

// edgesOf returns the edges of a node.
func (t *Tree) edgesOf(n *node) []edge { return t.edges[n.first : n.first+n.count] }

// descend runs one simulation. It reports whether it ended in a leaf that needs the network; a simulation that ends in a
// known result is complete.
func (t *Tree) descend() bool {
	t.path = t.path[:0]
	at := int32(0)
	for {
		n := &t.nodes[at]
		if n.known {
			t.backUp(n.value, n.state.Player)
			return false
		}
		if n.count == 0 {
			t.leaf = at
			return true
		}
		var chosen int
		switch {
		case at == 0:
			chosen = t.selectRoot()
		case t.config.Kind == Gumbel:
			chosen = t.selectGumbel(n)
		default:
			chosen = t.selectPUCT(n)
		}
		index := n.first + int32(chosen)
		t.path = append(t.path, visit{at, index})
		if at = t.edges[index].child; at == unvisited {
			at = t.grow(n, index)
		}
	}
}

// grow makes the node behind an edge: the next position in which there is a choice, whose legal actions it lists, or the end
// of the game.
func (t *Tree) grow(parent *node, index int32) int32 {
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{state: parent.state})
	t.edges[index].child = at
	child := &t.nodes[at]
	action := t.edges[index].action
	for {
		if _, err := t.game.Play(&child.state, action); err != nil {
			panic("search: a legal action was refused: " + err.Error())
		}
		if margin, ok := t.result(&child.state); ok {
			child.value, child.known = t.utility(margin), true
			return at
		}
		if t.legal = t.game.AppendLegal(t.legal[:0], &child.state); len(t.legal) > 1 {
			return at
		}
		action = t.legal[0]
	}
}

// result returns the final margin for the player to move, where it is known.
func (t *Tree) result(s *mancala.State) (margin int, ok bool) {
	if s.Over() {
		return mancala.Margin(t.game, s, s.Player), true
	}
	if t.Known != nil {
		return t.Known(s)
	}
	return 0, false
}

// backUp adds the value of a simulation, for player p, to the edges on its path.
func (t *Tree) backUp(value float32, p mancala.Player) {
	for _, v := range t.path {
		n, e := &t.nodes[v.node], &t.edges[v.edge]
		n.total++
		e.visits++
		if n.state.Player == p {
			e.sum += value
		} else {
			e.sum -= value
		}
	}
	t.simulations++
}

// softmax turns scores into probabilities in place.
func softmax(scores []float64) {
	highest := math.Inf(-1)
	for _, s := range scores {
		highest = max(highest, s)
	}
	sum := 0.0
	for i, s := range scores {
		scores[i] = math.Exp(s - highest)
		sum += scores[i]
	}
	for i := range scores {
		scores[i] /= sum
	}
}

// scratch returns memory for n scores, which the caller writes.
func (t *Tree) scratch(n int) []float64 {
	if cap(t.scores) < n {
		t.scores = make([]float64, n)
	}
	return t.scores[:n]
}
