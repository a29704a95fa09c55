package bridge

import (
	"context"
	"sync/atomic"
	"time"
)

// This file lets an agent think in slices of time. A browser answers nothing while a module computes, and what computes on
// a single thread is not interrupted from outside; so a search goes on for some milliseconds, stops in the middle, and goes
// on when it is asked again.

// A pace is the context of a search. Agents ask every so often whether it has ended, as every context wants it. When the
// slice is over, it keeps the question waiting until the next slice begins.
type pace struct {
	context.Context
	cancel   context.CancelFunc
	end      atomic.Int64  // of the slice, in nanoseconds of the Unix time
	paused   chan struct{} // receives whoever waits for the next slice
	resumed  chan struct{} // lets the search go on
	finished chan struct{} // is closed when the search has ended
}

// start begins a search, and returns before it does anything.
func start(search func(ctx context.Context)) *pace {
	p := &pace{paused: make(chan struct{}), resumed: make(chan struct{}), finished: make(chan struct{})}
	p.Context, p.cancel = context.WithCancel(context.Background())
	go func() {
		defer close(p.finished)
		<-p.resumed
		search(p)
	}()
	return p
}

// Err implements context.Context.
func (p *pace) Err() error {
	if err := p.Context.Err(); err != nil || time.Now().UnixNano() < p.end.Load() {
		return err
	}
	p.paused <- struct{}{}
	<-p.resumed
	return p.Context.Err()
}

// step lets the search go on for a time, and reports whether it has ended.
func (p *pace) step(d time.Duration) (finished bool) {
	p.end.Store(time.Now().Add(d).UnixNano())
	p.resumed <- struct{}{}
	select {
	case <-p.paused:
		return false
	case <-p.finished:
		return true
	}
}

// stop ends a search that waits for its next slice, and returns when it has ended.
func (p *pace) stop() {
	p.cancel()
	p.resumed <- struct{}{}
	<-p.finished
}
