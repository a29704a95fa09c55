// This file shares work among goroutines so that the results do not depend on
// their number: what is cut into parts is cut alike for one and for many.

package network

import (
	"sync"
	"sync/atomic"

	"kiothi/agent/network/weights"
)

// shardRows is how many rows of a training batch a graph takes: enough for the
// products to run at full speed, and few enough for a processor's cores to have
// one each. The gradients of a batch are the sum of those of its shards, so their
// last bits depend on this number.
const shardRows = 256

// pieceSize is how many parameters a goroutine takes at a time when gradients are
// added up and weights moved: what the caches hold. It is a multiple of 16, which
// the vectors need.
const pieceSize = 1 << 14

// piece is a part of one parameter.
type piece struct {
	parameter  int
	begin, end int
}

func pieces(l weights.Layout) []piece {
	var all []piece
	for i, p := range l.Parameters {
		size := p.Rows.Padded * p.Columns.Padded
		for begin := 0; begin < size; begin += pieceSize {
			all = append(all, piece{i, begin, min(begin+pieceSize, size)})
		}
	}
	return all
}

// of is the piece of an array that is laid out as the parameters are.
func (p piece) of(l weights.Layout, flat []float32) []float32 {
	return weights.Part(l.Parameters[p.parameter], flat)[p.begin:p.end]
}

// share calls do with 0 to n-1, on some goroutines of which the caller's is one.
func share(workers, n int, do func(i int)) {
	var next atomic.Int64
	take := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	}
	var helpers sync.WaitGroup
	for range min(workers, n) - 1 {
		helpers.Go(take)
	}
	take()
	helpers.Wait()
}
