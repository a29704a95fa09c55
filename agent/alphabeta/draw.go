package alphabeta

import (
	"context"
	"math/rand/v2"
	"time"

	"kiothi/env/mancala"
)

// This file draws the openings of self-play.

// DrawTurn returns a complete opening turn of the player to move, drawn at random: one in five spreads its seeds, the others
// heap them up in one to four pits, as strong openings do. Polished, it is then improved by the evaluation as long as moving
// seeds improves it.
func (p *Player) DrawTurn(ctx context.Context, state *mancala.State, rng *rand.Rand, polished bool) []mancala.Action {
	turn := drawTurn(p.game, state, rng)
	if polished {
		turn = p.PolishTurn(ctx, state, turn, rng)
	}
	return turn
}

// PolishTurn returns a complete opening turn of the player to move that moving single seeds cannot improve, found from
// another one by the evaluation.
func (p *Player) PolishTurn(ctx context.Context, state *mancala.State, turn []mancala.Action, rng *rand.Rand) []mancala.Action {
	s := p.idle.Take()
	defer p.idle.Give(s)
	s.reset(ctx, Limits{Depth: 1}, time.Time{})
	return s.polish(state, turn, rng)
}
