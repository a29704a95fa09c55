package riokadalis

import "kiothi/env/mancala"

// This file is the sowing of a turn (rules, section 3.2).

// firstLook is the lap after which a relay is watched for running in a circle. Few relays get there.
const firstLook = 32

// fours returns the row with one stone in each hole of r that holds exactly four.
func fours(r mancala.Row) mancala.Row {
	const low = mancala.Lanes * (mancala.PitMask >> 1) // all bits of each hole but the highest
	r ^= mancala.Lanes * four                          // zero where there are four
	return ^((r&low + low) | r) >> (mancala.PitBits - 1) & mancala.Lanes
}

// sow lifts the mover's hole and sows it, lap after lap, until the turn ends. It leaves the rest of the turn (whose turn
// is next, clock, end) to Play.
func (g *Game) sow(s *mancala.State, hole int) mancala.Turn {
	if s.Closed == 0 {
		return g.open.sow(s, hole, g.rules.LapLimit)
	}
	closed := s.Closed
	if s.Player == mancala.North {
		closed = s.Swapped(g.rules.Holes).Closed
	}
	if t, ok := g.closed[closed]; ok {
		return t.sow(s, hole, g.rules.LapLimit)
	}
	return g.sowUnusual(s, hole, closed)
}

// sowUnusual sows on a board with closed holes that no competition has.
func (g *Game) sowUnusual(s *mancala.State, hole int, closed uint32) mancala.Turn {
	var t ring
	t.build(&g.rules, closed)
	return t.sow(s, hole, g.rules.LapLimit)
}

// sow sows on this ring. Holes where a dropped stone makes four are found by comparing all holes of a row at once. The
// last hole of a lap is one of them: when it holds four, the turn is over, and the four is moved from the owner of the
// row to the mover at the end.
func (t *ring) sow(s *mancala.State, hole, lapLimit int) mancala.Turn {
	mover := s.Player & 1
	own, enemy := s.Rows[mover], s.Rows[mover^1]
	var wonOwn, wonEnemy mancala.Row // how many fours were won in each hole, twelve at most

	// A relay that comes back to where it was at the last look runs in a circle, in which nothing is won.
	look := min(firstLook, lapLimit)
	lookedAt, seenOwn, seenEnemy, seenLast := 0, ^mancala.Row(0), mancala.Row(0), uint8(0)

	stones := own.At(hole)
	own = own.With(hole, 0)
	last := uint8(16 * hole)
	var l *lap
	laps := 0
	cut := false
	for {
		laps++
		for stones > t.holes { // once around, with more stones to come
			own, enemy = own+t.own, enemy+t.enemy
			madeOwn, madeEnemy := fours(own)&t.own, fours(enemy)&t.enemy
			own, enemy = own-madeOwn*four, enemy-madeEnemy*four
			wonOwn, wonEnemy = wonOwn+madeOwn, wonEnemy+madeEnemy
			stones -= t.holes
		}
		l = &t.laps[last+uint8(stones)]
		last = l.last
		own, enemy = own+l.own, enemy+l.enemy
		stones = int((own&l.lastOwn | enemy&l.lastEnemy) >> l.shift)
		madeOwn, madeEnemy := fours(own)&l.own, fours(enemy)&l.enemy
		own, enemy = own-madeOwn*four, enemy-madeEnemy*four
		wonOwn, wonEnemy = wonOwn+madeOwn, wonEnemy+madeEnemy
		if stones == 1 || stones == four {
			break
		}
		if own == seenOwn && enemy == seenEnemy && last == seenLast {
			circle := laps - lookedAt
			laps += (lapLimit - laps) / circle * circle
			look, seenOwn = lapLimit, ^mancala.Row(0)
		}
		if laps == look {
			if cut = laps == lapLimit; cut {
				break
			}
			look = min(2*look, lapLimit)
			lookedAt, seenOwn, seenEnemy, seenLast = laps, own, enemy, last
		}
		own, enemy = own&^l.lastOwn, enemy&^l.lastEnemy
	}

	s.Rows[mover], s.Rows[mover^1] = own, enemy
	gainOwn, gainEnemy := uint8(four*wonOwn.Sum()), uint8(four*wonEnemy.Sum())
	if stones == four && l.lastEnemy != 0 { // binikh in the enemy row
		gainOwn, gainEnemy = gainOwn+four, gainEnemy-four
	}
	turn := mancala.Turn{Laps: int32(laps), Cut: cut}
	turn.Captured[mover], turn.Captured[mover^1] = gainOwn, gainEnemy
	s.Stores[mover] += gainOwn
	s.Stores[mover^1] += gainEnemy
	return turn
}
