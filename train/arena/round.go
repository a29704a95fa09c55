package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is a round: every game under way makes one action.

// A task is something that one worker does in one go: it asks one agent, for one game or for a part of a batch.
type task struct {
	entrant  *entrant
	plays    []*play
	from, to int // the part of the entrant's question; to is 0 where one game is asked for by itself
}

// smallestPart is the number of games for which a batch is worth a call of its own. Larger batches are shared among workers.
const smallestPart = 32

// round asks for an action in every game, and plays it.
func (t *tournament) round(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.share()
	if err := t.work(ctx); err != nil {
		return err
	}
	// Where a batch failed its games are asked one by one, to find the one that is to blame.
	t.tasks = t.tasks[:0]
	for i, p := range t.running {
		if p.again {
			p.again = false
			t.reseed(p)
			t.tasks = append(t.tasks, task{entrant: t.mover(p), plays: t.running[i : i+1]})
		}
	}
	if err := t.work(ctx); err != nil {
		return err
	}
	for _, p := range t.running {
		if p.fault == nil {
			t.play(p)
		}
		if p.fault != nil && !t.options.Forfeits {
			return t.complain(p)
		}
	}
	return nil
}

// reseed puts a game's generator where it stands for the game's next action. The first match has no number in it, so that a
// match of two is what it was before there were round robins.
func (t *tournament) reseed(p *play) {
	numbers := [...]uint64{uint64(p.number), uint64(p.state.Player), uint64(len(p.actions)), uint64(p.match)}
	if p.match == 0 {
		seed.Reseed(&p.source, seed.Mix(t.options.Seed, seed.Match, numbers[:3]...))
	} else {
		seed.Reseed(&p.source, seed.Mix(t.options.Seed, seed.Match, numbers[:]...))
	}
}

// share makes the tasks of a round: batches first, because they take longest.
func (t *tournament) share() {
	t.tasks = t.tasks[:0]
	for _, e := range t.entrants {
		e.ask.reset()
	}
	for _, p := range t.running {
		if e := t.mover(p); p.fault == nil {
			t.reseed(p)
			if e.batched() {
				e.ask.add(p)
			}
		}
	}
	for _, e := range t.entrants {
		n := len(e.ask.plays)
		parts := min(max(n/smallestPart, 1), t.options.Workers)
		for i := range parts {
			if from, to := n*i/parts, n*(i+1)/parts; from < to {
				t.tasks = append(t.tasks, task{e, e.ask.plays[from:to], from, to})
			}
		}
	}
	for i, p := range t.running {
		if e := t.mover(p); p.fault == nil && !e.batched() {
			t.tasks = append(t.tasks, task{entrant: e, plays: t.running[i : i+1]})
		}
	}
}

// batched reports whether the entrant is asked for many games at once.
func (e *entrant) batched() bool { return e.batch != nil && !e.alone.Load() }

// work does all tasks, spread over the workers. It returns the error of the first task that ends the tournament.
func (t *tournament) work(ctx context.Context) error {
	if len(t.tasks) == 0 {
		return nil
	}
	errs := make([]error, len(t.tasks))
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(t.tasks); i = int(next.Add(1)) - 1 {
			select {
			case <-ctx.Done(): // an agent that hangs would be waited for in each of its games
				return
			default:
			}
			if k := &t.tasks[i]; k.to > 0 {
				errs[i] = t.askBatch(k)
			} else {
				t.askOne(k.entrant, k.plays[0])
			}
		}
	}
	var wg sync.WaitGroup
	for range min(t.options.Workers, len(t.tasks)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	// What agents say after the end of the context is no answer.
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// askOne asks an agent for its action in one game.
func (t *tournament) askOne(e *entrant, p *play) {
	player := p.players[p.state.Player]
	p.asked = p.state
	var took time.Duration
	var err error
	if t.options.MoveTime == 0 {
		began := time.Now()
		func() {
			defer recovered(&err)
			p.action, err = player.Choose(e.context, &p.asked, p.rng)
		}()
		took = time.Since(began)
	} else {
		// The call has memory of its own, because it may be left behind.
		state, source := p.state, p.source
		answer := new(mancala.Action)
		took, err = within(e.context, t.options.MoveTime, t.options.grace, func(ctx context.Context) (err error) {
			*answer, err = player.Choose(ctx, &state, rand.New(&source))
			return err
		})
		if err == nil {
			p.action = *answer
		}
	}
	if err != nil {
		p.fault = faultOf(err)
		return
	}
	e.count(1, took)
}

// askBatch asks an agent for a part of its games. When that fails, the games are marked to be asked one by one; without
// forfeits it is an error.
func (t *tournament) askBatch(k *task) error {
	q, e := &k.entrant.ask, k.entrant
	states, rngs, actions := q.states[k.from:k.to], q.rngs[k.from:k.to], q.actions[k.from:k.to]
	var took time.Duration
	var err error
	if t.options.MoveTime == 0 {
		began := time.Now()
		func() {
			defer recovered(&err)
			err = e.batch.ChooseBatch(e.context, states, rngs, actions)
		}()
		took = time.Since(began)
	} else {
		states, answers, sources := slices.Clone(states), make([]mancala.Action, len(states)), make([]*rand.Rand, len(states))
		for i, p := range k.plays {
			source := p.source
			sources[i] = rand.New(&source)
		}
		took, err = within(e.context, t.options.MoveTime, t.options.grace, func(ctx context.Context) error {
			return e.batch.ChooseBatch(ctx, states, sources, answers)
		})
		if err == nil {
			copy(actions, answers)
		}
	}
	var overdue *overdueError
	switch {
	case err == nil:
		for i, p := range k.plays {
			p.action = actions[i]
		}
		e.count(len(k.plays), took)
		return nil
	case errors.As(err, &overdue):
		e.alone.Store(true)
	case !t.options.Forfeits:
		return fmt.Errorf("agent %s failed in a batch of %d games, the first of them %s: %w", e.Name, len(k.plays), t.place(k.plays[0]), err)
	}
	for _, p := range k.plays {
		p.again = true
	}
	return nil
}

// count adds answers to what the entrant has spent.
func (e *entrant) count(answers int, took time.Duration) {
	e.answers.Add(int64(answers))
	e.spent.Add(int64(took))
}

// play plays the action that was chosen in a game.
func (t *tournament) play(p *play) {
	mover := p.state.Player
	turn, err := t.game.Play(&p.state, p.action)
	if err != nil {
		p.fault = &fault{IllegalAction, err}
		return
	}
	p.actions = append(p.actions, p.action)
	if p.state.Over() || p.state.Player != mover {
		p.turns++
	}
	if turn.Cut {
		p.cut++
	}
}

// A question is what one agent is asked in one round, for many games at once: an entry a game in each slice.
type question struct {
	plays   []*play
	states  []mancala.State // copies, so that no agent can change a game
	rngs    []*rand.Rand
	actions []mancala.Action
}

func (q *question) reset() {
	q.plays, q.states, q.rngs, q.actions = q.plays[:0], q.states[:0], q.rngs[:0], q.actions[:0]
}

func (q *question) add(p *play) {
	q.plays = append(q.plays, p)
	q.states = append(q.states, p.state)
	q.rngs = append(q.rngs, p.rng)
	q.actions = append(q.actions, 0)
}
