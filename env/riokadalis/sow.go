package riokadalis

import "kiothi/env/mancala"

// This file is the sowing of a turn (rules, section 3.2).

// fours returns the row with one stone in each of the given holes of r that holds exactly four.
func fours(r, holes mancala.Row) mancala.Row {
	const low = mancala.Lanes * (mancala.PitMask >> 1) // all bits of each hole but the highest
	r ^= mancala.Lanes * four                          // zero where there are four
	return ^((r&low + low) | r) >> (mancala.PitBits - 1) & holes
}

// sow lifts the stones of the mover's hole and sows them on this ring, lap after lap, until the turn ends. What it won
// goes to the stores; whose turn is next, the clock and the end are left to Play.
//
// Holes where a dropped stone makes four are found by comparing all holes of a row at once. The last hole of a lap is
// one of them: when it holds four, the turn is over, and that four is moved from the owner of the row to the mover.
func (t *ring) sow(s *mancala.State, hole int) (laps int, south, north uint8, cut bool) {
	mover := s.Player & 1
	own, enemy := s.Rows[mover], s.Rows[mover^1]
	var wonOwn, wonEnemy mancala.Row // how many fours were won in each hole, twelve in all at most
	watch := watch{lapLimit: t.lapLimit}

	stones := own.At(hole)
	own &^= mancala.PitMask << (mancala.PitBits * hole & 63)
	l := &lap{last: uint8(16 * hole)}
	for {
		laps++
		for stones > t.holes { // once around, with more stones to come
			own, enemy = own+t.own, enemy+t.enemy
			madeOwn, madeEnemy := fours(own, t.own), fours(enemy, t.enemy)
			own, enemy = own-madeOwn*four, enemy-madeEnemy*four
			wonOwn, wonEnemy = wonOwn+madeOwn, wonEnemy+madeEnemy
			stones -= t.holes
		}
		l = &t.laps[l.last+uint8(stones)]
		own, enemy = own+l.own, enemy+l.enemy
		stones = int((own&l.lastOwn | enemy&l.lastEnemy) >> (l.shift & 63))
		madeOwn, madeEnemy := fours(own, l.own), fours(enemy, l.enemy)
		own, enemy = own-madeOwn*four, enemy-madeEnemy*four
		wonOwn, wonEnemy = wonOwn+madeOwn, wonEnemy+madeEnemy
		if stones == 1 || stones == four {
			break
		}
		if laps >= t.watchFrom {
			if laps, cut = watch.lap(laps, own, enemy, l.last); cut {
				break
			}
		}
		own, enemy = own&^l.lastOwn, enemy&^l.lastEnemy
	}

	s.Rows[mover], s.Rows[mover^1] = own, enemy
	gainOwn, gainEnemy := uint8(four*wonOwn.Sum()), uint8(four*wonEnemy.Sum())
	if stones == four && l.lastEnemy != 0 { // binikh in the enemy row
		gainOwn, gainEnemy = gainOwn+four, gainEnemy-four
	}
	if mover == mancala.North {
		gainOwn, gainEnemy = gainEnemy, gainOwn
	}
	s.Stores[mancala.South] += gainOwn
	s.Stores[mancala.North] += gainEnemy
	return laps, gainOwn, gainEnemy, cut
}

// watchFrom is the lap from which a relay is watched. Few relays get there.
const watchFrom = 32

// A watch cuts a relay at the lap limit, and saves it the way there when it runs in a circle: when the board is again as
// it was at an earlier lap, with the same last hole. Nothing is won in a circle, since what is won does not come back.
type watch struct {
	lapLimit int

	// The lap that later ones are compared with, and what the board was then. It is renewed at laps that double, so that
	// it comes to lie inside any circle.
	laps       int
	own, enemy mancala.Row
	last       uint8

	next int // the lap at which it is renewed
}

// lap tells the watch what the board is after a lap. It returns the number of laps, with those added that need not be
// sown, and whether the relay is cut.
func (w *watch) lap(laps int, own, enemy mancala.Row, last uint8) (int, bool) {
	if own == w.own && enemy == w.enemy && last == w.last {
		circle := laps - w.laps
		laps += (w.lapLimit - laps) / circle * circle
		w.next = w.lapLimit
	}
	if laps >= w.next {
		w.laps, w.own, w.enemy, w.last = laps, own, enemy, last
		w.next = 2 * laps
	}
	return laps, laps >= w.lapLimit
}
