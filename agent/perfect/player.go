package perfect

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/solve"
	"kiothi/env/mancala"
)

// This file is the player.

// memory is the size of a player's solver in MiB.
const memory = 64

// defaultNodes is a sensible number of nodes for New.
const defaultNodes = 2_000_000

// A Player plays what it can prove. It implements agent.Agent and agent.Starter.
type Player struct {
	game  mancala.Game
	nodes uint64
	idle  *agent.Idle[*solve.Solver]
	guess *alphabeta.Player // for where nothing can be proved
}

var _ agent.Starter = (*Player)(nil)

// New returns a player that searches up to the given number of positions for an action, and as many again where that
// proves nothing.
func New(g mancala.Game, nodes uint64) (*Player, error) {
	if nodes == 0 {
		return nil, errors.New("perfect: 0 nodes, expected 1 or more")
	}
	k, err := knowledgeOf(g)
	if err != nil {
		return nil, err
	}
	guess, err := alphabeta.New(g, alphabeta.Config{Limits: alphabeta.Limits{Nodes: nodes}, Hash: alphabeta.DefaultHash})
	if err != nil {
		return nil, err
	}
	newSolver := func() *solve.Solver {
		s, err := solve.New(g, solve.Options{Memory: memory, Table: k.table, Book: k.book})
		if err != nil {
			panic("perfect: " + err.Error()) // the book and the table are of this game
		}
		return s
	}
	return &Player{game: g, nodes: nodes, idle: agent.NewIdle(newSolver), guess: guess}, nil
}

// Choose implements agent.Agent. It starts from nothing but the book and the table, so that it answers the same each time.
func (p *Player) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	solver := p.idle.Take()
	defer p.idle.Give(solver)
	solver.Reset()
	return p.choose(ctx, solver, s, rng)
}

// choose plays what a solver proves.
func (p *Player) choose(ctx context.Context, solver *solve.Solver, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if s.Over() {
		return 0, fmt.Errorf("perfect: position %q is over", p.game.Format(s))
	}
	if legal := p.game.AppendLegal(nil, s); len(legal) == 1 {
		return legal[0], ctx.Err()
	}
	r, err := solver.Solve(ctx, s, p.nodes)
	if errors.Is(err, solve.ErrMemory) {
		solver.Reset() // it was filled by earlier moves
		r, err = solver.Solve(ctx, s, p.nodes)
	}
	switch {
	case err == nil:
		return r.Best, nil
	case ctx.Err() != nil:
		return 0, fmt.Errorf("perfect: the search was stopped: %w", ctx.Err())
	case r.Proved:
		return r.Best, nil
	}
	return p.guess.Choose(ctx, s, rng)
}

// Start implements agent.Starter: the player of a game keeps what it has proved.
func (p *Player) Start() agent.Agent {
	solver := p.idle.Take()
	solver.Reset()
	return &seat{p, solver}
}

// A seat is a Player in one game.
type seat struct {
	player *Player
	solver *solve.Solver // nil once the seat is closed
}

// Choose implements agent.Agent.
func (s *seat) Choose(ctx context.Context, state *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	return s.player.choose(ctx, s.solver, state, rng)
}

// Close lets another game have the memory.
func (s *seat) Close() error {
	if s.solver != nil {
		s.player.idle.Give(s.solver)
		s.solver = nil
	}
	return nil
}
