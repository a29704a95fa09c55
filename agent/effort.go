package agent

import (
	"context"
	"sync/atomic"
)

// This file counts what agents spend on their answers.

// An Effort counts the work behind the answers of an agent. It is safe for concurrent use.
type Effort struct {
	Simulations atomic.Int64 // simulations of a tree search
	Nodes       atomic.Int64 // positions that a turn was played to reach, in alpha-beta search
}

type effortKey struct{}

// WithEffort returns a context in which agents add what they spend to e.
func WithEffort(ctx context.Context, e *Effort) context.Context {
	return context.WithValue(ctx, effortKey{}, e)
}

// EffortOf returns the Effort of a context; nobody reads it when the context has none.
func EffortOf(ctx context.Context) *Effort {
	if e, ok := ctx.Value(effortKey{}).(*Effort); ok {
		return e
	}
	return new(Effort)
}
