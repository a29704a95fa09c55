package kiothi

import "kiothi/env/mancala"

// This file is a sowing turn: laps, relays, lost marks and captures (rules, sections 2.3 and 2.4). Pits are relative to
// the mover: 0 to 9 the own row, 10 to 19 the enemy row, and bit i of a set of pits stands for pit i.

// A lap is what lifting n seeds from a pit and sowing them does to the board.
type lap struct {
	own, enemy mancala.Row // what to add to the rows: less n in the origin, one more for each seed that falls in a pit
	last       uint8       // the pit of the last seed
	// Shifting the own row right by ownShift and the enemy row by enemyShift leaves the last pit's lane of its row, and
	// of the other row the bits above all lanes, which are zero.
	ownShift, enemyShift uint8
}

const (
	lapStride = 32 // pits in lapTable for one n, a power of two; those from 2*width on are never used
	noLane    = mancala.PitBits * width
	lane      = mancala.Row(mancala.PitMask)
)

// lapTable holds the lap of n seeds from pit p at n*lapStride+p.
var lapTable = makeLaps()

func makeLaps() (table [64 * lapStride]lap) {
	for n := 1; n <= mancala.MaxSeeds; n++ {
		for p := range 2 * width {
			var rows [2]mancala.Row
			add := func(pit, seeds int) {
				rows[pit/width] += mancala.Row(seeds) << (mancala.PitBits * (pit % width))
			}
			add(p, -n)
			for i := 1; i <= n; i++ {
				add((p+i)%(2*width), 1)
			}
			last := (p + n) % (2 * width)
			l := lap{own: rows[0], enemy: rows[1], last: uint8(last), ownShift: noLane, enemyShift: noLane}
			if last < width {
				l.ownShift = uint8(mancala.PitBits * last)
			} else {
				l.enemyShift = uint8(mancala.PitBits * (last - width))
			}
			table[n*lapStride+p] = l
		}
	}
	return table
}

// lapOf returns the lap of n seeds from pit p.
func lapOf(n, p uint) *lap { return &lapTable[(n*lapStride|p)%(64*lapStride)] }

// inLast returns the number of seeds in the lap's last pit.
func (l *lap) inLast(own, enemy mancala.Row) uint {
	return uint(own>>(l.ownShift&63)|enemy>>(l.enemyShift&63)) & mancala.PitMask
}

// sow plays a legal sowing of k seeds from own pit r and writes what it did to turn, which is zero before. (Returned as
// a value, the turn would be copied as a whole right after its parts were written, and that stalls the processor.)
func (g *Game) sow(s *mancala.State, r, k uint, turn *mancala.Turn) {
	mover := s.Player & 1
	before := s.Rows[mover^1]
	own, enemy, pit, n, laps, lifted := relay(s.Rows[mover], before, r, k, g.lapLimit)

	turn.Laps, turn.Cut = laps, n != 1
	s.Marks &^= fromChair(mover, lifted&g.clears)
	s.Clock++
	if n == 1 && pit < width && (!g.rules.Crossing || crossed(enemy, before, lifted)) {
		var won uint8
		own, enemy, won = g.capture(pit, own, enemy, before, lifted, fromChair(mover, s.Marks))
		if won > 0 {
			s.Stores[mover] += won
			turn.Captured[mover] = won
			s.Clock = 0
		}
	}
	s.Rows[mover], s.Rows[mover^1] = own, enemy
	s.Player = mover ^ 1
	if enemy == 0 || g.stalls || s.Clock >= g.clockLimit { // else settle finds nothing
		g.settle(s)
	}
}

// relay sows n seeds from a pit, and on until a lap ends in an empty pit or the limit is reached. It returns the rows,
// the last pit and how many seeds are in it, the number of laps, and the pits that seeds were lifted from.
//
// It is not inlined so that all it works on stays in registers.
//
//go:noinline
func relay(own, enemy mancala.Row, pit, n uint, limit int32) (_, _ mancala.Row, last, inLast uint, laps int32, lifted uint32) {
	for {
		lifted |= 1 << (pit & 31)
		l := lapOf(n, pit)
		own += l.own
		enemy += l.enemy
		laps++
		pit = uint(l.last)
		n = l.inLast(own, enemy)
		if n == 1 || laps == limit {
			return own, enemy, pit, n, laps, lifted
		}
	}
}

// crossed reports whether a sowing that ended in the own row has come there from the enemy row: it has when it lifted or
// dropped any seed there.
func crossed(enemy, before mancala.Row, lifted uint32) bool {
	return enemy != before || lifted>>width != 0
}

// capture returns the rows after the capture, if there is one, by a last seed that fell in an empty own pit, and the
// number of seeds won. lifted are the pits lifted from in this turn, before is the enemy row as the turn found it.
func (g *Game) capture(pit uint, own, enemy, before mancala.Row, lifted, marks uint32) (_, _ mancala.Row, won uint8) {
	var taken mancala.Row // lanes of the enemy row
	facing := 2*width - 1 - pit
	if marks>>facing&1 == 0 {
		taken = enemy & (lane << (mancala.PitBits * (facing - width)))
	}
	if pit == 0 && (taken != 0 || !g.rules.BonusNeedsCapture) {
		taken |= g.bonus(enemy, before, lifted, marks)
	}
	if taken == 0 && !g.rules.LoneCapture {
		return own, enemy, 0
	}
	return own &^ (lane << (mancala.PitBits * pit)), enemy &^ taken, uint8(taken.Sum()) + 1
}

// bonus returns the enemy pits that the leftmost bonus takes.
func (g *Game) bonus(enemy, before mancala.Row, lifted, marks uint32) mancala.Row {
	var taken mancala.Row
	for pit := 2*width - 2; pit >= 2*width-4; pit-- {
		i := pit - width
		safe := marks>>pit&1 != 0 ||
			g.rules.BonusFresh && before.At(i) != 0 && lifted>>pit&1 == 0
		switch {
		case enemy.At(i) == 0 && g.rules.Bonus == BonusRun:
			return taken
		case g.rules.Bonus == BonusThree && (safe || enemy.At(i) == 0):
			return 0
		case safe:
			continue
		}
		taken |= enemy & (lane << (mancala.PitBits * i))
	}
	return taken
}

// fromChair turns a set of absolute pits into one relative to the player, and back.
func fromChair(p mancala.Player, set uint32) uint32 {
	shift := width * uint32(p&1)
	return (set<<shift | set>>(2*width-shift)) & allPits
}
