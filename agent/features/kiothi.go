package features

import "kiothi/env/mancala"

// This file is the encoding of Kiothi.

const (
	kiothiSteps  = 6 // steps of a pit's thermometer
	kiothiPit    = kiothiSteps + 2
	kiothiPickup = 6 // pickups of each pit whose captures are features
	kiothiReach  = kiothiPickup*10 + 2*10 + 1
)

type kiothi struct {
	seeds, clockLimit int
}

func newKiothi(g mancala.Game) Encoder { return &kiothi{g.Seeds(), g.ClockLimit()} }

// Groups describes the features.
func (k *kiothi) Groups() []Group {
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
func (k *kiothi) Size() int { return 20*kiothiPit + 2*kiothiReach + 10 + 20 + 8 + globals }

// Encode writes the features of a state.
func (k *kiothi) Encode(dst []float32, s *mancala.State) {
	w := writer{dst: dst[:k.Size()]}
	b := relative(s, 10)
	for r := range 20 {
		w.thermometer(b.counts[r], kiothiSteps)
		w.add(float32(b.counts[r]) / 10)
		w.flag(b.marked[r])
	}
	w.kiothiReach(&b)
	turned := b.turned()
	w.kiothiReach(&turned)
	w.opening(s)
	w.globals(s, &b, k.seeds, k.clockLimit)
}

// kiothiReach writes what one lap of the player with the own row 0 … 9 captures.
func (w *writer) kiothiReach(b *board) {
	var ready [10]int // seeds that a last seed in own pit t captures, itself included; 0 when none
	for t := range ready {
		if facing := 19 - t; b.counts[t] == 0 && b.counts[facing] > 0 && !b.marked[facing] {
			ready[t] = 1 + b.counts[facing]
		}
	}
	for r := range 10 {
		for pickup := 1; pickup <= kiothiPickup; pickup++ {
			gain := 0
			if t := r + pickup; t < 10 && pickup <= b.counts[r] {
				gain = ready[t]
			}
			w.add(float32(gain) / 8)
		}
	}
	for t, gain := range ready {
		reaching := 0
		for r := range 10 {
			distance := t - r
			if distance <= 0 {
				distance += 20
			}
			if b.counts[r] >= distance {
				reaching++
			}
		}
		w.add(float32(gain) / 8)
		w.add(float32(reaching) / 4)
	}
	bonus := 0
	for r := 16; r <= 18; r++ {
		if b.counts[r] == 0 || b.marked[r] {
			bonus = 0
			break
		}
		bonus += b.counts[r]
	}
	w.add(float32(bonus) / 12)
}

// opening writes the state of an opening turn; all features are 0 in the sowing phase.
func (w *writer) opening(s *mancala.State) {
	for r := range 10 {
		w.flag(s.Lifted>>r&1 != 0)
	}
	for r := range int8(20) {
		w.flag(r < s.Last)
	}
	w.add(float32(s.Hand) / 20)
	w.thermometer(int(s.Hand+3)/4, 4)
	w.flag(s.Phase == mancala.Lift)
	w.flag(s.Phase == mancala.Place)
	w.flag(s.Opening == 2)
}
