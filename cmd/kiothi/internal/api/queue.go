package api

import (
	"context"
	"errors"
	"time"
)

// This file lets so many searches think at once, and some more wait.

// errBusy is the error of a request whose turn did not come.
var errBusy = errors.New("too many searches are under way")

// errTime is the error of a request that took longer than it may.
var errTime = errors.New("the time for a request is over")

// A queue lets a number of requests through at once.
type queue struct {
	running chan struct{}
	waiting chan struct{}
	wait    time.Duration
}

func newQueue(running, waiting int, wait time.Duration) *queue {
	return &queue{make(chan struct{}, running), make(chan struct{}, waiting), wait}
}

// enter returns when the request's turn has come. Its error is errBusy, or that of a context that has ended. After nil there has
// to be a leave.
func (q *queue) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case q.running <- struct{}{}:
		return nil
	default:
	}
	select {
	case q.waiting <- struct{}{}:
		defer func() { <-q.waiting }()
	default:
		return errBusy
	}
	late := time.NewTimer(q.wait)
	defer late.Stop()
	select {
	case q.running <- struct{}{}:
		return nil
	case <-late.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave lets the next one through.
func (q *queue) leave() { <-q.running }
