package solve

import (
	"context"
	"errors"

	"kiothi/env/mancala"
)

// This file counts what a search spends, and ends it.

// ErrNodes is why a search ended that has used up its nodes.
var ErrNodes = errors.New("the number of positions to search is used up")

// pollEvery is the number of nodes between two looks at the context.
const pollEvery = 1024

// begin begins a search of at most the given number of nodes, 0 for any.
func (s *Solver) begin(ctx context.Context, nodes uint64) {
	s.ctx, s.pollAt, s.end, s.stopped = ctx, s.nodes, 0, nil
	if nodes > 0 {
		s.end = s.nodes + nodes
	}
}

// poll tells how far the search is, and sees whether it has to end.
func (s *Solver) poll() {
	s.now.Nodes, s.now.Claims = s.nodes, len(s.claims.list)
	if s.progress != nil {
		s.progress(s.now)
	}
	if err := s.ctx.Err(); err != nil {
		s.stopped = err
	}
	s.pollAt = s.nodes + pollEvery
	if s.end > 0 {
		if s.nodes >= s.end {
			s.stopped = ErrNodes
		}
		s.pollAt = min(s.pollAt, s.end)
	}
}

// play plays a legal action, and counts it.
func (s *Solver) play(state *mancala.State, a mancala.Action) {
	s.nodes++
	mancala.MustPlay(s.game, state, a)
}
