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

// Config holds the settings of a Player. Exactly one of Simulations and Time is set.
type Config struct {
	Simulations int           // an action, 1 to MaxSimulations
	Time        time.Duration // an action, by the clock
	// Endgames, if not nil, end simulations where they know the result, and play what they know.
	Endgames agent.Endgames
}

// MaxSimulations is the largest number of simulations of a search.
const MaxSimulations = 100_000_000

// A Player searches by UCT. Limited by simulations, it plays the same action in the same position with the same random
// source. It implements agent.Agent, which remembers nothing, and agent.Starter, whose players carry their trees from one
// action of a game to the next.
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
	room := nodesPerSimulation * min(c.Simulations, maxNodes)
	if c.Time > 0 {
		room = int(min(nodesPerSecond*c.Time.Seconds(), maxNodes))
	}
	idle := agent.NewIdle(func() *tree {
		t := newTree(sampler, room)
		t.endgames = c.Endgames
		return t
	})
	return &Player{game: sampler, config: c, idle: idle}, nil
}

// How fast trees grow, with some room to spare.
const (
	nodesPerSimulation = 24
	nodesPerSecond     = 5e6
)

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
	began := time.Now() // before there is a tree, which may have to be made
	t := p.idle.Take()
	defer p.idle.Give(t)
	t.reset(s, rng)
	done, err := p.search(ctx, t, s, began)
	if err != nil {
		return Analysis{}, err
	}
	return Analysis{Best: t.nodes[t.best()].action, Value: t.value(), Simulations: done}, nil
}

// search simulates from a position, the root of the tree, until a limit is reached, and returns how often.
func (p *Player) search(ctx context.Context, t *tree, s *mancala.State, began time.Time) (done int, err error) {
	defer func() { agent.EffortOf(ctx).Simulations.Add(int64(done)) }()
	if s.Over() {
		return 0, fmt.Errorf("uct: position %q is over", p.game.Format(s))
	}
	deadline := began.Add(p.config.Time)
	for ; p.config.Simulations == 0 || done < p.config.Simulations; done++ {
		if done%pollEvery == 0 {
			if err := ctx.Err(); err != nil {
				return done, fmt.Errorf("uct: the search was stopped: %w", err)
			}
			if done > 0 && p.config.Time > 0 && !time.Now().Before(deadline) {
				break
			}
		}
		t.simulate(s)
	}
	return done, nil
}

// Choose implements agent.Agent.
func (p *Player) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if legal := p.game.AppendLegal(make([]mancala.Action, 0, mancala.MaxSeeds), s); len(legal) == 1 {
		return legal[0], ctx.Err()
	}
	if best, ok := p.known(s); ok {
		return best, ctx.Err()
	}
	found, err := p.Analyse(ctx, s, rng)
	return found.Best, err
}

// known returns the best action in a position of the end games.
func (p *Player) known(s *mancala.State) (best mancala.Action, ok bool) {
	if p.config.Endgames == nil {
		return 0, false
	}
	return p.config.Endgames.Best(s)
}
