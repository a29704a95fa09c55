package features

import "kiothi/env/mancala"

// This file is the encoding of Kiothi.

const (
	kiothiSteps  = 6 // steps of a pit's thermometer
	kiothiPit    = kiothiSteps + 2
	kiothiPickup = 6 // pickups of each pit whose captures are features
	kiothiReach  = kiothiPickup*10 + 2*10 + 1
)

type kiothiEncoder struct {
	seeds, clockLimit int
}

func newKiothi(g mancala.Game) Encoder { return &kiothiEncoder{g.Seeds(), g.ClockLimit()} }

// Groups describes the features.
func (k *kiothiEncoder) Groups() []Group {
	return []Group{
		{"pits", 20 * kiothiPit, "each pit, the mover's first: a thermometer of 1 to 6 seeds, seeds / 10, and its mark"},
		{"reach", kiothiReach, "what the mover's first lap captures: for each own pit and pickup of 1 to 6, captured seeds / 8; " +
			"for each own pit, what lies ready to be captured from it / 8, and how many pits reach it / 4; the leftmost bonus / 12"},
		{"threats", kiothiReach, "the same for the enemy, were it the enemy's turn"},
		{"opening", 10 + 20 + 8, "the pits lifted, the pits that may no longer be placed in, the hand / 20, its thermometer in fours, " +
			"the phases lift and place, and whether the enemy's opening turn follows"},
		{"globals", globals, "both stores, their difference, seeds in both rows, all / half the seeds; clock / limit, and its last quarter"},
	}
}

// Size returns the number of features.
func (k *kiothiEncoder) Size() int { return 20*kiothiPit + 2*kiothiReach + 10 + 20 + 8 + globals }

// Encode writes the features of a state.
func (k *kiothiEncoder) Encode(dst []float32, s *mancala.State) {
	w := writer{dst[:k.Size()]}
	own, enemy := sides(s, 10)
	w.kiothiPits(&own)
	w.kiothiPits(&enemy)
	w.kiothiReach(&own, &enemy)
	w.kiothiReach(&enemy, &own)
	w.opening(s)
	w.globals(s, &own, &enemy, k.seeds, k.clockLimit)
}

// kiothiPitTable is the features of a pit without its mark.
var kiothiPitTable = byCount(func(n int, dst *[kiothiPit]float32) {
	thermometer(dst[:kiothiSteps], n)
	dst[kiothiSteps] = float32(n) / 10
})

// kiothiPits writes a side's pits.
func (w *writer) kiothiPits(d *side) {
	for i, n := range d.counts {
		pit := (*[kiothiPit]float32)(w.next(kiothiPit))
		*pit = kiothiPitTable[n&mancala.PitMask]
		pit[kiothiPit-1] = float32(d.marked >> i & 1)
	}
}

// kiothiLaps is the own pits that a lap falls in, by the pit it begins in and its seeds: a seed in each.
var kiothiLaps = func() (laps [10][mancala.PitMask + 1]mancala.Row) {
	for from := range laps {
		for n := range laps[from] {
			for distance := 1; distance <= min(n, 20); distance++ {
				if at := (from + distance) % 20; at < 10 {
					laps[from][n] = laps[from][n].With(at, 1)
				}
			}
		}
	}
	return laps
}()

// kiothiReach writes what one lap of a player captures.
func (w *writer) kiothiReach(own, enemy *side) {
	captures := (*[10 * kiothiPickup]float32)(w.next(10 * kiothiPickup))
	targets := (*[2 * 10]float32)(w.next(2 * 10))
	clear(captures[:])
	var reaching mancala.Row // how many pits reach each pit
	for from, n := range own.counts {
		reaching += kiothiLaps[from][n&mancala.PitMask]
	}
	for t, n := range own.counts {
		ready := float32(0) // seeds that a last seed in pit t captures, itself included, / 8
		if facing := 9 - t; n == 0 && enemy.counts[facing] > 0 && enemy.marked>>facing&1 == 0 {
			ready = float32(1+enemy.counts[facing]) / 8
			for pickup := 1; pickup <= min(t, kiothiPickup); pickup++ {
				if from := t - pickup; int(own.counts[from]) >= pickup {
					captures[from*kiothiPickup+pickup-1] = ready
				}
			}
		}
		targets[2*t] = ready
		targets[2*t+1] = float32(reaching.At(t)) / 4
	}
	bonus := 0
	const pits = 1<<6 | 1<<7 | 1<<8 // they face b, c and d
	if a, b, c := enemy.counts[6], enemy.counts[7], enemy.counts[8]; a > 0 && b > 0 && c > 0 && enemy.marked&pits == 0 {
		bonus = int(a) + int(b) + int(c)
	}
	w.next(1)[0] = float32(bonus) / 12
}

// opening writes the state of an opening turn; all features are 0 in the sowing phase.
func (w *writer) opening(s *mancala.State) {
	lifted, passed, hand := w.next(10), w.next(20), w.next(8)
	if s.Phase == mancala.Sow {
		clear(lifted)
		clear(passed)
		clear(hand)
		return
	}
	for r := range lifted {
		lifted[r] = float32(s.Lifted >> r & 1)
	}
	thermometer(passed, int(s.Last))
	hand[0] = float32(s.Hand) / 20
	thermometer(hand[1:5], (int(s.Hand)+3)/4)
	hand[5] = one(s.Phase == mancala.Lift)
	hand[6] = one(s.Phase == mancala.Place)
	hand[7] = one(s.Opening == 2)
}
