package selfplay

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"kiothi/agent/network"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// A Pool is all the streams of a run.
type Pool struct {
	streams []*stream
}

// NewPool makes the streams of a run, which play with the given weights: these may be changed between calls of Play, not
// during one.
func NewPool(g mancala.Game, w *network.Weights, c Config) (*Pool, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	p := &Pool{}
	for i := range c.Streams {
		s, err := newStream(g, w, &c, i)
		if err != nil {
			return nil, err
		}
		p.streams = append(p.streams, s)
	}
	return p, nil
}

// Begin starts an iteration: the weights may have changed, so that the searches under way begin anew. It fails under rules
// that leave nothing to choose.
func (p *Pool) Begin() error {
	for _, s := range p.streams {
		s.finished = nil
		if err := s.restart(); err != nil {
			return fmt.Errorf("self-play: %w", err)
		}
	}
	return nil
}

// Play runs the streams on a number of workers until each has finished its quota of games, and calls onGame, from any of
// them, for each finished game. The games are returned by stream, in the order in which they ended. When ctx ends before,
// Play returns its error; the iteration can go on with another call, now or, with State and Restore, in another process.
func (p *Pool) Play(ctx context.Context, workers int, onGame func()) ([]*replay.Game, Cost, error) {
	waiting := make(chan *stream, len(p.streams))
	for _, s := range p.streams {
		s.onGame = onGame
		waiting <- s
	}
	close(waiting)
	errs := make([]error, min(workers, len(p.streams)))
	var group sync.WaitGroup
	for i := range errs {
		group.Go(func() {
			for s := range waiting {
				if err := s.run(ctx); err != nil {
					errs[i] = err
					return
				}
			}
		})
	}
	group.Wait()
	var games []*replay.Game
	var cost Cost
	for _, s := range p.streams {
		games = append(games, s.finished...)
		cost.add(s)
	}
	// Of several errors, one that is not the end of ctx is worth more.
	var stopped error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Cause(ctx)) && !errors.Is(err, ctx.Err()) {
			return nil, cost, err
		}
		if err != nil {
			stopped = err
		}
	}
	return games, cost, stopped
}

// State is what a stopped Pool needs to go on, beside its configuration and weights.
type State struct {
	Begun    []uint64       // games begun, by stream
	UnderWay []*replay.Game // by stream and slot
	Finished []*replay.Game // of the iteration, by stream, in the order in which they ended
}

// State returns where the streams are. It is valid until the next call of the Pool.
func (p *Pool) State() State {
	var state State
	for _, s := range p.streams {
		state.Begun = append(state.Begun, s.begun)
		state.UnderWay = append(state.UnderWay, s.underWay()...)
		state.Finished = append(state.Finished, s.finished...)
	}
	return state
}

// Restore puts a new Pool, with the configuration and weights of the one that State was taken from, where that one was.
func (p *Pool) Restore(state State) error {
	if len(state.Begun) != len(p.streams) {
		return fmt.Errorf("self-play: found the state of %d streams, expected %d", len(state.Begun), len(p.streams))
	}
	under, finished := split(state.UnderWay, len(p.streams)), split(state.Finished, len(p.streams))
	if under == nil || finished == nil {
		return fmt.Errorf("self-play: found games of streams beyond the %d of the configuration", len(p.streams))
	}
	for i, s := range p.streams {
		if err := s.restore(state.Begun[i], under[i], finished[i]); err != nil {
			return fmt.Errorf("self-play: %w", err)
		}
	}
	return nil
}

// split sorts games by stream, in their order; nil when there is a stream that should not be.
func split(games []*replay.Game, streams int) [][]*replay.Game {
	byStream := make([][]*replay.Game, streams)
	for _, g := range games {
		if g.ID.Stream >= uint64(streams) {
			return nil
		}
		byStream[g.ID.Stream] = append(byStream[g.ID.Stream], g)
	}
	return byStream
}
