package alphabeta

import (
	"context"
	"time"

	"kiothi/env/mancala"
)

// This file is the search of a sowing position: principal variation search (Marsland and Campbell, Computing Surveys
// 14(4), 1982) with late moves reduced.

// MaxDepth is the largest depth of a search, in turns.
const MaxDepth = 64

// A searcher searches one position at a time. All its memory is of fixed size; a search allocates nothing.
type searcher struct {
	game   mancala.Game
	eval   *evaluator
	table  *table
	plain  bool // search every move to the full depth, and use only entries of just that depth: for tests
	limits Limits

	futile    int32  // margin for each turn to go with which a position is too good to be searched
	clockFrom uint16 // the clock from which it is part of keys
	killers   [MaxDepth + 1][2]mancala.Action
	history   [2][]int32       // by player and action: how often, weighted by depth, the action was too good for the enemy
	children  []child          // of the positions from the root to the one that is searched, one list after the other
	legal     []mancala.Action // scratch, as is next
	next      mancala.State

	nodes     uint64 // positions that a turn was played to reach
	pollAt    uint64 // the number of nodes at which to look at the limits again
	ctx       context.Context
	deadline  time.Time
	stopped   bool
	rootBest  mancala.Action // of the iteration under way, noAction before its first move is searched
	rootScore int32
}

// A child is a position after a move.
type child struct {
	state  mancala.State
	action mancala.Action
	order  int32 // the higher, the sooner it is searched
	score  int32 // of the state, as its player to move sees it: by the evaluation, or as it is known
	known  bool
}

// newSearcher returns a searcher for a game.
func newSearcher(g mancala.Game, e *evaluator, hash int) *searcher {
	s := &searcher{
		game: g, eval: e, table: newTable(hash), futile: futileMargin,
		children: make([]child, (MaxDepth+1)*mancala.MaxSeeds),
		legal:    make([]mancala.Action, 0, g.Actions()),
	}
	for p := range s.history {
		s.history[p] = make([]int32, g.Actions())
	}
	if e.network != nil {
		s.futile = futileNetworkMargin
	}
	if limit := g.ClockLimit(); limit > MaxDepth {
		s.clockFrom = uint16(limit - MaxDepth)
	}
	return s
}

// reset forgets everything that an earlier search found, and begins to count its limits; its time began before.
func (s *searcher) reset(ctx context.Context, l Limits, began time.Time) {
	s.table.clear()
	for i := range s.killers {
		s.killers[i] = [2]mancala.Action{noAction, noAction}
	}
	clear(s.history[0])
	clear(s.history[1])
	s.ctx, s.limits, s.nodes, s.stopped = ctx, l, 0, false
	s.deadline = time.Time{}
	if l.Time > 0 {
		s.deadline = began.Add(l.Time)
	}
	s.pollAt = 0
}

// pollEvery is the number of nodes between two looks at the clock.
const pollEvery = 256

// poll sees whether a limit is reached.
func (s *searcher) poll() {
	switch {
	case s.ctx.Err() != nil:
		s.stopped = true
	case s.limits.Nodes > 0 && s.nodes >= s.limits.Nodes:
		s.stopped = true
	case s.limits.Time > 0 && !time.Now().Before(s.deadline):
		s.stopped = true
	}
	s.pollAt = s.nodes + pollEvery
	if s.limits.Nodes > s.nodes {
		s.pollAt = min(s.pollAt, s.limits.Nodes)
	}
}

// halve lets the search stop at half of what is left of its limits of nodes and time. It returns the whole, for resume.
func (s *searcher) halve() (whole searchLimits) {
	whole = searchLimits{s.limits.Nodes, s.deadline}
	s.limits.Nodes = (s.limits.Nodes + 1) / 2
	if s.limits.Time > 0 {
		s.deadline = s.deadline.Add(-time.Until(s.deadline) / 2)
	}
	return whole
}

// resume lets the search go on to the whole of its limits.
func (s *searcher) resume(whole searchLimits) {
	s.limits.Nodes, s.deadline = whole.nodes, whole.deadline
	s.stopped = false
	s.poll()
}

// searchLimits are the limits that a search counts down to.
type searchLimits struct {
	nodes    uint64
	deadline time.Time
}

// iterate searches a position deeper and deeper until a limit is reached. It returns the best action, its score, and the
// depth that was completed. The first depth is always completed, unless the context has ended.
func (s *searcher) iterate(root *mancala.State) (best mancala.Action, score int32, depth int) {
	last := MaxDepth
	if s.limits.Depth > 0 {
		last = min(s.limits.Depth, MaxDepth)
	}
	best = noAction
	for d := 1; d <= last; d++ {
		found := s.aspire(root, d, score)
		if s.stopped {
			// What an unfinished iteration found counts: it began with the best move of the one before.
			if s.rootBest != noAction {
				best, score = s.rootBest, s.rootScore
			}
			break
		}
		best, score, depth = s.rootBest, found, d
		if s.pollAt <= s.nodes {
			s.poll()
		}
		if s.stopped {
			break
		}
	}
	return best, score, depth
}

// aspire searches the root to a depth within a window around the score of the depth before, and widens it where the score
// lies outside.
func (s *searcher) aspire(root *mancala.State, depth int, guess int32) int32 {
	alpha, beta := int32(-infinite), int32(infinite)
	margin := int32(cents)
	if depth > 3 {
		alpha, beta = max(guess-margin, -infinite), min(guess+margin, infinite)
	}
	for {
		s.rootBest = noAction
		score := s.search(root, 0, depth, alpha, beta, 0, unjudged)
		switch {
		case s.stopped:
			return score
		case score <= alpha && alpha > -infinite:
			alpha = max(score-margin, -infinite)
		case score >= beta && beta < infinite:
			beta = min(score+margin, infinite)
		default:
			return score
		}
		if margin *= 4; margin > won {
			alpha, beta = -infinite, infinite
		}
	}
}

// With two or three turns to go, a position is not searched when its evaluation, less a margin for each of these turns, is
// still too good for the enemy. At depth 1 the search is as cheap as the guess.
//
// The margin is as wide as the evaluation errs. Matches at equal nodes chose the one of a network, which errs less.
const (
	futileDepth         = 3
	futileMargin        = 150
	futileNetworkMargin = 100
)

// unjudged stands for the evaluation of a position that has not been evaluated yet.
const unjudged = -infinite - 1

// search returns the score of a position that is not over, at depth 1 or more: exact between alpha and beta, and else a
// bound on its side of them. top is where the free part of children begins, and guess the position's evaluation.
func (s *searcher) search(state *mancala.State, ply, depth int, alpha, beta int32, top int, guess int32) int32 {
	if s.nodes >= s.pollAt && ply > 0 {
		s.poll()
	}
	if s.stopped {
		return 0
	}
	// No line leads beyond what is left on the board.
	low, high := limits(state)
	if best := decided(high); best <= alpha && ply > 0 {
		return best
	}
	if worst := decided(low); worst >= beta && ply > 0 {
		return worst
	}

	key := keyOf(state, s.clockFrom)
	tableMove := noAction
	if e := s.table.find(key); e != nil {
		tableMove = e.action()
		if ply > 0 && (e.depth() == depth || e.depth() > depth && !s.plain) {
			score := e.score()
			switch what := e.bound(); {
			case what == exact, what == atLeast && score >= beta, what == atMost && score <= alpha:
				return score
			}
		}
	}
	if depth == 1 {
		return s.frontier(state, ply, alpha, beta, key, tableMove)
	}

	if ply > 0 && depth <= futileDepth && beta-alpha == 1 && !s.plain && -won < beta && beta < won {
		if guess == unjudged {
			guess = s.eval.of(state)
		}
		if guess-s.futile*int32(depth) >= beta {
			return guess
		}
	}

	mover := state.Player
	best, bestMove := int32(-infinite), noAction
	before := alpha
	n := s.expand(state, ply, top, tableMove)
	list := s.children[top : top+n]
	for i := range list {
		pick(list[i:])
		c := &list[i]
		flips := c.state.Player != mover
		var score int32
		if i == 0 {
			score = s.after(c, ply, depth-1, alpha, beta, top+n, flips)
		} else {
			reduced := depth - 1 - s.reduction(depth, i)
			score = s.after(c, ply, reduced, alpha, alpha+1, top+n, flips)
			if score > alpha && reduced < depth-1 {
				score = s.after(c, ply, depth-1, alpha, alpha+1, top+n, flips)
			}
			if score > alpha && score < beta {
				score = s.after(c, ply, depth-1, alpha, beta, top+n, flips)
			}
		}
		if s.stopped {
			return 0
		}
		if score > best {
			best, bestMove = score, c.action
			if ply == 0 && (score > before || i == 0) {
				s.rootBest, s.rootScore = bestMove, score
			}
			alpha = max(alpha, score)
			if alpha >= beta {
				s.reward(mover, ply, depth, c.action)
				break
			}
		}
	}
	s.remember(key, bestMove, best, depth, before, beta)
	return best
}

// reduction returns by how many turns less the i-th move of a position is searched at first.
func (s *searcher) reduction(depth, i int) int {
	switch {
	case s.plain || depth < 3 || i < 2:
		return 0
	case i < 5 || depth < 4:
		return 1
	}
	return 2
}

// after returns the score of the position after a move, as the player who made it sees it.
func (s *searcher) after(c *child, ply, depth int, alpha, beta int32, top int, flips bool) int32 {
	done := c.known || depth <= 0
	switch {
	case done && flips:
		return -c.score
	case done:
		return c.score
	case flips:
		return -s.search(&c.state, ply+1, depth, -beta, -alpha, top, c.score)
	}
	return s.search(&c.state, ply+1, depth, alpha, beta, top, c.score)
}

// frontier searches a position to depth 1.
func (s *searcher) frontier(state *mancala.State, ply int, alpha, beta int32, key uint64, first mancala.Action) int32 {
	s.legal = s.game.AppendLegal(s.legal[:0], state)
	legal := s.legal
	// The moves that were too good elsewhere come first, for they may be so here.
	front := 0
	for _, a := range [3]mancala.Action{first, s.killers[ply][0], s.killers[ply][1]} {
		for i := front; i < len(legal); i++ {
			if legal[i] == a {
				legal[i], legal[front] = legal[front], a
				front++
				break
			}
		}
	}
	best, bestMove := int32(-infinite), noAction
	before := alpha
	next := &s.next
	for _, a := range legal {
		*next = *state
		s.play(next, a)
		score := s.eval.of(next)
		if next.Player != state.Player {
			score = -score
		}
		if score > best {
			best, bestMove = score, a
			if alpha = max(alpha, score); alpha >= beta {
				break
			}
		}
	}
	if ply == 0 {
		s.rootBest, s.rootScore = bestMove, best
	}
	if best >= beta && s.killers[ply][0] != bestMove {
		s.killers[ply] = [2]mancala.Action{bestMove, s.killers[ply][0]}
	}
	s.remember(key, bestMove, best, 1, before, beta)
	return best
}

// play plays a legal action, and counts it.
func (s *searcher) play(state *mancala.State, a mancala.Action) {
	s.nodes++
	mancala.MustPlay(s.game, state, a)
}

// remember stores the result of a search between two bounds.
func (s *searcher) remember(key uint64, a mancala.Action, score int32, depth int, alpha, beta int32) {
	what := exact
	switch {
	case score <= alpha:
		what, a = atMost, noAction
	case score >= beta:
		what = atLeast
	}
	s.table.store(key, a, score, depth, what)
}
