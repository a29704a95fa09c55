package alphabeta

import (
	"context"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file is the player that remembers a game.

var _ agent.Starter = (*Player)(nil)

// Start implements agent.Starter. The player that it returns plans a turn of the opening once, within the limits of one
// search, and then plays it to the end; the agent itself plans anew at each action of the turn, from what is done already.
func (p *Player) Start() agent.Agent { return &seat{player: p} }

// A seat is a player in one seat of one game.
type seat struct {
	player *Player
	rest   []mancala.Action // of the turn that is under way
	next   mancala.State    // in which the first of them is to be played
}

// Choose implements agent.Agent.
func (s *seat) Choose(ctx context.Context, state *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if state.Phase == mancala.Sow || state.Over() {
		return s.player.Choose(ctx, state, rng)
	}
	// What was planned is only good where it was planned for: whoever plays the game may have taken back a move.
	if len(s.rest) == 0 || s.next != *state {
		var err error
		if s.rest, err = s.player.PlanTurn(ctx, state, rng); err != nil {
			return 0, err
		}
	}
	action := s.rest[0]
	s.rest, s.next = s.rest[1:], *state
	mancala.MustPlay(s.player.game, &s.next, action)
	return action, ctx.Err()
}
