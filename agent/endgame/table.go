package endgame

import (
	"fmt"
	"math/bits"

	"kiothi/env/mancala"
)

// This file is the table and how it is asked.

// A Table holds the exact results of the positions of a game with few seeds on the board. It is immutable and safe for
// concurrent use.
type Table struct {
	game   mancala.Game
	scope  Scope
	clock  int                          // the number of turns without a capture that ends the game
	layers [mancala.MaxSeeds + 1]*layer // by the number of seeds on the board, nil where the table has none
}

// A layer holds the results of the positions with one number of seeds on the board, by their numbers in the index.
//
// A result is what the player to move gets of the seeds on the board, less what the other player gets, when both play best
// for that difference. It depends on how many turns without a capture are left on the clock.
type layer struct {
	index  *index
	result []int8  // with a fresh clock
	from   []uint8 // with how many turns left, or more, it is the same: 0 to 254, or never
}

// never is the value of layer.from where the result is known with a fresh clock only.
const never = 255

// Game returns the game that the table is of.
func (t *Table) Game() mancala.Game { return t.game }

// Scope returns which positions the table holds.
func (t *Table) Scope() Scope { return t.scope }

// Positions returns the number of positions that the table holds, each with all clocks.
func (t *Table) Positions() int64 {
	n := int64(0)
	for _, l := range t.layers {
		if l != nil {
			n += int64(l.index.size)
		}
	}
	return n
}

// Check returns an error unless the table is of the game and rule set of g.
func (t *Table) Check(g mancala.Game) error {
	if t.game.Name() == g.Name() && t.game.Rules() == g.Rules() {
		return nil
	}
	return fmt.Errorf("it is of %s %s, expected %s %s; make one with kiothi endgame --game %s --rules %s",
		t.game.Name(), t.game.Rules(), g.Name(), g.Rules(), g.Name(), g.Rules())
}

// Probe returns the exact final margin of a position: the final store of the player to move minus the other's, the stores
// of s included, when both play best for margin. It is false for a position outside the table, and where the clock of s is
// so far on that the result is not that of a fresh one.
func (t *Table) Probe(s *mancala.State) (margin int, ok bool) {
	l, n := t.find(s)
	if l == nil {
		return 0, false
	}
	if s.Clock != 0 {
		if from := l.from[n]; from == never || int(s.Clock)+int(from) > t.clock {
			return 0, false
		}
	}
	mover := s.Player & 1
	return int(s.Stores[mover]) - int(s.Stores[mover^1]) + int(l.result[n]), true
}

// find returns the layer of a position and its number there, or nil when it is outside the table.
func (t *Table) find(s *mancala.State) (*layer, uint32) {
	mover := s.Player & 1
	own, enemy := s.Rows[mover], s.Rows[mover^1]
	l := t.layers[own.Sum()+enemy.Sum()]
	if l == nil || s.Phase != mancala.Sow || s.Closed != 0 {
		return nil, 0
	}
	marks := s.Marks
	if marks != 0 {
		if mover == mancala.North {
			marks = mancala.SwapPits(marks, l.index.width)
		}
		if !l.index.marked || !onSeeds(marks, own, enemy, l.index.width) {
			return nil, 0
		}
	}
	return l, l.index.rank(own, enemy, marks)
}

// Best returns a move that gets the margin that Probe returns. Among several it takes the one after which the fewest turns
// on the clock are needed for it, so that a player who follows it gets on. It is false where Probe is, where the game is
// over, and in the rare positions close to the end of the clock for which the table knows the margin but not the move.
func (t *Table) Best(s *mancala.State) (best mancala.Action, ok bool) {
	margin, ok := t.Probe(s)
	if !ok {
		return 0, false
	}
	least := never + 1
	var buffer [mancala.MaxSeeds]mancala.Action
	for _, a := range t.game.AppendLegal(buffer[:0], s) {
		after := *s
		mancala.MustPlay(t.game, &after, a)
		if m, known := t.Probe(&after); !known || -m != margin {
			continue
		}
		if l, n := t.find(&after); int(l.from[n]) < least {
			best, least = a, int(l.from[n])
		}
	}
	return best, least <= never
}

// onSeeds reports whether all marked pits, relative to the mover, hold seeds.
func onSeeds(marks uint32, own, enemy mancala.Row, width int) bool {
	for ; marks != 0; marks &= marks - 1 {
		pit := bits.TrailingZeros32(marks)
		if pit < width && own.At(pit) == 0 || pit >= width && enemy.At(pit-width) == 0 {
			return false
		}
	}
	return true
}
