package endgame

import (
	"math"
	"slices"

	"kiothi/env/mancala"
)

// This file finds the moves of a layer's positions.

// moves are the moves of the positions of a chunk.
type moves struct {
	// settled is the best result of a position's moves that capture, or the result of one without a move; none if neither.
	settled []int8
	// quiet is the number of a position's moves that capture nothing, and to are the positions that these lead to, as the
	// other player sees them: those of the first position, then those of the second and so on.
	quiet []uint8
	to    []uint32
}

// none is less than every result and every negated result.
const none = math.MinInt8

// A generator finds the moves of positions. Each worker has its own.
type generator struct {
	table *Table
	index *index
	legal []mancala.Action
	to    []uint32
	// The position and the one after a move are here, because the engine is called through an interface: as variables they
	// would be allocated each time.
	state, after mancala.State
}

// generate finds the moves of the positions from first up to end, and writes their results with a full clock. It asks the
// engine for all that the rules say.
func (e *generator) generate(first, end uint32, full []int8) moves {
	m := moves{settled: make([]int8, end-first), quiet: make([]uint8, end-first)}
	e.to = e.to[:0]
	g := e.table.game
	for n := first; n < end; n++ {
		s, after := &e.state, &e.after
		*s = position(e.index.position(n))
		before := len(e.to)
		e.legal = g.AppendLegal(e.legal[:0], s)
		best := none
		for _, a := range e.legal {
			*after = *s
			turn := mancala.MustPlay(g, after, a)
			own, enemy := after.Rows[mancala.North], after.Rows[mancala.South]
			marks := mancala.SwapPits(after.Marks, e.index.width)
			won, lost := int(turn.Captured[mancala.South]), int(turn.Captured[mancala.North])
			if won+lost == 0 {
				e.to = append(e.to, e.index.rank(own, enemy, marks))
				continue
			}
			smaller := e.table.layers[e.index.seeds-won-lost]
			best = max(best, won-lost-int(smaller.result[smaller.index.rank(own, enemy, marks)]))
		}
		m.quiet[n-first] = uint8(len(e.to) - before)

		s.End = mancala.Exhausted
		if len(e.legal) == 0 {
			s.End = mancala.Stuck
		}
		margin := mancala.Margin(g, s, mancala.South)
		full[n] = int8(margin)
		if len(e.legal) == 0 {
			best = margin // whatever the clock
		}
		m.settled[n-first] = int8(best)
	}
	m.to = slices.Clone(e.to)
	return m
}
