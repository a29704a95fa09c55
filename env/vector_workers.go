package env

import (
	"sync"
	"sync/atomic"
)

// This file is the goroutines that share a Vector's rows.

// A task is what a team does to all rows of a Vector.
type task struct {
	kind    taskKind
	actions []int32  // to play, or to sample into
	buffers *Buffers // to write
}

type taskKind int

const (
	try taskKind = iota
	commit
	sample
)

// blockRows is the number of rows that a worker takes at once.
const blockRows = 64

// A team is a Vector's workers. The caller of run is one of them; the others wait in goroutines of their own.
type team struct {
	vector *Vector

	// The task being done.
	task   task
	next   atomic.Int64 // the first row that no worker has taken
	failed atomic.Bool
	done   sync.WaitGroup

	wake []chan struct{} // of each goroutine
}

// newTeam returns a team of at most size workers.
func newTeam(v *Vector, size int) *team {
	size = max(1, min(size, (v.Len()+blockRows-1)/blockRows))
	t := &team{vector: v}
	for range size - 1 {
		wake := make(chan struct{}, 1)
		t.wake = append(t.wake, wake)
		go func() {
			for range wake {
				t.blocks()
				t.done.Done()
			}
		}()
	}
	return t
}

// run does a task and reports whether it succeeded for all rows.
func (t *team) run(do task) bool {
	t.task = do
	t.next.Store(0)
	t.failed.Store(false)
	t.done.Add(len(t.wake))
	for _, wake := range t.wake {
		wake <- struct{}{}
	}
	t.blocks()
	t.done.Wait()
	t.task = task{} // so that the caller's buffers are not kept
	return !t.failed.Load()
}

// blocks does the task block by block, until none is left.
func (t *team) blocks() {
	n := t.vector.Len()
	for {
		high := int(t.next.Add(blockRows))
		low := high - blockRows
		if low >= n {
			return
		}
		high = min(high, n)
		switch t.task.kind {
		case try:
			if !t.vector.try(low, high, t.task.actions) {
				t.failed.Store(true)
			}
		case commit:
			t.vector.commit(low, high, t.task.actions, t.task.buffers)
		case sample:
			t.vector.sample(low, high, t.task.actions)
		}
	}
}

// close ends the goroutines.
func (t *team) close() {
	for _, wake := range t.wake {
		close(wake)
	}
}
