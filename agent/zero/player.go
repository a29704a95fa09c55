// Package zero holds the players that learned by themselves: a network with a search, and the network alone.
package zero

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"

	"kiothi/agent"
	"kiothi/agent/bot"
	"kiothi/agent/margin"
	"kiothi/agent/network/weights"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// Config holds the settings of a Player.
type Config struct {
	Simulations int // an action, up to MaxSimulations
	Search      search.Config
	Utility     margin.Utility
	// Endgames, if not nil, end simulations where they know the result, and play what they know. Their play is best for the
	// margin, which a Utility that prefers wins by exactly two is not.
	Endgames agent.Endgames
	Batch    int // positions that one network call judges at most, when many games are played at once; fewer in long searches
}

// MaxSimulations is the largest number of simulations of a search, and of all searches that a call makes at once: it bounds
// the memory of their trees. A simulation adds a position and its actions, which take 0.9 kB in Kiothi, 2 at most.
const MaxSimulations = 200_000

// DefaultConfig returns the settings that a player has where nothing else is said.
func DefaultConfig() Config {
	return Config{Simulations: 64, Search: search.Default().ForPlay(), Batch: 128}
}

// A Player searches with a network, without noise: equal positions get equal actions. It implements agent.Batch.
type Player struct {
	game    mancala.Game
	network *bot.Network
	config  Config
	scale   margin.Scale

	mutex sync.Mutex
	idle  []*bench // not in use at the moment
}

// bench is what one goroutine needs to search.
type bench struct {
	evaluator *Evaluator
	trees     []*search.Tree
	rows      []int
	legal     []mancala.Action
}

// NewPlayer returns a player. It plays with the weights as they are now.
func NewPlayer(g mancala.Game, w *weights.Weights, c Config) (*Player, error) {
	if c.Simulations < 0 || c.Simulations > MaxSimulations || c.Batch < 1 {
		return nil, fmt.Errorf("%d simulations in batches of %d, expected 0 to %d in batches of at least 1", c.Simulations, c.Batch, MaxSimulations)
	}
	c.Batch = min(c.Batch, max(1, MaxSimulations/max(1, c.Simulations)))
	if err := c.Search.Validate(); err != nil {
		return nil, err
	}
	if err := c.Utility.Validate(); err != nil {
		return nil, err
	}
	if c.Endgames != nil && c.Utility.Warrior > 1 {
		return nil, fmt.Errorf("a table of end games does not know who wins by exactly two seeds, so that it cannot be used with a warrior weight of %v", c.Utility.Warrior)
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	p := &Player{game: g, network: bot.NewNetwork(w), config: c, scale: scale}
	// The first is made now, so that a network that does not fit is an error here and not in the middle of a game.
	b, err := p.newBench(1)
	if err != nil {
		return nil, err
	}
	p.idle = append(p.idle, b)
	return p, nil
}

// newBench makes a bench for games at once.
func (p *Player) newBench(games int) (*bench, error) {
	evaluator, err := newEvaluator(p.game, p.network, p.config.Utility, games)
	if err != nil {
		return nil, err
	}
	b := &bench{evaluator: evaluator, rows: make([]int, games), trees: make([]*search.Tree, games)}
	for i := range b.trees {
		b.trees[i] = p.newTree()
	}
	return b, nil
}

// newTree makes a tree without a position.
func (p *Player) newTree() *search.Tree {
	tree := search.NewTree(p.game, &p.config.Search, func(m int) float32 { return float32(p.config.Utility.Of(m, p.scale)) })
	if p.config.Endgames != nil {
		tree.Known = p.config.Endgames.Probe
	}
	return tree
}

// take returns an idle bench for a number of games, or makes one.
func (p *Player) take(games int) (*bench, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, b := range p.idle {
		if len(b.trees) >= games {
			last := len(p.idle) - 1
			p.idle[i] = p.idle[last]
			p.idle = p.idle[:last]
			return b, nil
		}
	}
	if games > 1 {
		games = p.config.Batch
	}
	return p.newBench(games)
}

func (p *Player) giveBack(b *bench) {
	p.mutex.Lock()
	p.idle = append(p.idle, b)
	p.mutex.Unlock()
}

// Choose implements agent.Agent.
func (p *Player) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	var action [1]mancala.Action
	err := p.ChooseBatch(ctx, []mancala.State{*s}, nil, action[:])
	return action[0], err
}

// ChooseBatch implements agent.Batch.
func (p *Player) ChooseBatch(ctx context.Context, states []mancala.State, _ []*rand.Rand, actions []mancala.Action) error {
	for len(states) > 0 {
		n := min(len(states), p.config.Batch)
		b, err := p.take(n)
		if err != nil {
			return err
		}
		err = p.choose(ctx, b, states[:n], actions[:n])
		p.giveBack(b)
		if err != nil {
			return err
		}
		states, actions = states[n:], actions[n:]
	}
	return nil
}

// choose searches all the states together.
func (p *Player) choose(ctx context.Context, b *bench, states []mancala.State, actions []mancala.Action) error {
	searched := 0 // trees in use; b.rows[:searched] is scratch for Round
	owner := make([]int, 0, len(states))
	for i := range states {
		if best, ok := p.obvious(&states[i]); ok {
			actions[i] = best
			continue
		}
		b.trees[searched].Reset(&states[i], p.config.Simulations, nil)
		owner = append(owner, i)
		searched++
	}
	trees := b.trees[:searched]
	defer func() {
		for _, t := range trees {
			agent.EffortOf(ctx).Simulations.Add(int64(t.Simulations()))
		}
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := search.Round(b.evaluator, trees, b.rows, func(int) bool { return false })
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
	}
	for i, t := range trees {
		actions[owner[i]] = t.Best()
	}
	return nil
}

// obvious returns the action where there is only one, or the best one in a position of the end games.
func (p *Player) obvious(s *mancala.State) (a mancala.Action, ok bool) {
	if legal := p.game.AppendLegal(make([]mancala.Action, 0, mancala.MaxSeeds), s); len(legal) == 1 {
		return legal[0], true
	}
	if p.config.Endgames == nil {
		return 0, false
	}
	return p.config.Endgames.Best(s)
}

// Close releases memory. The player must not be in use.
func (p *Player) Close() error {
	p.idle = nil
	return nil
}
