// Package scripted holds the players without a tree and without learning: the fixed points against which everything else
// is measured. They are random and greedy; both open at random.
package scripted

import (
	"context"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{
		{
			Name: "random",
			Doc:  "Plays any legal move, each equally likely.",
			New:  func(g mancala.Game, _ agent.Spec) (agent.Agent, error) { return Random{g}, nil },
		},
		{
			Name: "greedy",
			Doc:  "Plays the move that wins the most seeds at once, ties at random; opens at random.",
			New:  func(g mancala.Game, _ agent.Spec) (agent.Agent, error) { return Greedy{g}, nil },
		},
	}
}

// typicalLegal is a capacity that holds the legal actions of nearly every state.
const typicalLegal = 64

// Random plays every legal action of a sowing turn with the same probability. In the opening, that would spread the seeds
// badly: actions are ordered, so uniform single actions crowd into the last pits. There it makes every choice of lifted
// pits equally likely, and after it every distinct way to place the seeds.
type Random struct{ Game mancala.Game }

// Choose implements agent.Agent.
func (r Random) Choose(_ context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	legal := r.Game.AppendLegal(make([]mancala.Action, 0, typicalLegal), s)
	if s.Phase != mancala.Sow {
		return openingAction(r.Game, s, legal, rng), nil
	}
	return legal[rng.IntN(len(legal))], nil
}

// Greedy plays the sowing turn that puts the most seeds into its own store, before any sweep at the end of the game. Among
// equals it chooses at random. The opening it plays like Random.
type Greedy struct{ Game mancala.Game }

// Choose implements agent.Agent.
func (gr Greedy) Choose(_ context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	legal := gr.Game.AppendLegal(make([]mancala.Action, 0, typicalLegal), s)
	if s.Phase != mancala.Sow {
		return openingAction(gr.Game, s, legal, rng), nil
	}
	best, ties := -1, 0
	var choice mancala.Action
	var next mancala.State // outside the loop, because each one would be an allocation
	for _, a := range legal {
		next = *s
		turn, err := gr.Game.Play(&next, a)
		if err != nil {
			return 0, err
		}
		gain := int(turn.Captured[s.Player])
		if gain > best {
			best, ties = gain, 0
		}
		if gain == best {
			// The n-th of equals replaces the choice with probability 1/n, which makes all n equally likely.
			if ties++; rng.IntN(ties) == 0 {
				choice = a
			}
		}
	}
	return choice, nil
}
