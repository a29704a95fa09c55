package nnue

import (
	"fmt"
	"math/bits"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the input: which rows of the tables a position adds up.

// FeatureVersion is the version of the input's numbering. A network learned on one numbering plays nonsense on another.
const FeatureVersion = 1

// The sizes of the input.
const (
	// Cells is the number of values of a pit. Kiothi: the count, capped at 15, and 16 more if the pit is marked (an empty pit
	// may be, under protection "unmoved"). Rio Kadalis: the count, capped at 30, or 31 for a closed hole.
	Cells = 32
	// Pairs is the number of rows of a column: the value of the own pit times Cells, and that of the pit facing it.
	Pairs = Cells * Cells
	// StoreRows is the number of rows for the difference of the stores, own less enemy's, from -MaxSeeds on.
	StoreRows = 2*mancala.MaxSeeds + 1
	// ClockRows is the number of rows for the turns that are left before the clock ends the game: row b from 2^(b-1) turns
	// on, the last from 64 on.
	ClockRows = 8
	// Buckets is the number of sets of output layers. The seeds on the board choose one.
	Buckets = 8
	// MaxTables is the largest number of rows of a position: one a column, one for the stores, one for the clock.
	MaxTables = mancala.MaxWidth + 2
)

// A Layout is the input of one game under one rule set. The rows of its columns come first, the column of the own leftmost
// pit before the others; then those of the stores, then those of the clock.
type Layout struct {
	width, clock int
	kiothi       bool
	buckets      [mancala.MaxSeeds + 1]uint8 // by the seeds on the board
}

// LayoutOf returns the input of a game.
func LayoutOf(g mancala.Game) (Layout, error) {
	l := Layout{width: g.Width(), clock: g.ClockLimit(), kiothi: g.Name() == kiothi.Name}
	for seeds := range l.buckets {
		l.buckets[seeds] = uint8(min(seeds*Buckets/(g.Seeds()+1), Buckets-1))
	}
	if !l.kiothi && g.Name() != riokadalis.Name {
		return Layout{}, fmt.Errorf("game %q has no input for a network, expected %s or %s", g.Name(), kiothi.Name, riokadalis.Name)
	}
	return l, nil
}

// Columns returns the number of columns.
func (l *Layout) Columns() int { return l.width }

// Tables returns the number of rows that each position adds up: a row of each column, one of the stores, one of the clock.
func (l *Layout) Tables() int { return l.width + 2 }

// Rows returns the number of rows of all tables together.
func (l *Layout) Rows() int { return l.clockRow() + ClockRows }

// StoreRow returns the first row for the difference of the stores.
func (l *Layout) StoreRow() int { return l.width * Pairs }

// clockRow returns the first row for the clock.
func (l *Layout) clockRow() int { return l.StoreRow() + StoreRows }

// Bounds returns the rows of table t: from first, and before end.
func (l *Layout) Bounds(t int) (first, end int) {
	switch {
	case t < l.width:
		return t * Pairs, (t + 1) * Pairs
	case t == l.width:
		return l.StoreRow(), l.clockRow()
	}
	return l.clockRow(), l.Rows()
}

// Index writes the rows that a position in the phase Sow adds up, Tables of them and in the order of the tables, as the
// player to move sees it. It returns the bucket of the position. The game is not over.
func (l *Layout) Index(s *mancala.State, rows *[MaxTables]int32) (bucket int) {
	own, enemy := l.cells(s)
	// The enemy's last pit faces the own first: one row is read from its low end, the other from its high end.
	const top = mancala.PitBits * (mancala.MaxWidth - 1)
	enemy <<= uint(mancala.PitBits*(mancala.MaxWidth-l.width)) % 64
	for i := range rows[:l.width] {
		rows[i] = int32(i)*Pairs + int32(own%Cells)*Cells + int32(enemy>>top%Cells)
		own >>= mancala.PitBits
		enemy <<= mancala.PitBits
	}
	mover := s.Player & 1
	// No game has more seeds than MaxSeeds. The bounds keep assembly inside the tables whatever it is asked about.
	difference := int32(s.Stores[mover]) - int32(s.Stores[mover^1])
	rows[l.width] = int32(l.StoreRow()+mancala.MaxSeeds) + min(max(difference, -mancala.MaxSeeds), mancala.MaxSeeds)
	left := max(l.clock-int(s.Clock), 0)
	rows[l.width+1] = int32(l.clockRow() + min(bits.Len(uint(left)), ClockRows-1))
	return int(l.buckets[min(s.OnBoard(), mancala.MaxSeeds)])
}

// cells returns the values of the pits of the player to move and of the enemy, in the lanes of rows.
func (l *Layout) cells(s *mancala.State) (own, enemy mancala.Row) {
	mover := s.Player & 1
	own, enemy = s.Rows[mover], s.Rows[mover^1]
	if l.kiothi {
		south, north := spread(s.Marks), spread(s.Marks>>mancala.MaxWidth)
		if mover == mancala.North {
			south, north = north, south
		}
		return capped15(own) | south<<4, capped15(enemy) | north<<4
	}
	own, enemy = capped30(own), capped30(enemy)
	if s.Closed != 0 {
		south, north := spread(s.Closed), spread(s.Closed>>uint(l.width))
		if mover == mancala.North {
			south, north = north, south
		}
		mask := mancala.Row(1)<<(mancala.PitBits*uint(l.width)) - 1
		own |= south * (Cells - 1) & mask
		enemy |= north * (Cells - 1) & mask
	}
	return own, enemy
}

// capped15 returns the row with what is over 15 in each pit left out.
func capped15(r mancala.Row) mancala.Row {
	big := (r>>4 | r>>5) & mancala.Lanes
	return r&(15*mancala.Lanes) | big*15
}

// capped30 returns the row with what is over 30 in each pit left out.
func capped30(r mancala.Row) mancala.Row {
	big := (r>>5 | (r>>4)&(r>>3)&(r>>2)&(r>>1)&r) & mancala.Lanes // 32 or more, or 31
	return r&^(big*mancala.PitMask) | big*30
}

// spreads[b] holds bit i of b in lane i.
var spreads = func() (t [1 << mancala.MaxWidth]mancala.Row) {
	for set := range t {
		for i := range mancala.MaxWidth {
			t[set] |= mancala.Row(set>>i&1) << (mancala.PitBits * i)
		}
	}
	return t
}()

// spread returns the row with one seed in each pit of the set's first MaxWidth pits.
func spread(set uint32) mancala.Row { return spreads[set%(1<<mancala.MaxWidth)] }
