// Package features turns states into the network's inputs. A feature is a plain function of the observation (package env):
// counts as thermometers, marks, and what each pit reaches in one lap, so that any frontend can compute it without playing
// a move. All are seen from the player to move.
package features

import (
	"fmt"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// Version is the version of the encoding. It changes whenever a feature does, so that a network is never given features
// other than those it learned on.
const Version = 1

// An Encoder writes the features of one game. It is immutable and safe for concurrent use.
type Encoder interface {
	// Size returns the number of features.
	Size() int
	// Encode writes the features of a state that is not over into dst, which has Size() entries.
	Encode(dst []float32, s *mancala.State)
	// Groups describes the features in their order.
	Groups() []Group
}

// A Group is a run of features of one sort.
type Group struct {
	Name string
	Size int
	Doc  string
}

// New returns the encoder of a game. It fails for a game that has none.
func New(g mancala.Game) (Encoder, error) {
	switch g.Name() {
	case kiothi.Name:
		return newKiothi(g), nil
	case riokadalis.Name:
		return newRioKadalis(g)
	}
	return nil, fmt.Errorf("game %q has no feature encoder", g.Name())
}

// A writer hands out the features of a state in their order.
type writer struct{ rest []float32 }

// next returns the next n features, for the caller to write all of them.
func (w *writer) next(n int) []float32 {
	cells := w.rest[:n:n]
	w.rest = w.rest[n:]
	return cells
}

// one returns 1 for a set flag and 0 for another.
func one(set bool) float32 {
	if set {
		return 1
	}
	return 0
}

// thermometer writes features, the first of which are 1: one for n ≥ 1, two for n ≥ 2, and so on.
func thermometer(cells []float32, n int) {
	for i := range cells {
		cells[i] = one(i < n)
	}
}

// A side is one player's half of the board. Its pits are counted from the player's left.
type side struct {
	row    mancala.Row
	counts [mancala.MaxWidth]uint8 // seeds in each pit
	marked uint32                  // bit sets of pits
	closed uint32
}

// sides reads a state: the side of the player to move, and the enemy's.
func sides(s *mancala.State, width int) (own, enemy side) {
	own.read(s, s.Player, width)
	enemy.read(s, s.Player.Other(), width)
	return own, enemy
}

func (d *side) read(s *mancala.State, p mancala.Player, width int) {
	d.row = s.Rows[p]
	for i := range d.counts {
		d.counts[i] = uint8(d.row.At(i))
	}
	shift, all := int(p)*width, uint32(1)<<width-1
	d.marked, d.closed = s.Marks>>shift&all, s.Closed>>shift&all
}

// byCount makes a table of the features of a pit, by the seeds in it.
func byCount[Features any](write func(n int, dst *Features)) *[mancala.PitMask + 1]Features {
	table := new([mancala.PitMask + 1]Features)
	for n := range table {
		write(n, &table[n])
	}
	return table
}

const globals = 7

// globals writes what concerns the whole board: the stores and their difference, the seeds in both rows, and the clock.
func (w *writer) globals(s *mancala.State, own, enemy *side, seeds, clockLimit int) {
	cells := (*[globals]float32)(w.next(globals))
	ownStore, enemyStore := int(s.Stores[s.Player]), int(s.Stores[s.Player.Other()])
	half := float32(seeds) / 2
	cells[0] = float32(ownStore) / half
	cells[1] = float32(enemyStore) / half
	cells[2] = float32(ownStore-enemyStore) / half
	cells[3] = float32(own.row.Sum()) / half
	cells[4] = float32(enemy.row.Sum()) / half
	clock := float32(s.Clock) / float32(clockLimit)
	cells[5] = clock
	cells[6] = max(0, 4*clock-3) // the last quarter of the clock, where it decides
}
