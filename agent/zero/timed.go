package zero

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"kiothi/agent"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// This file is the player that searches by the clock, and the one that follows a game.

var (
	_ agent.Starter = (*Timed)(nil)
	_ agent.Adviser = (*Timed)(nil)
)

// A Timed is a Player whose searches take a time, not a number of simulations. A turn of the opening, which has several
// actions, is one move: they share the time. Leaves of one game are judged in batches of its own, and a player of
// a game (Start) begins each search with what it found before.
//
// PUCT is the better search here: thousands of simulations are too many for Gumbel search, whose choice below the root then is
// all but greedy (experiments/search.md). By the clock a Gumbel search does not halve the actions of its root, which needs to
// know how many simulations there will be, and an estimate is wrong whenever the machine has something else to do: it chooses
// there as it does below.
type Timed struct {
	player *Player
	time   time.Duration
	trees  *agent.Idle[*search.Tree]
	now    func() time.Time
}

// Leaves is a sensible Config.Batch of a player by the clock. The network judges a batch of so many two to four times as fast
// as one by one.
const Leaves = 8

// maxTree is the number of positions at which a search ends before its time.
const maxTree = MaxSimulations

// NewTimed returns a player that takes a time for a move. It takes over the player, whose simulations do not count, and
// whose batch is that of the leaves of one game.
func NewTimed(p *Player, d time.Duration) (*Timed, error) {
	if d <= 0 {
		return nil, fmt.Errorf("a time of %v for a move, expected a positive one", d)
	}
	if !p.config.Search.Proofs {
		return nil, errors.New("a search by the clock without proofs, which would go on where everything is known")
	}
	return &Timed{player: p, time: d, trees: agent.NewIdle(p.newTree), now: time.Now}, nil
}

// Choose implements agent.Agent. It begins anew at each action.
func (t *Timed) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	seat := t.start()
	defer seat.Close()
	return seat.Choose(ctx, s, rng)
}

// Advise implements agent.Adviser, as far as time allows equal advice for equal states.
func (t *Timed) Advise(ctx context.Context, s *mancala.State) (agent.Advice, error) {
	began, p := t.now(), t.player
	if advice, ok := p.fromEndgames(s); ok {
		return advice, ctx.Err()
	}
	at, forced := p.afterForced(s)
	if at.Over() {
		return p.advice(s, &at, p.result(mancala.Margin(p.game, &at, at.Player)), nil, forced), ctx.Err()
	}
	b, err := p.take(p.config.Batch)
	if err != nil {
		return agent.Advice{}, err
	}
	defer p.giveBack(b)
	tree := t.trees.Take()
	defer t.trees.Give(tree)
	tree.Reset(&at, search.Unlimited, nil)
	if err := t.searchUntil(ctx, b.evaluator, tree, began.Add(t.time)); err != nil {
		return agent.Advice{}, err
	}
	return p.searched(ctx, s, &at, tree, b.evaluator, forced)
}

// Close implements io.Closer, as Player does.
func (t *Timed) Close() error { return t.player.Close() }

// Start implements agent.Starter.
func (t *Timed) Start() agent.Agent { return t.start() }

func (t *Timed) start() *seat { return &seat{timed: t, tree: t.trees.Take()} }

// A seat is a player in one seat of one game.
type seat struct {
	timed *Timed
	tree  *search.Tree
	begun bool // the tree is of this game

	spent time.Duration // of the time of the opening turn that is under way
	next  mancala.State // the position that the turn has come to; meaningless where spent is 0
}

// Choose implements agent.Agent.
func (s *seat) Choose(ctx context.Context, state *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	began := s.timed.now()
	p := s.timed.player
	if best, ok := p.obvious(state); ok {
		s.follow(state, best, began)
		return best, ctx.Err()
	}
	b, err := p.take(p.config.Batch)
	if err != nil {
		return 0, err
	}
	defer p.giveBack(b)
	if s.begun {
		s.tree.Resume(state, search.Unlimited)
	} else {
		s.tree.Reset(state, search.Unlimited, nil)
		s.begun = true
	}
	if *state != s.next {
		s.spent = 0
	}
	share := (s.timed.time - s.spent) / time.Duration(p.actionsLeft(state))
	err = s.timed.searchUntil(ctx, b.evaluator, s.tree, began.Add(share))
	agent.EffortOf(ctx).Simulations.Add(int64(s.tree.Simulations()))
	if err != nil {
		return 0, err
	}
	best := s.tree.Best()
	s.follow(state, best, began)
	return best, nil
}

// follow notes what an action of an opening turn has taken.
func (s *seat) follow(state *mancala.State, a mancala.Action, began time.Time) {
	if *state != s.next {
		s.spent = 0
	}
	mover := state.Player
	s.next = *state
	mancala.MustPlay(s.timed.player.game, &s.next, a)
	s.spent += s.timed.now().Sub(began)
	if s.next.Player != mover {
		s.spent = 0
	}
}

// Close implements io.Closer.
func (s *seat) Close() error {
	if s.tree != nil {
		s.timed.trees.Give(s.tree)
		s.tree = nil
	}
	return nil
}

// actionsLeft returns how many actions the turn of the player to move still has, or about as many where that depends on them.
func (p *Player) actionsLeft(state *mancala.State) int {
	s, n := *state, 0
	for !s.Over() && s.Player == state.Player {
		mancala.MustPlay(p.game, &s, p.game.AppendLegal(nil, &s)[0])
		n++
	}
	return n
}

// searchUntil searches until a time, or until the tree is full or has nothing left to find out. The root is judged in any case.
// A context that ends ends the search, too; it is an error only before the root is judged, because the tree has an answer then.
func (t *Timed) searchUntil(ctx context.Context, e *Evaluator, tree *search.Tree, deadline time.Time) error {
	for first := true; first || t.now().Before(deadline) && tree.Size() < maxTree; first = false {
		if err := ctx.Err(); err != nil && !first {
			return nil
		} else if err != nil {
			return fmt.Errorf("zero: the search was stopped: %w", err)
		}
		n := 0
		for ; n < e.Batch(); n++ {
			leaf := tree.Select()
			if leaf == nil {
				break
			}
			e.Put(n, leaf)
		}
		if n == 0 && tree.Done() {
			return nil
		}
		if err := e.Evaluate(n); err != nil {
			return err
		}
		for i := range n {
			tree.Expand(e.Policy(i), e.Value(i))
		}
	}
	return nil
}
