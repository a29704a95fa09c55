package endgame

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"kiothi/env/mancala"
)

// This file builds a table, layer by layer, in chunks that several workers share.

// Options are the settings of Build. The zero value is ready to use.
type Options struct {
	Marked    int  // see Scope
	AllTotals bool // see Scope
	Workers   int  // number of threads; 0: one a processor. The table does not depend on it.
	// Progress, if set, is told how many of 2·Cost.Positions steps are done. Calls do not overlap.
	Progress func(done, total int64)
}

// scope returns the scope that the options ask for.
func (o Options) scope(stones int) Scope { return Scope{stones, o.Marked, o.AllTotals} }

// Build builds the table of the positions with at most the given number of seeds on the board. When ctx ends before, it
// returns an error that wraps ctx.Err().
func Build(ctx context.Context, g mancala.Game, stones int, o Options) (*Table, error) {
	t := &Table{game: g, scope: o.scope(stones), clock: g.ClockLimit()}
	shapes, err := t.scope.shapes(g)
	if err != nil {
		return nil, err
	}
	w := work{ctx: ctx, workers: o.Workers, progress: o.Progress}
	if w.workers <= 0 {
		w.workers = runtime.GOMAXPROCS(0)
	}
	for _, s := range shapes {
		w.total += 2 * int64(s.size) // once for the moves, once for the clock
	}
	for _, s := range shapes {
		x := newIndex(g.Width(), s.seeds, s.marked)
		if t.layers[s.seeds], err = solve(&w, t, x); err != nil {
			return nil, fmt.Errorf("end-game table of %d stones, stopped at %d: %w", stones, s.seeds, err)
		}
	}
	return t, nil
}

// chunk is the number of positions that a worker takes at a time, a multiple of 64.
const chunk = 1 << 13

// work is what the layers of a table share while they are built.
type work struct {
	ctx      context.Context
	workers  int
	progress func(done, total int64)

	mutex       sync.Mutex
	done, total int64
}

// advance adds to what is done.
func (w *work) advance(n int64) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.done += n
	if w.progress != nil {
		w.progress(w.done, w.total)
	}
}

// share splits size positions into chunks and has the workers call do for each: chunk k is the positions from first up to
// end. The calls must not depend on each other. It returns the context's error when that ends before all is done.
func (w *work) share(size uint64, do func(worker, k int, first, end uint32)) error {
	chunks := chunksOf(size)
	next := make(chan int, chunks)
	for k := range chunks {
		next <- k
	}
	close(next)
	var wait sync.WaitGroup
	for worker := range min(w.workers, chunks) {
		wait.Go(func() {
			for k := range next {
				if w.ctx.Err() != nil {
					return
				}
				first := uint64(k) * chunk
				do(worker, k, uint32(first), uint32(min(first+chunk, size)))
			}
		})
	}
	wait.Wait()
	return w.ctx.Err()
}

// chunksOf returns the number of chunks of size positions.
func chunksOf(size uint64) int { return int((size + chunk - 1) / chunk) }

// position returns the state with the given rows and protected pits, South to move, with empty stores and a fresh clock.
// Where South has no move it is not yet over, as states from Play and Parse are.
func position(own, enemy mancala.Row, marks uint32) mancala.State {
	return mancala.State{Rows: [2]mancala.Row{own, enemy}, Marks: marks, Last: mancala.NoPit}
}
