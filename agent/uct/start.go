package uct

import (
	"context"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file is the player that follows a game: a search begins with what the one before found about the moves that were
// played since.

var _ agent.Starter = (*Player)(nil)

const (
	// maxKept bounds what a player keeps from one search to the next, in nodes. It is less than a tree, because a match
	// may have hundreds of games under way, whose players share their trees but not this.
	maxKept = 1 << 17
	// maxVisits is the number of visits beyond which what was found is dropped, so that no count overflows.
	maxVisits = 1 << 30
)

// Start implements agent.Starter. Each of its searches makes as many simulations, or takes as long, as without memory.
func (p *Player) Start() agent.Agent { return &seat{player: p} }

// A seat is a player in one seat of one game.
type seat struct {
	player *Player
	found  []node        // the tree behind the player's last action, empty before the first
	at     mancala.State // the position at its root
}

// Choose implements agent.Agent.
func (s *seat) Choose(ctx context.Context, state *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	began := time.Now()
	p := s.player
	if best, ok := p.known(state); ok {
		s.found = s.found[:0]
		return best, ctx.Err()
	}
	t := p.idle.Take()
	defer p.idle.Give(t)
	if at := s.find(state); at >= 0 && s.found[at].visits <= maxVisits {
		t.resume(state, s.found, at, rng)
	} else {
		t.reset(state, rng)
	}
	s.found = s.found[:0]
	if root := t.nodes[0]; root.count != 1 {
		if _, err := p.search(ctx, t, state, began); err != nil {
			return 0, err
		}
	}
	best := t.best()
	s.found = appendSubtree(s.found, t.nodes, best, maxKept)
	s.at = *state
	mancala.MustPlay(t.game, &s.at, t.nodes[best].action)
	return t.nodes[best].action, ctx.Err()
}

// find returns the node of a position: the root, when it is the same player's turn still, or the most visited of the
// enemy's actions that lead to it; -1 when there is none.
func (s *seat) find(state *mancala.State) int32 {
	switch {
	case len(s.found) == 0:
		return -1
	case s.at == *state:
		return 0
	}
	root := s.found[0]
	best := int32(-1)
	for i := root.first; i < root.first+root.count; i++ {
		next := s.at
		mancala.MustPlay(s.player.game, &next, s.found[i].action)
		if next == *state && (best < 0 || s.found[i].visits > s.found[best].visits) {
			best = i
		}
	}
	return best
}
