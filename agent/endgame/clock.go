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
	unchanged, differ := 0, int64(0)
	for r := 1; r <= limit && unchanged < 2; r++ {
		var err error
		if differ, err = s.step(r, differ); err != nil {
			return nil, err
		}
		unchanged++
		if differ > 0 {
			unchanged = 0
		}
		s.work.advance(left / 8) // how many steps there will be is not known; later ones have less to do
		left -= left / 8
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

// step finds the results with r turns left, and returns how many differ from those with r-2. As many as stirred differed
// in the step before.
func (s *solver) step(r int, stirred int64) (int64, error) {
	// Where few have changed, most of the time goes into finding those that follow from them.
	few := r > 2 && stirred < int64(s.index.size/8)
	var differ atomic.Int64
	err := s.work.share(s.index.size, func(_, k int, first, end uint32) {
		clear(s.changed[r%2][first/64 : (end+63)/64])
		e := evaluation{solver: s, moves: &s.moves[k], first: first, r: r}
		if few {
			e.stirred()
		} else {
			e.all()
		}
		differ.Add(e.differ)
	})
	return differ.Load(), err
}

// An evaluation is a step for the positions of one chunk, the first of which is first.
type evaluation struct {
	*solver
	moves  *moves
	first  uint32
	r      int
	differ int64
}

// all evaluates all positions.
func (e *evaluation) all() {
	to := e.moves.to
	for i, n := range e.moves.quiet {
		e.evaluate(uint32(i), to[:n])
		to = to[n:]
	}
}

// stirred evaluates the positions of which a move leads to one that changed in the step before.
func (e *evaluation) stirred() {
	changed := e.changed[(e.r-1)%2]
	quiet := e.moves.quiet
	at, start := 0, 0 // a position, and the first of its moves
	for i, n := range e.moves.to {
		if i < start || changed[n/64]>>(n%64)&1 == 0 {
			continue
		}
		for start+int(quiet[at]) <= i {
			start += int(quiet[at])
			at++
		}
		next := start + int(quiet[at])
		e.evaluate(uint32(at), e.moves.to[start:next])
		at, start = at+1, next
	}
}

// evaluate finds the result of the chunk's position i, whose moves that capture nothing lead to after.
func (e *evaluation) evaluate(i uint32, after []uint32) {
	before, now := e.results[(e.r-1)%2], e.results[e.r%2]
	best := e.moves.settled[i]
	for _, n := range after {
		best = max(best, -before[n])
	}
	n := e.first + i
	if e.r > 1 && best == now[n] {
		return
	}
	now[n] = best
	e.differ++
	e.changed[e.r%2][n/64] |= 1 << (n % 64)
	e.from[n] = turns(e.r)
	if best == before[n] {
		e.from[n] = turns(e.r - 1)
	}
}

// turns returns a number of turns as layer.from holds it.
func turns(r int) uint8 { return uint8(min(r, never)) }
