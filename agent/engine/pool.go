package engine

import (
	"context"
	"errors"
	"slices"
	"sync"

	"kiothi/agent/engine/internal/session"
)

// This file shares processes out among games.

// A seat is a process and the game that it was asked about last.
type seat struct {
	*session.Session
	game    *player // nil when no game under way is its own
	newGame bool    // the question at hand is about another game than the one before
	asked   bool    // a go has no bestmove yet
	busy    bool
	used    int
}

// A pool is the processes of an Engine.
type pool struct {
	start  func(context.Context) (*session.Session, error)
	tokens chan struct{} // one for each question under way; so many processes there are at most

	mutex    sync.Mutex
	seats    []*seat
	starting int // processes that are being started
	uses     int
	closed   bool
}

func newPool(processes int, start func(context.Context) (*session.Session, error)) *pool {
	return &pool{start: start, tokens: make(chan struct{}, processes)}
}

// take returns a process for a question of a game: the game's own, or one that belongs to no game, or a new one, or, where
// there may be no more, the one that another game has not used for the longest time. It waits while all are busy.
func (p *pool) take(ctx context.Context, game *player) (*seat, error) {
	select {
	case p.tokens <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	at, err := p.find(ctx, game)
	if err != nil {
		<-p.tokens
	}
	return at, err
}

// find is take with a token in hand: no more questions than processes are under way, this one included.
func (p *pool) find(ctx context.Context, game *player) (*seat, error) {
	p.mutex.Lock()
	if p.closed {
		p.mutex.Unlock()
		return nil, errors.New("the engine is closed")
	}
	// What ended while nobody used it can be replaced. A game is told that its process has, by the question that fails.
	p.seats = slices.DeleteFunc(p.seats, func(s *seat) bool {
		select {
		case <-s.Exited():
			return !s.busy && (s.game == nil || s.game != game)
		default:
			return false
		}
	})
	best, rank := (*seat)(nil), 0
	for _, s := range p.seats {
		r := 0
		switch {
		case s.busy:
		case game != nil && s.game == game:
			r = 3
		case s.game == nil:
			r = 2
		case len(p.seats)+p.starting >= cap(p.tokens):
			r = 1
		}
		if r > rank || r > 0 && r == rank && s.used < best.used {
			best, rank = s, r
		}
	}
	if best != nil {
		best.newGame = game == nil || best.game != game
		p.occupy(best, game)
		p.mutex.Unlock()
		return best, nil
	}
	p.starting++
	p.mutex.Unlock()
	started, err := p.start(ctx)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.starting--
	if err != nil {
		return nil, err
	}
	s := &seat{Session: started, newGame: true}
	p.seats = append(p.seats, s)
	p.occupy(s, game)
	return s, nil
}

// occupy gives a seat to a game. The mutex is held.
func (p *pool) occupy(s *seat, game *player) {
	p.uses++
	s.busy, s.game, s.used = true, game, p.uses
}

// give takes a seat back after a question.
func (p *pool) give(s *seat) {
	p.mutex.Lock()
	s.busy = false
	p.mutex.Unlock()
	<-p.tokens
}

// remove forgets a seat whose process is of no more use.
func (p *pool) remove(s *seat) {
	p.mutex.Lock()
	p.seats = slices.DeleteFunc(p.seats, func(other *seat) bool { return other == s })
	p.mutex.Unlock()
	<-p.tokens
}

// disown makes a game's process one that belongs to no game.
func (p *pool) disown(game *player) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, s := range p.seats {
		if s.game == game {
			s.game = nil
		}
	}
}

// close ends all processes, which are not in use.
func (p *pool) close() {
	p.mutex.Lock()
	seats := p.seats
	p.seats, p.closed = nil, true
	p.mutex.Unlock()
	var wait sync.WaitGroup
	for _, s := range seats {
		wait.Go(s.Close)
	}
	wait.Wait()
}
