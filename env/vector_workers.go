package env

import "sync/atomic"

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

// A team is a Vector's workers: the caller of run, and goroutines that wait for work. They take the rows block by block,
// and run waits for the blocks, not for the workers: on a machine that is busy otherwise, a goroutine that comes late
// finds nothing left to do, and holds up nobody.
type team struct {
	vector *Vector
	wake   []chan struct{} // of each goroutine

	task     task         // written while no block is free, and read by whoever has taken one
	next     atomic.Int64 // the first row that nobody has taken
	left     atomic.Int64 // blocks that are not done
	failed   atomic.Bool
	finished chan struct{} // told when no block is left
}

// newTeam returns a team of at most size workers, of which the caller is one.
func newTeam(v *Vector, size int) *team {
	t := &team{vector: v, finished: make(chan struct{}, 1)}
	t.next.Store(int64(v.Len()))
	for range min(size, t.blocks()) - 1 {
		wake := make(chan struct{}, 1)
		t.wake = append(t.wake, wake)
		go func() {
			for range wake {
				t.work()
			}
		}()
	}
	return t
}

// blocks returns the number of blocks.
func (t *team) blocks() int { return (t.vector.Len() + blockRows - 1) / blockRows }

// run does a task and reports whether it succeeded for all rows.
func (t *team) run(do task) bool {
	t.task = do
	t.failed.Store(false)
	t.left.Store(int64(t.blocks()))
	t.next.Store(0) // from here on, blocks are taken
	for _, wake := range t.wake {
		select {
		case wake <- struct{}{}:
		default: // it has not yet come for an earlier task
		}
	}
	t.work()
	<-t.finished
	t.task = task{} // so that the caller's buffers are not kept
	return !t.failed.Load()
}

// work does the task block by block, until none is left to take.
func (t *team) work() {
	n := t.vector.Len()
	for {
		high := int(t.next.Add(blockRows))
		low := high - blockRows
		if low >= n {
			return
		}
		t.block(low, min(high, n))
		if t.left.Add(-1) == 0 {
			t.finished <- struct{}{}
		}
	}
}

// block does the task to the rows from low to high.
func (t *team) block(low, high int) {
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

// close ends the goroutines.
func (t *team) close() {
	for _, wake := range t.wake {
		close(wake)
	}
}
