package riokadalis

import "kiothi/env/mancala"

// This file is the tables of laps: which holes the stones of a lap fall in.

// A lap says where n stones lifted from a hole fall, for n up to the number of open holes, so that none gets two. Rows
// are the mover's (own) and the other player's (enemy).
type lap struct {
	own, enemy         mancala.Row // one stone in each hole that gets one
	lastOwn, lastEnemy mancala.Row // all bits of the hole that gets the last one, in its row
	shift              uint8       // where that hole begins in its row
	last               uint8       // that hole: 16 times its index relative to the mover, see ring.laps
}

// A ring is the open holes in the order of sowing.
type ring struct {
	lapLimit   int         // laps after which a relay is cut
	watchFrom  int         // the lap from which a relay is watched
	holes      int         // open holes
	own, enemy mancala.Row // one stone in each of them
	laps       [256]lap    // by 16·hole + stones; the index of a byte needs no bounds check
}

// build makes the ring of a rule set's board with a set of closed holes, relative to the mover.
func (t *ring) build(rules *Rules, closed uint32) {
	t.lapLimit, t.watchFrom = rules.LapLimit, min(watchFrom, rules.LapLimit)
	around := 2 * rules.Holes
	step := 1
	if rules.Clockwise {
		step = around - 1
	}
	for from := range around {
		if closed>>from&1 != 0 {
			continue
		}
		t.holes++
		t.own, t.enemy = drop(t.own, t.enemy, from, rules.Holes)
		var l lap
		at := from
		for n := 1; n <= around; n++ {
			at = (at + step) % around
			if closed>>at&1 != 0 {
				n-- // passed over
				continue
			}
			l.own, l.enemy = drop(l.own, l.enemy, at, rules.Holes)
			l.lastOwn, l.lastEnemy = drop(0, 0, at, rules.Holes)
			l.lastOwn *= mancala.PitMask
			l.lastEnemy *= mancala.PitMask
			l.shift = uint8(mancala.PitBits * (at % rules.Holes))
			l.last = uint8(16 * at)
			t.laps[16*from+n] = l
			if at == from {
				break
			}
		}
	}
}

// drop adds a stone to a hole, given by its index relative to the mover.
func drop(own, enemy mancala.Row, hole, width int) (mancala.Row, mancala.Row) {
	if hole < width {
		return own + 1<<(mancala.PitBits*hole), enemy
	}
	return own, enemy + 1<<(mancala.PitBits*(hole-width))
}
