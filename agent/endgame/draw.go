package endgame

import (
	"math/rand/v2"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file draws positions of a table at random.

// Draw returns a position drawn uniformly from all of the table, with a fresh clock and either player to move. The seeds
// that are not on the board lie in the stores in such a way that the game is open: they differ by no more than lie on the
// board.
func (t *Table) Draw(rng *rand.Rand) mancala.State {
	at := rng.Int64N(t.Positions())
	for _, l := range t.layers {
		if l == nil {
			continue
		}
		if at < int64(l.index.size) {
			return t.dress(l.index, uint32(at), rng)
		}
		at -= int64(l.index.size)
	}
	panic("endgame: the layers hold fewer positions than the table")
}

// dress returns a position of a layer with stores.
func (t *Table) dress(x *index, n uint32, rng *rand.Rand) mancala.State {
	s := position(x.position(n))
	won := t.game.Seeds() - x.seeds
	least, most := max(0, (won-x.seeds+1)/2), min(won, (won+x.seeds)/2)
	step := 1
	if _, ok := t.game.(*riokadalis.Game); ok && won%4 == 0 {
		step = 4 // they are won in fours
		least = (least + 3) / 4 * 4
	}
	s.Stores[mancala.South] = uint8(least + step*rng.IntN((most-least)/step+1))
	s.Stores[mancala.North] = uint8(won) - s.Stores[mancala.South]
	if rng.IntN(2) == 1 {
		s = s.Swapped(t.game.Width())
	}
	settled, err := t.game.Parse(t.game.Format(&s)) // finds out whether the game is over
	if err != nil {
		panic("endgame: the engine refuses a position of the table: " + err.Error())
	}
	return settled
}
