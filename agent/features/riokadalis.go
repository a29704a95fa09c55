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
	step                     int     // from a hole to the next in the direction of sowing, forwards
	open                     rioRing // of a board without closed holes
}

func newRioKadalis(g mancala.Game) (Encoder, error) {
	game, ok := g.(*rules.Game)
	if !ok {
		return nil, fmt.Errorf("game %q is a %T, expected %T", g.Name(), g, game)
	}
	e := &rioKadalis{width: g.Width(), seeds: g.Seeds(), clockLimit: g.ClockLimit(), step: 1}
	if game.RuleSet().Clockwise {
		e.step = 2*e.width - 1
	}
	e.ring(&e.open, 0)
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
	w := writer{dst[:k.Size()]}
	own, enemy := sides(s, k.width)
	w.rioHoles(&own, k.width)
	w.rioHoles(&enemy, k.width)
	next := &k.open
	if own.closed|enemy.closed != 0 {
		next = new(rioRing)
		k.ring(next, own.closed|enemy.closed<<k.width)
	}
	var stones rioRing
	copy(stones[:k.width], own.counts[:])
	copy(stones[k.width:2*k.width], enemy.counts[:])
	for from := range 2 * k.width {
		k.reach((*[rioReach]float32)(w.next(rioReach)), next, stones, from)
	}
	w.globals(s, &own, &enemy, k.seeds, k.clockLimit)
}

// rioHoleTable is the features of a hole that is open.
var rioHoleTable = byCount(func(n int, dst *[rioHole]float32) {
	thermometer(dst[:rioSteps], n)
	for i, exact := range [...]int{1, 2, 3, 4, 7} {
		dst[rioSteps+i] = one(n == exact)
	}
	dst[rioHole-2] = float32(n) / 10
})

// rioHoles writes a side's holes.
func (w *writer) rioHoles(d *side, width int) {
	for i, n := range d.counts[:width] {
		hole := (*[rioHole]float32)(w.next(rioHole))
		*hole = rioHoleTable[n&mancala.PitMask]
		hole[rioHole-1] = float32(d.closed >> i & 1)
	}
}

// A rioRing has a number for each hole, the mover's first. It is longer than the board so that five bits are always an
// index of it.
type rioRing [32]uint8

// ring makes the ring of each hole's next open one in the order of sowing.
func (k *rioKadalis) ring(next *rioRing, closed uint32) {
	holes := 2 * k.width
	for from := range holes {
		at := (from + k.step) % holes
		for closed>>at&1 != 0 && at != from {
			at = (at + k.step) % holes
		}
		next[from] = uint8(at)
	}
}

// reach writes what the first lap from a hole does. It sows its own copy of the stones.
func (k *rioKadalis) reach(cells *[rioReach]float32, next *rioRing, stones rioRing, from int) {
	hand := stones[from&31]
	stones[from&31] = 0
	var fours [2]int // in the row of the hole and in the other
	at := uint8(from)
	for ; hand > 1; hand-- {
		at = next[at&31]
		n := stones[at&31] + 1
		if n == 4 {
			n = 0
			if (int(at) < k.width) == (from < k.width) {
				fours[0]++
			} else {
				fours[1]++
			}
		}
		stones[at&31] = n
	}
	*cells = [rioReach]float32{2: float32(fours[0]) / 2, 3: float32(fours[1]) / 2}
	if hand == 1 {
		last := stones[next[at&31]&31]
		cells[0], cells[1] = one(last == 3), one(last == 0) // a binikh; an empty hole
	}
}
