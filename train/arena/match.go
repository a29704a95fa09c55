package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"kiothi/agent"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file plays the games of a match in lockstep.

// Match plays a match of contender a against contender b. In the games with an even number, a is South; the game after
// such a one has the same opening and the seats changed.
//
// When ctx ends, Match returns an error that wraps ctx's, together with the result of the pairs that were finished.
// (Short games finish first: such a result is a hint, not a measurement.) When an agent fails or chooses an illegal
// action, the match ends with an error that names the agent, the game and the position.
func Match(ctx context.Context, g mancala.Game, a, b Contender, o Options) (*Result, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.filled()
	openings, err := drawOpenings(ctx, g, o)
	if err != nil {
		return nil, err
	}
	m := &match{game: g, contenders: [2]Contender{a, b}, options: o, openings: openings}
	err = m.run(ctx)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	slices.SortFunc(m.played, func(x, y Played) int { return x.Number - y.Number })
	return summarize(g, m.contenders, o, m.played), err
}

// A match is a match being played.
type match struct {
	game       mancala.Game
	contenders [2]Contender
	options    Options
	openings   []opening
	begun      int     // games
	running    []*play // by number
	played     []Played
	ask        question
}

// A play is a game being played.
type play struct {
	number    int
	state     mancala.State
	actions   []mancala.Action
	turns     int
	cut       int
	source    rand.PCG
	rng       *rand.Rand // on source
	contender [2]int     // by seat
}

// run plays all games.
func (m *match) run(ctx context.Context) error {
	for {
		for len(m.running) < m.options.Concurrent && m.begun < m.options.Games {
			m.begin()
		}
		if len(m.running) == 0 {
			return nil
		}
		for contender := range m.contenders {
			if err := m.move(ctx, contender); err != nil {
				if ctx.Err() != nil {
					err = stopped(ctx)
				}
				return err
			}
		}
		m.collect()
	}
}

// stopped is the error of a match whose context has ended.
func stopped(ctx context.Context) error { return fmt.Errorf("the match was stopped: %w", ctx.Err()) }

// begin starts the next game.
func (m *match) begin() {
	number := m.begun
	m.begun++
	opening := &m.openings[number/2]
	p := &play{
		number: number, state: opening.state, actions: slices.Clone(opening.actions), turns: opening.turns,
		contender: [2]int{number % 2, 1 - number%2},
	}
	p.rng = rand.New(&p.source)
	m.running = append(m.running, p)
}

// collect takes the finished games out of the running ones.
func (m *match) collect() {
	before := len(m.played)
	m.running = slices.DeleteFunc(m.running, func(p *play) bool {
		if p.state.Over() {
			m.played = append(m.played, m.finish(p))
		}
		return p.state.Over()
	})
	if len(m.played) > before && m.options.Progress != nil {
		m.options.Progress(len(m.played))
	}
}

// move lets a contender choose and play one action in each game in which it is to move.
func (m *match) move(ctx context.Context, contender int) error {
	q := &m.ask
	q.reset()
	for _, p := range m.running {
		if !p.state.Over() && p.contender[p.state.Player] == contender {
			seed.Reseed(&p.source, seed.Mix(m.options.Seed, seed.Match, uint64(p.number), uint64(p.state.Player), uint64(len(p.actions))))
			q.add(p)
		}
	}
	if len(q.plays) == 0 {
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	player := m.contenders[contender]
	if batch, ok := player.Agent.(agent.Batch); ok {
		if err := batch.ChooseBatch(ctx, q.states, q.rngs, q.actions); err != nil {
			return fmt.Errorf("agent %s failed in a batch of %d games, the first of them %s: %w",
				player.Name, len(q.plays), m.place(q.plays[0]), err)
		}
	} else if at, err := q.each(ctx, player.Agent, m.options.Workers); err != nil {
		return fmt.Errorf("agent %s failed in %s: %w", player.Name, m.place(q.plays[at]), err)
	}
	for i, p := range q.plays {
		mover := p.state.Player
		turn, err := m.game.Play(&p.state, q.actions[i])
		if err != nil {
			return fmt.Errorf("agent %s chose an illegal action in %s: %w", player.Name, m.place(p), err)
		}
		p.actions = append(p.actions, q.actions[i])
		if p.state.Over() || p.state.Player != mover {
			p.turns++
		}
		if turn.Cut {
			p.cut++
		}
	}
	return nil
}

// place names a game and its position, for errors.
func (m *match) place(p *play) string {
	return fmt.Sprintf("game %d as %s, %s %s, position %q", p.number, p.state.Player, m.game.Name(), m.game.Rules(), m.game.Format(&p.state))
}

// A question is what one contender is asked in one round: an entry a game in each slice.
type question struct {
	plays   []*play
	states  []mancala.State // copies, so that no agent can change a game
	rngs    []*rand.Rand
	actions []mancala.Action
	errs    []error
}

func (q *question) reset() {
	q.plays, q.states, q.rngs = q.plays[:0], q.states[:0], q.rngs[:0]
	q.actions, q.errs = q.actions[:0], q.errs[:0]
}

func (q *question) add(p *play) {
	q.plays = append(q.plays, p)
	q.states = append(q.states, p.state)
	q.rngs = append(q.rngs, p.rng)
	q.actions = append(q.actions, 0)
	q.errs = append(q.errs, nil)
}

// each asks an agent game by game, spread over workers. It returns the first failure in the order of the games, which does
// not depend on the workers.
func (q *question) each(ctx context.Context, a agent.Agent, workers int) (int, error) {
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(q.plays); i = int(next.Add(1)) - 1 {
			q.actions[i], q.errs[i] = a.Choose(ctx, &q.states[i], q.rngs[i])
		}
	}
	var wg sync.WaitGroup
	for range min(workers, len(q.plays)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	for i, err := range q.errs {
		if err != nil {
			return i, err
		}
	}
	return 0, nil
}
