package zero

import (
	"context"
	"math"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// A Policy plays the network's policy without a search. It implements agent.Batch.
type Policy struct {
	player      *Player
	temperature float64
}

// NewPolicy returns a policy: its most likely action at temperature 0, otherwise one drawn with the probability to the
// power 1/temperature. It shares the player's network and closes with it.
func NewPolicy(p *Player, temperature float64) *Policy { return &Policy{p, temperature} }

// Choose implements agent.Agent.
func (p *Policy) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	var action [1]mancala.Action
	err := p.ChooseBatch(ctx, []mancala.State{*s}, []*rand.Rand{rng}, action[:])
	return action[0], err
}

// ChooseBatch implements agent.Batch.
func (p *Policy) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error {
	for len(states) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(states), p.player.config.Batch)
		b, err := p.player.take(n)
		if err != nil {
			return err
		}
		for i := range n {
			b.evaluator.Put(i, &states[i])
		}
		if err = b.evaluator.Evaluate(n); err == nil {
			for i := range n {
				b.legal = p.player.game.AppendLegal(b.legal[:0], &states[i])
				actions[i] = p.draw(b.evaluator.Policy(i), b.legal, rngs[i])
			}
		}
		p.player.giveBack(b)
		if err != nil {
			return err
		}
		states, rngs, actions = states[n:], rngs[n:], actions[n:]
	}
	return nil
}

// draw chooses among the legal actions by their logits.
func (p *Policy) draw(logits []float32, legal []mancala.Action, rng *rand.Rand) mancala.Action {
	best := legal[0]
	for _, a := range legal {
		if logits[a] > logits[best] {
			best = a
		}
	}
	if p.temperature == 0 {
		return best
	}
	weight := func(a mancala.Action) float64 { return math.Exp(float64(logits[a]-logits[best]) / p.temperature) }
	sum := 0.0
	for _, a := range legal {
		sum += weight(a)
	}
	u := rng.Float64() * sum
	for _, a := range legal {
		if u -= weight(a); u < 0 {
			return a
		}
	}
	return best
}

// Close implements io.Closer.
func (p *Policy) Close() error { return p.player.Close() }
