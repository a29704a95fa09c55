package arena

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// This file calls agents so that one that panics or hangs harms nobody but itself.

// A panicError is a panic of an agent.
type panicError struct {
	value any
	where string // file and line
}

// Error says what was panicked with, and where.
func (e *panicError) Error() string { return fmt.Sprintf("panic at %s: %v", e.where, e.value) }

// An overdueError says that a call took more than its time.
type overdueError struct {
	bound, took time.Duration
	left        bool // it has not returned even then
}

// Error says how long the call took, or that it was left behind.
func (e *overdueError) Error() string {
	if e.left {
		return fmt.Sprintf("no answer in %v, nor in the %v after that: left behind", e.bound, (e.took - e.bound).Round(time.Millisecond))
	}
	return fmt.Sprintf("the answer took %v, more than the bound of %v", precise(e.took), e.bound)
}

// precise rounds a time to three digits or more.
func precise(d time.Duration) time.Duration {
	for unit := time.Millisecond; unit > 1; unit /= 1000 {
		if d >= 100*unit {
			return d.Round(unit)
		}
	}
	return d
}

// recovered turns a panic into an error. It is deferred.
func recovered(err *error) {
	if value := recover(); value != nil {
		*err = &panicError{value, panicPlace()}
	}
}

// panicPlace returns the file and line of the function that panicked; it is called while the panic is recovered from.
func panicPlace() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		frame, more := frames.Next()
		if frame.File != "" && !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", frame.File[strings.LastIndexByte(frame.File, '/')+1:], frame.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}

// within makes a call that has a time to return in, measured by the clock on the wall, and some more after its context has
// ended. The error is an *overdueError when it took longer, also where it has an answer by then. A call that does not return
// at all is left behind, still running: it must share no memory with anything that goes on.
func within(ctx context.Context, bound, grace time.Duration, call func(ctx context.Context) error) (took time.Duration, err error) {
	began := time.Now()
	inner, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer recovered(&err)
		err = call(inner)
	}()
	select {
	case err = <-done:
	case <-inner.Done():
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case err = <-done:
		case <-timer.C:
			took = time.Since(began)
			return took, &overdueError{bound, took, true}
		}
	}
	if took = time.Since(began); took >= bound {
		return took, &overdueError{bound, took, false}
	}
	return took, err
}
