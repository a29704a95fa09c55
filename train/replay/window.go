package replay

import (
	"fmt"
	"math/rand/v2"
	"unsafe"

	"kiothi/env/mancala"
)

// This file is the window: the newest positions in memory.

// A Sample is a position to learn from.
type Sample struct {
	State  mancala.State
	Policy []Entry // of the window: valid until the next Add, not to be changed; empty without PolicyTarget
	Flags  Flags
	Value  float32 // the search's utility of the position for the player to move
	Margin int     // the final store of the player to move minus the opponent's
}

// A position is a Sample as the window keeps it.
type position struct {
	state  mancala.State
	first  uint32 // of its policy in the block's
	value  float32
	length uint16 // of its policy
	margin int8
	flags  Flags
}

// A block is a game in the window.
type block struct {
	begin     int64 // positions added before it, since the window was made
	positions []position
	policy    []Entry
}

// bytes returns the memory of a block.
func (b *block) bytes() int64 {
	return int64(unsafe.Sizeof(*b)) + int64(cap(b.positions))*int64(unsafe.Sizeof(position{})) +
		int64(cap(b.policy))*int64(unsafe.Sizeof(Entry{}))
}

// A Window holds the newest games whose positions together are no more than a limit, and the newest one in any case: adding
// a game drops the oldest ones until it fits. It is not safe for concurrent use, except that At and Sample may run beside
// each other.
type Window struct {
	rules  mancala.Game
	limit  int
	blocks []*block // the oldest first
	end    int64    // positions added since the window was made
	bytes  int64
}

// NewWindow makes a window for games under the rules, of at most limit positions.
func NewWindow(rules mancala.Game, limit int) (*Window, error) {
	if limit < 1 {
		return nil, fmt.Errorf("replay window: found a limit of %d positions, expected at least 1", limit)
	}
	return &Window{rules: rules, limit: limit}, nil
}

// EstimateBytes returns about how much memory a full window needs when a policy has so many actions on average.
func EstimateBytes(positions int, actions float64) int64 {
	return int64(float64(positions) * (float64(unsafe.Sizeof(position{})) + actions*float64(unsafe.Sizeof(Entry{}))))
}

// Add puts a finished game into the window, which keeps nothing of g itself. A game that Check refuses, or that is not
// finished, is refused, and the window stays as it was. A game that alone is over the limit is then the only one.
func (w *Window) Add(g *Game) error {
	if g.End == mancala.Running {
		return fmt.Errorf("game %s: found it unfinished after %d plies, expected a finished one", g.ID, len(g.Plies))
	}
	if len(g.Plies) == 0 {
		return fmt.Errorf("game %s: found no positions, expected one or more", g.ID)
	}
	b := &block{begin: w.end, positions: make([]position, len(g.Plies)), policy: append(make([]Entry, 0, len(g.policy)), g.policy...)}
	err := g.replay(w.rules, func(i int, s *mancala.State) {
		ply, margin := &g.Plies[i], int8(g.Final[s.Player])-int8(g.Final[s.Player.Other()])
		policy := g.Policy(i)
		b.positions[i] = position{
			state: *s, first: ply.end - uint32(len(policy)), length: uint16(len(policy)),
			value: ply.Value, margin: margin, flags: ply.Flags,
		}
	})
	if err != nil {
		return err
	}
	w.end += int64(len(b.positions))
	w.bytes += b.bytes()
	w.blocks = append(w.blocks, b)
	for w.Len() > w.limit && len(w.blocks) > 1 {
		w.bytes -= w.blocks[0].bytes()
		w.blocks[0] = nil
		w.blocks = w.blocks[1:]
	}
	return nil
}

// Len returns the number of positions in the window.
func (w *Window) Len() int {
	if len(w.blocks) == 0 {
		return 0
	}
	return int(w.end - w.blocks[0].begin)
}

// Games returns the number of games in the window.
func (w *Window) Games() int { return len(w.blocks) }

// Bytes returns the memory that the window's games take.
func (w *Window) Bytes() int64 {
	return w.bytes + int64(cap(w.blocks))*int64(unsafe.Sizeof((*block)(nil)))
}

// At fills in the position of an index from 0, the oldest, to Len()-1. It allocates nothing.
func (w *Window) At(i int, s *Sample) {
	index := w.blocks[0].begin + int64(i)
	low, high := 0, len(w.blocks) // the block is in [low, high)
	for high-low > 1 {
		if middle := int(uint(low+high) / 2); w.blocks[middle].begin <= index {
			low = middle
		} else {
			high = middle
		}
	}
	b := w.blocks[low]
	p := &b.positions[index-b.begin]
	last := p.first + uint32(p.length)
	*s = Sample{p.state, b.policy[p.first:last:last], p.flags, p.value, int(p.margin)}
}

// Sample fills in a position drawn uniformly from the window, which holds one or more. It draws one number from rng, and
// allocates nothing.
func (w *Window) Sample(rng *rand.Rand, s *Sample) { w.At(rng.IntN(w.Len()), s) }
