package alphabeta

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// This file is the player: its settings, and an agent.Agent made of searchers.

// Limits say when the search for an action ends, or for a whole turn of the opening when the player follows a game (Start).
// Exactly one is set.
type Limits struct {
	Depth int           // turns, up to 64
	Nodes uint64        // positions that a turn was played to reach
	Time  time.Duration // by the clock, looked at every few hundred nodes
}

// Config holds the settings of a Player.
type Config struct {
	Limits
	Hash int // size of the transposition table of a search, in MiB, 1 to 4096
	// Network, if not nil, judges positions in place of the linear terms. It must be of the game and its rule set.
	Network *nnue.Network
	// Endgames, if not nil, end the search where they know the result, and play what they know.
	Endgames agent.Endgames
}

// DefaultHash is a sensible Config.Hash.
const DefaultHash = 16

// check refuses what cannot be searched.
func (c *Config) check() error {
	given := 0
	for _, set := range []bool{c.Depth != 0, c.Nodes != 0, c.Time != 0} {
		if set {
			given++
		}
	}
	switch {
	case given != 1:
		return errors.New("expected exactly one of depth, nodes and movetime")
	case c.Depth < 0 || c.Depth > MaxDepth:
		return fmt.Errorf("a depth of %d, expected 1 to %d", c.Depth, MaxDepth)
	case c.Time < 0:
		return fmt.Errorf("a time of %v for a move, expected a positive one", c.Time)
	case c.Hash < 1 || c.Hash > 4096:
		return fmt.Errorf("a transposition table of %d MiB, expected 1 to 4096", c.Hash)
	}
	return nil
}

// A Player searches by alpha-beta. It implements agent.Agent. Limited by depth or nodes it plays the same action in the
// same position with the same random source, which it uses in the opening only.
type Player struct {
	game   mancala.Game
	config Config
	eval   *evaluator
	idle   *agent.Idle[*searcher]
}

// New returns a player with the fitted weights.
func New(g mancala.Game, c Config) (*Player, error) {
	w, err := weightsOf(g)
	if err != nil {
		return nil, err
	}
	return NewWithWeights(g, c, w)
}

// NewWithWeights returns a player with weights of its own.
func NewWithWeights(g mancala.Game, c Config, w *Weights) (*Player, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	terms, err := newLinear(g, w)
	if err != nil {
		return nil, err
	}
	if c.Network != nil {
		if err := c.Network.Check(g); err != nil {
			return nil, fmt.Errorf("the evaluation network cannot be used: %w", err)
		}
	}
	e := &evaluator{g, terms, c.Network, c.Endgames}
	idle := agent.NewIdle(func() *searcher { return newSearcher(g, e, c.Hash) })
	return &Player{game: g, config: c, eval: e, idle: idle}, nil
}

// Network returns the network that judges positions, nil where the linear terms do.
func (p *Player) Network() *nnue.Network { return p.config.Network }

// An Analysis is what a search found.
type Analysis struct {
	Best mancala.Action
	// Score is the expected final margin of the player to move, in seeds; of a certain result, its bound. A network expects no
	// margins: of an uncertain result it is then SeedsPerLogit times the logit of the expected result.
	Score float64
	Depth int // turns, of the last completed iteration; 0 where the end game is known
	// Certain says that the result is known: the player to move wins by Score at least, or loses by that.
	Certain bool
	Nodes   uint64
}

// Analyse searches a position of the phase Sow that is not over.
func (p *Player) Analyse(ctx context.Context, state *mancala.State) (Analysis, error) {
	if state.Phase != mancala.Sow || state.Over() {
		return Analysis{}, fmt.Errorf("alphabeta: position %q is over or in the opening, expected one in which to sow", p.game.Format(state))
	}
	if p.config.Endgames != nil {
		if best, ok := p.config.Endgames.Best(state); ok {
			margin, _ := p.config.Endgames.Probe(state)
			return Analysis{Best: best, Score: float64(margin), Certain: true}, ctx.Err()
		}
	}
	began := time.Now() // before there is a searcher, which may have to be made
	s := p.idle.Take()
	defer p.idle.Give(s)
	s.reset(ctx, p.config.Limits, began)
	best, score, depth := s.iterate(state)
	agent.EffortOf(ctx).Nodes.Add(int64(s.nodes))
	if err := ctx.Err(); err != nil {
		return Analysis{}, fmt.Errorf("alphabeta: the search was stopped: %w", err)
	}
	found := Analysis{Best: best, Depth: depth, Nodes: s.nodes}
	switch {
	case score > won:
		score, found.Certain = score-won, true
	case score < -won:
		score, found.Certain = score+won, true
	}
	found.Score = float64(score) / cents
	return found, nil
}

// Choose implements agent.Agent.
func (p *Player) Choose(ctx context.Context, state *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if state.Over() {
		return 0, fmt.Errorf("alphabeta: position %q is over", p.game.Format(state))
	}
	if legal := p.game.AppendLegal(make([]mancala.Action, 0, mancala.MaxSeeds), state); len(legal) == 1 {
		return legal[0], ctx.Err()
	}
	if state.Phase == mancala.Sow {
		found, err := p.Analyse(ctx, state)
		return found.Best, err
	}
	turn, err := p.PlanTurn(ctx, state, rng)
	if err != nil {
		return 0, err
	}
	return turn[0], nil
}

// PlanTurn returns a complete opening turn of the player to move, as good as the player can find it within its limits, or the
// rest of one that is half done.
func (p *Player) PlanTurn(ctx context.Context, state *mancala.State, rng *rand.Rand) ([]mancala.Action, error) {
	began := time.Now() // before there is a searcher, which may have to be made
	s := p.idle.Take()
	defer p.idle.Give(s)
	s.reset(ctx, p.config.Limits, began)
	turn := s.planTurn(state, rng)
	agent.EffortOf(ctx).Nodes.Add(int64(s.nodes))
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("alphabeta: the search was stopped: %w", err)
	}
	return turn, nil
}
