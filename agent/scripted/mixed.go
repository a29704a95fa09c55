package scripted

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file is a player that now and then plays at random, for varied games.

// WithMixed returns the kinds and one more: a player of any of them that plays a share of its actions at random.
func WithMixed(kinds agent.Kinds) agent.Kinds {
	return append(kinds[:len(kinds):len(kinds)], agent.Kind{
		Name: "mixed", Argument: "AGENT",
		Doc:     "Plays as another agent, a share of its actions at random; commas in AGENT are written twice.",
		Options: []agent.Option{{Name: "eps", Default: "0.1", Doc: "share of random actions, 0 to 1"}},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			eps, err := spec.Float("eps", 0.1, 0, 1)
			if err != nil {
				return nil, err
			}
			if inner, err := agent.ParseSpec(spec.Argument); err == nil && inner.Name == spec.Name {
				return nil, &agent.SpecError{Text: spec.Text, Err: fmt.Errorf("it mixes another agent with chance, which cannot be %s itself", spec.Name)}
			}
			inner, err := kinds.Open(g, spec.Argument)
			if err != nil {
				return nil, err
			}
			return NewMixed(g, inner, eps), nil
		},
	})
}

// NewMixed returns an agent that plays as inner does, but with probability eps as Random. It answers batches when inner
// does, and closes inner when it is closed.
func NewMixed(g mancala.Game, inner agent.Agent, eps float64) agent.Agent {
	m := mixed{Random{g}, inner, eps}
	if batch, ok := inner.(agent.Batch); ok {
		return mixedBatch{m, batch}
	}
	return m
}

type mixed struct {
	random Random
	inner  agent.Agent
	eps    float64
}

// Choose implements agent.Agent.
func (m mixed) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if rng.Float64() < m.eps {
		return m.random.Choose(ctx, s, rng)
	}
	return m.inner.Choose(ctx, s, rng)
}

// Close closes the inner agent, if it wants to be.
func (m mixed) Close() error { return agent.Close(m.inner) }

// mixedBatch is mixed around an agent.Batch.
type mixedBatch struct {
	mixed
	batch agent.Batch
}

// ChooseBatch implements agent.Batch. The inner agent is asked for all games but those in which chance decides.
func (m mixedBatch) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error {
	var at []int
	var asked []mancala.State
	var sources []*rand.Rand
	for i := range states {
		if rngs[i].Float64() < m.eps {
			a, err := m.random.Choose(ctx, &states[i], rngs[i])
			if err != nil {
				return err
			}
			actions[i] = a
			continue
		}
		at, asked, sources = append(at, i), append(asked, states[i]), append(sources, rngs[i])
	}
	if len(at) == 0 {
		return ctx.Err()
	}
	answers := make([]mancala.Action, len(at))
	if err := m.batch.ChooseBatch(ctx, asked, sources, answers); err != nil {
		return err
	}
	for i, to := range at {
		actions[to] = answers[i]
	}
	return nil
}
