package features

import (
	"fmt"

	"kiothi/env/mancala"
	rules "kiothi/env/riokadalis"
)

// This file is the encoding of Rio Kadalis.

const (
	rioSteps = 8 // steps of a hole's thermometer
	rioHole  = rioSteps + 5 + 2
	rioReach = 4
)

type rioKadalis struct {
	width, seeds, clockLimit int
	step                     int // from a hole to the next in the direction of sowing
}

func newRioKadalis(g mancala.Game) (Encoder, error) {
	game, ok := g.(*rules.Game)
	if !ok {
		return nil, fmt.Errorf("game %q is a %T, expected %T", g.Name(), g, game)
	}
	e := &rioKadalis{g.Width(), g.Seeds(), g.ClockLimit(), 1}
	if game.Clockwise() {
		e.step = -1
	}
	return e, nil
}

// Groups describes the features.
func (k *rioKadalis) Groups() []Group {
	holes := 2 * k.width
	return []Group{
		{"holes", holes * rioHole, "each hole, the mover's first: a thermometer of 1 to 8 stones, whether it holds exactly 1, 2, 3, 4 or 7, " +
			"stones / 10, and whether it is closed"},
		{"reach", holes * rioReach, "the first lap from each hole: whether it ends in a binikh or in an empty hole, and the fours it forms " +
			"on the way in the row of the hole and in the other, / 2"},
		{"globals", globals, "both stores, their difference, stones in both rows, all / half the stones; clock / limit, and its last quarter"},
	}
}

// Size returns the number of features.
func (k *rioKadalis) Size() int { return 2*k.width*(rioHole+rioReach) + globals }

// Encode writes the features of a state.
func (k *rioKadalis) Encode(dst []float32, s *mancala.State) {
	w := writer{dst: dst[:k.Size()]}
	b := relative(s, k.width)
	for r := range 2 * k.width {
		n := b.counts[r]
		w.thermometer(n, rioSteps)
		for _, exact := range [...]int{1, 2, 3, 4, 7} {
			w.flag(n == exact)
		}
		w.add(float32(n) / 10)
		w.flag(b.closed[r])
	}
	for r := range 2 * k.width {
		k.reach(&w, b, r)
	}
	w.globals(s, &b, k.seeds, k.clockLimit)
}

// reach writes what the first lap from a hole does. It sows on its own copy of the board.
func (k *rioKadalis) reach(w *writer, b board, r int) {
	holes := 2 * k.width
	hand := b.counts[r]
	b.counts[r] = 0
	var fours [2]int
	var binikh, empty bool
	at := r
	for ; hand > 0; hand-- {
		for at = (at + k.step + holes) % holes; b.closed[at]; at = (at + k.step + holes) % holes {
		}
		b.counts[at]++
		switch {
		case hand == 1:
			binikh, empty = b.counts[at] == 4, b.counts[at] == 1
		case b.counts[at] == 4:
			b.counts[at] = 0
			if (at < k.width) == (r < k.width) {
				fours[0]++
			} else {
				fours[1]++
			}
		}
	}
	w.flag(binikh)
	w.flag(empty)
	w.add(float32(fours[0]) / 2)
	w.add(float32(fours[1]) / 2)
}
