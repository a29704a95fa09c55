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
	first int32 // its edges are edges[first : first+count]
	count int32 // 0 where the game is over or Known says its result
	total int32 // visits of all its edges together
	under int32 // simulations under way through it
	// value is the utility for the player to move: the network's, or the result's where there are no edges.
	value  float32
	bounds      // what is proven of the result, for the player to move
	judged bool // the edges have the network's logits
}

// An edge is a legal action of a node.
type edge struct {
	action int16   // a mancala.Action
	under  int16   // simulations under way, which are not in visits yet
	child  int32   // the node it leads to, or unvisited
	visits int32   // N
	sum    float32 // sum of the values of its visits, for the player to move in the node
	logit  float32 // the network's, relative to the largest of the node
	prior  float32 // π: softmax of the logits over the legal actions
	bounds         // what is proven of the result, for the player to move in the node
}

const unvisited = -1

// valued reports whether an edge has a value of its own.
func (e *edge) valued() bool { return e.visits > 0 || e.known() }

// q returns the value of an edge that has one: the mean of its visits, as far as it is not proven to be another.
func (e *edge) q() float64 {
	if e.known() {
		return float64(e.low)
	}
	return min(max(float64(e.sum)/float64(e.visits), float64(e.low)), float64(e.high))
}

// tries returns the visits of an edge, those under way included.
func (e *edge) tries() int32 { return e.visits + int32(e.under) }

// visit is a step of a simulation.
type visit struct{ node, edge int32 }

// A Tree searches one position at a time. Its memory is kept from one search to the next. It is not safe for concurrent
// use.
type Tree struct {
	game    mancala.Game
	config  *Config
	utility [2*mancala.MaxSeeds + 1]float32 // of a finished game, by margin
	// Known, if not nil, tells the final margin for the player to move of positions that are not over. Where it does, the
	// search goes no further. It is not asked about the root.
	Known func(s *mancala.State) (margin int, ok bool)

	nodes []node
	edges []edge
	twins twins

	waiting []simulation // for the network's judgement, in the order of Select
	paths   []simulation // memory for more of them

	simulations int // so far, the root's own judgement not counted
	budget      int
	judged      int        // positions that Expand was given, the root included
	decided     bool       // more simulations cannot change the action to play
	noise       *rand.Rand // nil: none
	root        rootState

	legal  []mancala.Action
	scores []float64 // see scratch
	spare  subtree
}

// A simulation is a way from the root to a leaf.
type simulation struct {
	path []visit
	leaf int32
}

// Unlimited is a number of simulations for Reset: the search goes on for as long as the caller likes. Gumbel search then
// chooses at the root as it does below it, because the halving of actions needs to know the end.
const Unlimited = math.MaxInt

// NewTree returns a tree for positions of a game. utility gives the value, in [-1, 1], of a finished game to the player
// who won by the margin; it is odd.
func NewTree(g mancala.Game, c *Config, utility func(margin int) float32) *Tree {
	t := &Tree{game: g, config: c}
	for m := -mancala.MaxSeeds; m <= mancala.MaxSeeds; m++ {
		t.utility[m+mancala.MaxSeeds] = utility(m)
	}
	return t
}

// Reset starts the search of a position that is not over, with a number of simulations. A nil noise searches
// deterministically, as in play that is to be strong; with a generator the root explores, as in self-play.
func (t *Tree) Reset(s *mancala.State, simulations int, noise *rand.Rand) {
	t.nodes, t.edges = t.nodes[:0], t.edges[:0]
	t.start(simulations, noise)
	if t.config.Twins {
		t.twins.fill(nil)
	}
	t.nodes = append(t.nodes, node{state: *s})
	t.bind(&t.nodes[0])
	t.legal = t.game.AppendLegal(t.legal[:0], s)
	t.addEdges(0)
}

// start prepares a search.
func (t *Tree) start(simulations int, noise *rand.Rand) {
	for len(t.waiting) > 0 {
		t.forget()
	}
	t.simulations, t.budget, t.judged, t.noise, t.decided = 0, simulations, 0, noise, false
}

// Select runs simulations up to the first whose leaf needs the network, and returns that leaf's position, valid until the
// next call of a method; an Expand must follow. It may be called again before, for leaves to be judged in one batch, which
// then are expanded in the order in which they were selected. It returns nil when the search is Done, or goes no further
// before an Expand; and in a search without a limit also after a while without such a leaf, for the caller to look at the clock.
func (t *Tree) Select() *mancala.State {
	if root := &t.nodes[0]; !root.judged {
		if len(t.waiting) > 0 {
			return nil
		}
		t.begin().leaf = 0
		return &root.state
	}
	for n := 0; t.simulations+len(t.waiting) < t.budget && !t.decided; n++ {
		if n == atOnce && t.budget == Unlimited {
			return nil
		}
		s := t.begin()
		switch t.descend(s) {
		case needsJudgement:
			t.mark(s, 1)
			return &t.nodes[s.leaf].state
		case blocked:
			t.forget()
			return nil
		}
		t.backUp(s)
		t.forget()
	}
	return nil
}

// atOnce is the largest number of simulations of a call of Select in a search without a limit. Where nearly all positions are
// known, or in the tree already, very many may need no network.
const atOnce = 256

// Done reports whether the search is complete: all simulations are made, or more of them cannot change the action to play.
func (t *Tree) Done() bool { return t.nodes[0].judged && (t.decided || t.simulations >= t.budget) }

// begin makes a simulation, the last of those that wait.
func (t *Tree) begin() *simulation {
	if n := len(t.paths); n > 0 {
		t.waiting = append(t.waiting, t.paths[n-1])
		t.paths = t.paths[:n-1]
	} else {
		t.waiting = append(t.waiting, simulation{})
	}
	s := &t.waiting[len(t.waiting)-1]
	s.path = s.path[:0]
	return s
}

// forget takes back the last simulation.
func (t *Tree) forget() {
	last := len(t.waiting) - 1
	t.paths = append(t.paths, t.waiting[last])
	t.waiting = t.waiting[:last]
}

// mark adds to the simulations under way on the path of one.
func (t *Tree) mark(s *simulation, n int16) {
	for _, v := range s.path {
		t.nodes[v.node].under += int32(n)
		t.edges[v.edge].under += n
	}
}

// Expand takes the network's judgement of the position that Select returned, of the first that has none yet: a logit for each
// action of the game, and the value for the player to move. Logits of illegal actions are not read.
func (t *Tree) Expand(logits []float32, value float32) {
	t.judged++
	s := t.waiting[0]
	leaf := &t.nodes[s.leaf]
	leaf.value, leaf.judged = value, true
	edges := t.edgesOf(leaf)
	highest := float32(math.Inf(-1))
	for i := range edges {
		highest = max(highest, logits[edges[i].action])
	}
	sum := 0.0
	for i := range edges {
		e := &edges[i]
		e.logit = logits[e.action] - highest
		p := math.Exp(float64(e.logit))
		sum += p
		e.prior = float32(p)
	}
	for i := range edges {
		edges[i].prior /= float32(sum)
	}
	t.mark(&s, -1)
	copy(t.waiting, t.waiting[1:])
	t.waiting[len(t.waiting)-1] = s
	if s.leaf == 0 {
		t.startRoot()
		t.decided = t.config.Proofs && t.settled()
	} else {
		t.backUp(&s)
	}
	t.forget()
	if t.config.Twins {
		t.twins.add(t.nodes, s.leaf)
	}
}

// Judged returns how many positions the search has had judged. A search that is begun anew from the same position, with
// equal noise, is the same again once it has had as many.
func (t *Tree) Judged() int { return t.judged }

// Simulations returns how many simulations the search has made.
func (t *Tree) Simulations() int { return t.simulations }

// Size returns the number of positions in the tree.
func (t *Tree) Size() int { return len(t.nodes) }

// edgesOf returns the edges of a node.
func (t *Tree) edgesOf(n *node) []edge { return t.edges[n.first : n.first+n.count] }

// An outcome is how a simulation ended.
type outcome uint8

const (
	complete       outcome = iota // in a position whose value is there
	needsJudgement                // in a position that the network must judge
	blocked                       // in a position that is waiting for the network's judgement
)

// descend goes down the tree to a leaf.
func (t *Tree) descend(s *simulation) outcome {
	at := int32(0)
	for {
		n := &t.nodes[at]
		s.leaf = at
		if n.known() {
			return complete
		}
		if !n.judged {
			return blocked
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
		s.path = append(s.path, visit{at, index})
		if at = t.edges[index].child; at == unvisited {
			s.leaf = t.grow(n, index)
			if leaf := &t.nodes[s.leaf]; leaf.judged || leaf.known() {
				return complete
			}
			return needsJudgement
		}
	}
}

// bind gives a new node the bounds that its position has by itself.
func (t *Tree) bind(n *node) {
	if n.bounds = unbounded; t.config.Proofs {
		n.bounds = t.reach(&n.state)
	}
}

// addEdges gives a node its edges, those of t.legal.
func (t *Tree) addEdges(at int32) {
	n := &t.nodes[at]
	n.first, n.count = int32(len(t.edges)), int32(len(t.legal))
	for _, a := range t.legal {
		t.edges = append(t.edges, edge{action: int16(a), child: unvisited, bounds: n.bounds})
	}
}

// grow makes the node behind an edge: the next position in which there is a choice, with its legal actions, or one whose
// result is known.
func (t *Tree) grow(parent *node, index int32) int32 {
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, node{state: parent.state})
	t.edges[index].child = at
	child := &t.nodes[at]
	action := mancala.Action(t.edges[index].action)
	for {
		mancala.MustPlay(t.game, &child.state, action)
		if margin, ok := t.result(&child.state); ok {
			child.value = t.utility[margin+mancala.MaxSeeds]
			child.bounds = bounds{child.value, child.value}
			return at
		}
		if t.legal = t.game.AppendLegal(t.legal[:0], &child.state); len(t.legal) > 1 {
			break
		}
		action = t.legal[0]
	}
	if t.bind(child); child.known() {
		child.value = child.low
		return at
	}
	if t.config.Twins {
		if twin := t.twins.find(t.nodes, &child.state); twin >= 0 {
			t.copyTwin(at, twin)
			return at
		}
	}
	t.addEdges(at)
	return at
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

// backUp adds the value of a simulation's leaf, and what is proven of it, to the edges on its path.
func (t *Tree) backUp(s *simulation) {
	child := &t.nodes[s.leaf]
	value := child.value
	for i := len(s.path) - 1; i >= 0; i-- {
		n, e := &t.nodes[s.path[i].node], &t.edges[s.path[i].edge]
		proven := bounds{child.low, child.high}
		if n.state.Player != child.state.Player {
			value, proven = -value, proven.turned()
		}
		if t.config.Proofs {
			t.prove(n, e, proven)
			e.sum += e.bounds.clamp(value)
			value = n.bounds.clamp(value)
		} else {
			e.sum += value
		}
		e.visits++
		n.total++
		child = n
	}
	t.simulations++
	if t.config.Proofs {
		t.decided = t.settled()
	}
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
