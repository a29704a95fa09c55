package solve

import (
	"context"
	"fmt"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the solver as it is used: it asks for bounds and for the best margin.

// Options are the settings of a Solver.
type Options struct {
	// Memory is the size of the memory in MiB, 1 to 65536. When it is full, a search ends with ErrMemory.
	Memory int
	// Progress, if set, is told about every thousand nodes how far the search is.
	Progress func(Progress)
	// Table and Book, if set, answer the questions about positions that they hold, and no proof goes on from there. What was
	// proved with them can be neither saved nor certified.
	Table *endgame.Table
	Book  *Book
}

// DefaultMemory is a sensible Options.Memory.
const DefaultMemory = 1024

// Progress is how far a search is.
type Progress struct {
	Low, High int    // the bounds of the best margin that are proved so far, for the player to move
	Bound     int    // the question under search: whether the margin is at least this
	Depth     int    // turns, of the search under way
	Nodes     uint64 // positions that a turn was played to reach, since the solver was made
	Claims    int    // claims proved
}

// A Result is what is known about a position, for its player to move.
type Result struct {
	Low, High int // the best final margin is at least Low and at most High
	// Best is an action that keeps at least Low. Where every action does, so that Low was not Proved by playing, it is the
	// first legal one.
	Best   mancala.Action
	Proved bool
}

// A Solver proves results. What it has proved it keeps, as claims that any later question may use. It is not safe for
// concurrent use.
type Solver struct {
	game    mancala.Game
	width   int
	limit   uint16 // the full clock
	closing bool   // pits can be closed, and none are marked

	claims  *claims
	hints   hints          // nil until the first search: what a book or a table answers needs none
	room    int            // the number of hints
	table   *endgame.Table // or nil
	sources []*claims      // where to look claims up: these, and those of a book

	children []child          // of the positions from the root to the one under search, one list after the other
	legal    []mancala.Action // scratch

	ctx      context.Context
	nodes    uint64
	pollAt   uint64 // the number of nodes at which to look at ctx again
	end      uint64 // the number of nodes at which the search ends; 0: never
	stopped  error  // why the search has ended
	now      Progress
	progress func(Progress)
}

// New returns a solver of a game.
func New(g mancala.Game, o Options) (*Solver, error) {
	if o.Memory < 1 || o.Memory > 65536 {
		return nil, fmt.Errorf("a memory of %d MiB, expected 1 to 65536", o.Memory)
	}
	if o.Table != nil {
		if err := o.Table.Check(g); err != nil {
			return nil, fmt.Errorf("the end-game table: %w", err)
		}
	}
	if o.Book != nil {
		if err := o.Book.check(g.Name(), g.Rules()); err != nil {
			return nil, err
		}
	}
	if name := g.Name(); name != kiothi.Name && name != riokadalis.Name { // whose positions boards tell apart
		return nil, fmt.Errorf("game %q cannot be solved, expected %s or %s", name, kiothi.Name, riokadalis.Name)
	}
	bytes := o.Memory << 20
	s := &Solver{
		game: g, width: g.Width(), limit: uint16(g.ClockLimit()), closing: g.Name() == riokadalis.Name,
		claims:   newClaims(min(bytes/4*3/claimBytes, 1<<30)),
		room:     bytes / 4 / hintBytes,
		table:    o.Table,
		progress: o.Progress,
	}
	s.sources = []*claims{s.claims}
	if o.Book != nil {
		s.sources = append(s.sources, o.Book.claims)
	}
	return s, nil
}

// Claims returns the number of claims proved so far.
func (s *Solver) Claims() int { return len(s.claims.list) }

// Nodes returns the number of positions that a turn was played to reach, since the solver was made.
func (s *Solver) Nodes() uint64 { return s.nodes }

// Reset forgets all claims.
func (s *Solver) Reset() {
	s.claims.reset()
	clear(s.hints)
	s.nodes = 0
}

// Solve finds the best margin of a position that is not over: first whether the player to move can win, then whether that
// player can draw, then how high it is lost or won. It searches at most the given number of nodes, 0 for as many as it takes.
// When these are used up, or the memory or the context, the result is what was proved until then, and the error wraps
// ErrNodes, ErrMemory or the context's error.
func (s *Solver) Solve(ctx context.Context, state *mancala.State, nodes uint64) (Result, error) {
	if state.Over() {
		return Result{}, fmt.Errorf("position %q is over", s.game.Format(state))
	}
	effort := agent.EffortOf(ctx)
	before := s.nodes
	defer func() { effort.Nodes.Add(int64(s.nodes - before)) }()

	s.begin(ctx, nodes)
	seeds := state.OnBoard() + int(state.Hand)
	s.now.Low, s.now.High = lead(state, state.Player)-seeds, lead(state, state.Player)+seeds
	best := s.known(state)
	var err error
	for s.now.Low < s.now.High && err == nil {
		if err = s.narrow(state, s.next()); err == nil {
			best = s.known(state)
		}
	}
	r := Result{Low: s.now.Low, High: s.now.High, Best: best, Proved: best != noAction}
	if !r.Proved {
		r.Best = s.game.AppendLegal(nil, state)[0]
	}
	if err != nil {
		return r, fmt.Errorf("the best margin is from %d to %d as far as is proved: %w", r.Low, r.High, err)
	}
	return r, nil
}

// next returns the margin to ask for next: a win, a draw, and then, away from the draw, steps that double.
func (s *Solver) next() int {
	low, high := s.now.Low, s.now.High // of one parity, that of all margins
	switch {
	case low <= 0 && high > 0: // is it won?
		return 2 - low&1
	case low < 0 && high == 0: // is it at least drawn?
		return 0
	case low >= 0:
		return min(high, low+step(low))
	}
	return max(low+2, high+2-step(-high))
}

// step returns how far to go on from a margin that is known.
func step(from int) int { return max(2, from/2&^1) }

// narrow asks one question about the best margin.
func (s *Solver) narrow(state *mancala.State, margin int) error {
	holds, err := s.prove(state, margin)
	if err != nil {
		return err
	}
	if holds {
		s.now.Low = margin
	} else {
		s.now.High = margin - 2
	}
	return nil
}

// prove finds out whether the player to move can get a final margin of at least this. It ends, since a search that is deeper
// than the game is long knows the answer.
func (s *Solver) prove(state *mancala.State, margin int) (bool, error) {
	bound := margin - lead(state, state.Player)
	seeds := state.OnBoard() + int(state.Hand)
	bound += (bound ^ seeds) & 1
	answer, _ := s.listed(state, bound)
	if answer == unknown {
		s.makeHints()
	}
	for depth := 1; answer == unknown; depth++ {
		for _, hope := range [2]verdict{yes, no} {
			s.now.Bound, s.now.Depth = margin, depth
			if answer, _ = s.search(state, bound, depth, hope, 0); answer != unknown || s.stopped != nil {
				break
			}
		}
		if s.stopped != nil {
			return false, s.stopped
		}
	}
	return answer == yes, nil
}

// known narrows the bounds of the best margin by what claims say of a position, and returns an action that keeps the lower
// one, or noAction when that is because any action does.
func (s *Solver) known(state *mancala.State) mancala.Action {
	board := boardOf(state, s.width)
	ahead := lead(state, state.Player)
	best := noAction
	for _, source := range s.sources {
		for n := source.newest(&board); n != none; n = source.list[n].older {
			switch c := &source.list[n]; {
			case !c.clocks.has(state.Clock):
			case c.atMost:
				s.now.High = min(s.now.High, int(c.bound)+ahead)
			case best == noAction && int(c.bound)+ahead >= s.now.Low, int(c.bound)+ahead > s.now.Low:
				s.now.Low, best = int(c.bound)+ahead, mancala.Action(c.action)
			}
		}
	}
	return best
}
