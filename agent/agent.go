// Package agent says what can choose a move, and how a player is named in text.
//
// An Agent answers one question, what to do in a state; a Batch agent answers it for many games at once. A Kind makes
// agents of one sort from a Spec such as "zero:runs/first,sims=64"; the program lists the Kinds that it offers, so that
// this package knows no concrete agent.
package agent

import (
	"context"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// This file is the contract between an agent and everything that asks it for moves.

// An Agent chooses what the player to move does. It is made for one game and rule set, keeps no memory of the games it
// plays, and is safe for concurrent use. An agent that also is an io.Closer is closed after its last use.
type Agent interface {
	// Choose returns an action that is legal in s, which is not over. It is one action: a turn of the opening takes
	// several calls. All chance is drawn from rng, so that equal states and sources give equal actions. When ctx ends
	// before there is an answer, Choose returns an error that wraps ctx.Err().
	Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error)
}

// A Batch is an agent that answers many games at once, as one network call for all of them.
type Batch interface {
	Agent
	// ChooseBatch fills actions[i] with the action for states[i], drawing chance for it from rngs[i] alone; the three
	// slices have the same length. The answer for a game does not depend on the other games in the batch.
	ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error
}
