package agent

import (
	"context"

	"kiothi/env/mancala"
)

// This file is what an agent that judges positions can say about one.

// Advice is what an agent makes of a position, from the side of its player to move.
type Advice struct {
	Win, Draw, Loss float64          // chances, which add up to 1
	Margin          float64          // expected final margin, in seeds
	Line            []mancala.Action // the action that the agent would choose, and how it expects the game to go on
	// Policy is how much each legal action is to be preferred, in the order of Game.AppendLegal. It adds up to 1. It is nil
	// where the agent weighs no actions.
	Policy []float64
	// Margins are the chances of final margins, in ascending order of these. They add up to 1. It is nil where the agent
	// expects none in particular.
	Margins []MarginChance
}

// A MarginChance is how likely a final margin is.
type MarginChance struct {
	Margin int // in seeds
	Chance float64
}

// An Adviser is an Agent that can say what it thinks of a position. Agents that only know a move are none.
type Adviser interface {
	Agent
	// Advise judges s, which is not over. Equal states get equal advice, and Line begins with what Choose answers where
	// that draws no chance. It returns an error that wraps ctx.Err() when ctx ends before there is an answer.
	Advise(ctx context.Context, s *mancala.State) (Advice, error)
}
