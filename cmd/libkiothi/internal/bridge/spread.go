package bridge

import (
	"runtime/debug"
	"sync"
)

// This file spreads rows over cores.

// fewRows is the number of rows below which another goroutine costs more than it brings.
const fewRows = 32

// spread calls do for parts of the rows from 0 to n, at most workers of them at a time, and returns the first error, by
// row. A panic in do is returned as an error, since nothing else could catch it in a goroutine.
func spread(n, workers int, do func(part, low, high int) error) error {
	workers = max(1, min(workers, n/fewRows))
	if workers == 1 {
		return do(0, 0, n)
	}
	errs := make([]error, workers)
	var group sync.WaitGroup
	for part := range workers {
		group.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					errs[part] = &panicError{p, debug.Stack()}
				}
			}()
			errs[part] = do(part, part*n/workers, (part+1)*n/workers)
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
