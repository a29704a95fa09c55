package endgame

import "sync/atomic"

// This file solves a layer: for a full clock, for one turn left, and so on to a fresh clock.

// A solver is a layer that is being solved. The results for r turns left are in results[r%2], those for r-1 in the other.
type solver struct {
	work    *work
	index   *index
	moves   []moves // of each chunk
	results [2][]int8
	// changed holds a bit for each position whose result differs between r and r-2 turns left, by r%2.
	changed [2][]uint64
	from    []uint8 // for layer.from
}

// solve returns a layer. The smaller layers that its captures lead to are in the table.
func solve(w *work, t *Table, x *index) (*layer, error) {
	s := &solver{work: w, index: x, moves: make([]moves, chunksOf(x.size)), from: make([]uint8, x.size)}
	for i := range s.results {
		s.results[i] = make([]int8, x.size)
		s.changed[i] = make([]uint64, (x.size+63)/64)
	}
	generators := make([]generator, w.workers)
	err := w.share(x.size, func(worker, k int, first, end uint32) {
		e := &generators[worker]
		e.table, e.index = t, x
		s.moves[k] = e.generate(first, end, s.results[0])
		w.advance(int64(end - first))
	})
	if err != nil {
		return nil, err
	}
	return s.run(t.clock)
}

// run goes from a full clock to a fresh one, or until the results no longer change.
//
// The result with r turns left is that of the best move: a move that captures leads to a fresh clock in a smaller layer, any
// other to r-1 turns left in this one. So a result is that of r-2 turns left again unless one of those it follows from has
// changed, and when two steps have changed nothing, no later one does. (Results may go on to alternate, for all we know:
// then they are known for a fresh clock only.)
func (s *solver) run(limit int) (*layer, error) {
	left := int64(s.index.size) // to be reported as done
	unchanged := 0
	for r := 1; r <= limit && unchanged < 2; r++ {
		n, err := s.step(r)
		if err != nil {
			return nil, err
		}
		unchanged++
		if n > 0 {
			unchanged = 0
		}
		s.work.advance(left / 2) // each step has less to do than the one before
		left -= left / 2
	}
	s.work.advance(left)

	// When the steps ended early, those that remain would change nothing.
	l := &layer{index: s.index, result: s.results[limit%2], from: s.from}
	other := s.results[1-limit%2]
	for n := range l.from {
		if l.result[n] != other[n] {
			l.from[n] = never
		}
	}
	return l, nil
}

// step finds the results with r turns left, and returns how many differ from those with r-2.
func (s *solver) step(r int) (int64, error) {
	var differ atomic.Int64
	before, now := s.results[(r-1)%2], s.results[r%2]
	stirred, changed := s.changed[(r-1)%2], s.changed[r%2]
	err := s.work.share(s.index.size, func(_, k int, first, end uint32) {
		m := &s.moves[k]
		to := m.to
		count := 0
		var bits uint64
		for n := first; n < end; n++ {
			after := to[:m.quiet[n-first]]
			to = to[len(after):]
			if r <= 2 || anyOf(stirred, after) {
				best := m.settled[n-first]
				for _, a := range after {
					best = max(best, -before[a])
				}
				if r == 1 || best != now[n] {
					now[n] = best
					count++
					bits |= 1 << (n % 64)
					s.from[n] = turns(r)
					if best == before[n] {
						s.from[n] = turns(r - 1)
					}
				}
			}
			if n%64 == 63 || n == end-1 {
				changed[n/64] = bits
				bits = 0
			}
		}
		differ.Add(int64(count))
	})
	return differ.Load(), err
}

// anyOf reports whether any of the positions is in a set of bits.
func anyOf(set []uint64, positions []uint32) bool {
	for _, n := range positions {
		if set[n/64]>>(n%64)&1 != 0 {
			return true
		}
	}
	return false
}

// turns returns a number of turns as layer.from holds it.
func turns(r int) uint8 { return uint8(min(r, never)) }
