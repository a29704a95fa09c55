package arena

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file takes the games of a tournament from the first to the last; a round of actions is in round.go.

// Match plays a match of contender a against contender b. In the games with an even number, a is South, or whoever moves first
// from a given position; the game after such a one has the same opening and the seats changed. A match is the same as that of
// the first two contenders of a round robin.
//
// When ctx ends, Match returns an error that wraps ctx's, together with the result of the pairs that were finished. (Short
// games finish first: such a result is a hint, not a measurement.)
func Match(ctx context.Context, g mancala.Game, a, b Contender, o Options) (*Result, error) {
	table, err := RoundRobin(ctx, g, []Contender{a, b}, o)
	if table == nil {
		return nil, err
	}
	return table.Matches[0], err
}

// RoundRobin plays a match between every two contenders, as Match does, all from the same openings. The first games of all
// matches are played first, so that a tournament that was stopped has as many pairs of games of each.
//
// The error without a table names what went wrong: the options, or, without Options.Forfeits, an agent and the game and
// position in which it failed.
func RoundRobin(ctx context.Context, g mancala.Game, contenders []Contender, o Options) (*Table, error) {
	if err := o.CheckFor(len(contenders)); err != nil {
		return nil, err
	}
	o = o.filled(contenders)
	openings, err := drawOpenings(ctx, g, o)
	if err != nil {
		return nil, err
	}
	t := newTournament(ctx, g, contenders, o, openings)
	if o.SPRT != nil {
		if t.test, err = newTest(*o.SPRT); err != nil {
			return nil, err
		}
	}
	err = t.run(ctx)
	for _, p := range t.running {
		t.release(p)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return t.table(), err
}

// A tournament is a tournament being played.
type tournament struct {
	game     mancala.Game
	entrants []*entrant
	pairs    [][2]int // entrants, by match
	options  Options
	openings []opening

	begun    int     // games
	running  []*play // in the order in which they began
	finished int     // games
	played   [][]Played
	tasks    []task
	test     *test // nil: all games are played
}

// An entrant is a contender in a tournament.
type entrant struct {
	Contender
	batch   agent.Batch   // nil: asked game by game
	starter agent.Starter // nil: the same player in all games; never set beside batch
	context context.Context

	effort  agent.Effort
	answers atomic.Int64
	spent   atomic.Int64 // nanoseconds in calls that had an answer
	alone   atomic.Bool  // asked game by game from now on, for a batch took too long

	ask question
}

// A play is a game being played.
type play struct {
	match   int
	number  int // in its match
	opening *opening
	state   mancala.State
	actions []mancala.Action
	turns   int
	cut     int
	source  rand.PCG
	rng     *rand.Rand     // on source
	seats   [2]int         // entrants by seat
	players [2]agent.Agent // by seat
	asked   mancala.State  // what the agent is shown, so that it cannot change the game

	action mancala.Action
	again  bool   // its batch failed, so that nobody knows what the agent would do in this game
	fault  *fault // of the player to move
}

func newTournament(ctx context.Context, g mancala.Game, contenders []Contender, o Options, openings []opening) *tournament {
	t := &tournament{game: g, options: o, openings: openings}
	for _, c := range contenders {
		e := &entrant{Contender: c}
		e.context = agent.WithEffort(ctx, &e.effort)
		if batch, ok := c.Agent.(agent.Batch); ok {
			e.batch = batch
		} else if starter, ok := c.Agent.(agent.Starter); ok {
			e.starter = starter
		}
		t.entrants = append(t.entrants, e)
	}
	// In this order one more contender at the end changes no match of the others.
	for second := range contenders {
		for first := range second {
			t.pairs = append(t.pairs, [2]int{first, second})
		}
	}
	t.played = make([][]Played, len(t.pairs))
	return t
}

// run plays all games.
func (t *tournament) run(ctx context.Context) error {
	total := len(t.pairs) * t.options.Games
	for {
		for len(t.running) < t.options.Concurrent && t.begun < total {
			t.begin()
		}
		if len(t.running) == 0 {
			return nil
		}
		if err := t.round(ctx); err != nil {
			if ctx.Err() != nil {
				err = stopped(ctx)
			}
			return err
		}
		t.collect()
		if t.test != nil && t.test.decided() {
			return nil
		}
	}
}

// stopped is the error of a tournament whose context has ended.
func stopped(ctx context.Context) error { return fmt.Errorf("the match was stopped: %w", ctx.Err()) }

// begin starts the next game.
func (t *tournament) begin() {
	pair := t.begun / 2 // of games
	match, number := pair%len(t.pairs), pair/len(t.pairs)*2+t.begun%2
	t.begun++
	opening := &t.openings[number/2]
	p := &play{match: match, number: number, opening: opening, state: opening.state, actions: slices.Clone(opening.actions), turns: opening.turns}
	p.rng = rand.New(&p.source)
	first := mancala.South // the seat of the first contender in the even games
	if opening.given {
		first = opening.state.Player
	}
	if number%2 == 1 {
		first = first.Other()
	}
	p.seats[first], p.seats[first.Other()] = t.pairs[match][0], t.pairs[match][1]
	for seat, i := range p.seats {
		e := t.entrants[i]
		if p.players[seat] = e.Agent; e.starter == nil {
			continue
		}
		var err error
		if p.players[seat], err = start(e.starter); err != nil && p.fault == nil {
			p.state.Player = mancala.Player(seat) // the loser is the one to move
			p.fault = faultOf(err)
		}
	}
	t.running = append(t.running, p)
}

// start makes a player for a game.
func start(s agent.Starter) (player agent.Agent, err error) {
	defer recovered(&err)
	return s.Start(), nil
}

// mover returns the entrant to move in a game.
func (t *tournament) mover(p *play) *entrant { return t.entrants[p.seats[p.state.Player]] }

// collect takes the finished games out of the running ones.
func (t *tournament) collect() {
	before := t.finished
	t.running = slices.DeleteFunc(t.running, func(p *play) bool {
		over := p.fault != nil || p.state.Over()
		if over {
			t.finished++
			done := t.finish(p)
			t.played[p.match] = append(t.played[p.match], done)
			if t.test != nil {
				t.test.add(&done)
			}
			t.release(p)
		}
		return over
	})
	if t.finished > before && t.options.Progress != nil {
		t.options.Progress(t.finished)
	}
}

// release closes the players that were made for a game.
func (t *tournament) release(p *play) {
	for seat, player := range p.players {
		if t.entrants[p.seats[seat]].starter == nil {
			continue
		}
		// A player that hangs may hang here as well.
		_, err := within(context.Background(), closeTime, t.options.grace, func(context.Context) error { return agent.Close(player) })
		if err != nil && t.options.Warn != nil {
			t.options.Warn(fmt.Errorf("closing agent %s after game %d: %w", t.entrants[p.seats[seat]].Name, p.number, err))
		}
	}
}

// closeTime is how long a player may take to be closed.
const closeTime = 5 * time.Second
