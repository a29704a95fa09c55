package uct

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file is the player: its settings, and an agent.Agent made of trees.

// Config holds the settings of a Player. Exactly one of them is set.
type Config struct {
	Simulations int           // an action, 1 to MaxSimulations
	Time        time.Duration // an action, by the clock
}

// MaxSimulations is the largest number of simulations of a search.
const MaxSimulations = 100_000_000

// A Player searches by UCT. It implements agent.Agent. Limited by simulations, it plays the same action in the same
// position with the same random source; for that, and because an agent remembers nothing of its games, no tree is carried
// from one action to the next.
type Player struct {
	game   mancala.Sampler
	config Config
	idle   *agent.Idle[*tree]
}

// New returns a player.
func New(g mancala.Game, c Config) (*Player, error) {
	sampler, ok := g.(mancala.Sampler)
	switch {
	case !ok:
		return nil, fmt.Errorf("the game %q cannot be played at random without a list of moves, which playouts need", g.Name())
	case (c.Simulations != 0) == (c.Time != 0):
		return nil, errors.New("expected exactly one of sims and movetime")
	case c.Simulations < 0 || c.Simulations > MaxSimulations || c.Time < 0:
		return nil, fmt.Errorf("%d simulations or %v a move, expected 1 to %d, or a positive time", c.Simulations, c.Time, MaxSimulations)
	}
	return &Player{game: sampler, config: c, idle: agent.NewIdle(func() *tree { return newTree(sampler) })}, nil
}

// An Analysis is what a search found.
type Analysis struct {
	Best        mancala.Action
	Value       float64 // mean result of the player to move, from -1 to 1
	Simulations int
}

// pollEvery is the number of simulations between two looks at the clock and the context.
const pollEvery = 64

// Analyse searches a position that is not over.
func (p *Player) Analyse(ctx context.Context, s *mancala.State, rng *rand.Rand) (Analysis, error) {
	if s.Over() {
		return Analysis{}, fmt.Errorf("uct: position %q is over", p.game.Format(s))
	}
	t := p.idle.Take()
	defer p.idle.Give(t)
	deadline := time.Now().Add(p.config.Time)
	t.reset(s, rng)
	done := 0
	for ; p.config.Simulations == 0 || done < p.config.Simulations; done++ {
		if done%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return Analysis{}, fmt.Errorf("uct: the search was stopped: %w", err)
			}
			if done > 0 && p.config.Time > 0 && !time.Now().Before(deadline) {
				break
			}
		}
		t.simulate(s)
	}
	value := t.nodes[0].points / float64(done) // as South sees it: nobody moved to the root
	if s.Player == mancala.North {
		value = -value
	}
	return Analysis{Best: t.best(), Value: value, Simulations: done}, nil
}

// Choose implements agent.Agent.
func (p *Player) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if legal := p.game.AppendLegal(make([]mancala.Action, 0, mancala.MaxSeeds), s); len(legal) == 1 {
		return legal[0], ctx.Err()
	}
	found, err := p.Analyse(ctx, s, rng)
	return found.Best, err
}
