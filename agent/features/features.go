// Package features turns states into the network's inputs. A feature is a plain function of the observation (package env):
// counts as thermometers, marks, and what each pit reaches in one lap, so that any frontend can compute it without playing
// a move. All are seen from the player to move.
package features

import (
	"fmt"

	"kiothi/env/mancala"
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
	case "kiothi":
		return newKiothi(g), nil
	case "rio-kadalis":
		return newRioKadalis(g)
	}
	return nil, fmt.Errorf("game %q has no feature encoder", g.Name())
}

// writer appends features to a caller-owned slice.
type writer struct {
	dst []float32
	at  int
}

func (w *writer) add(v float32) {
	w.dst[w.at] = v
	w.at++
}

func (w *writer) flag(set bool) {
	if set {
		w.dst[w.at] = 1
	} else {
		w.dst[w.at] = 0
	}
	w.at++
}

// thermometer writes steps features, the first of which are 1: one for n ≥ 1, two for n ≥ 2, and so on.
func (w *writer) thermometer(n, steps int) {
	cells := w.dst[w.at : w.at+steps]
	for i := range cells {
		cells[i] = 0
		if i < n {
			cells[i] = 1
		}
	}
	w.at += steps
}

// board is a state in relative indices: the pits of the player to move, then those of the enemy.
type board struct {
	width  int
	counts [2 * mancala.MaxWidth]int
	marked [2 * mancala.MaxWidth]bool
	closed [2 * mancala.MaxWidth]bool
}

// relative reads a state from the side of the player to move.
func relative(s *mancala.State, width int) board {
	b := board{width: width}
	own, enemy := s.Rows[s.Player], s.Rows[s.Player.Other()]
	for r := range 2 * width {
		if r < width {
			b.counts[r] = own.At(r)
		} else {
			b.counts[r] = enemy.At(r - width)
		}
		absolute := mancala.Absolute(s.Player, r, width)
		b.marked[r] = s.Marks>>absolute&1 != 0
		b.closed[r] = s.Closed>>absolute&1 != 0
	}
	return b
}

// turned returns the board from the other player's chair.
func (b *board) turned() board {
	t := board{width: b.width}
	for r := range 2 * b.width {
		from := r + b.width
		if from >= 2*b.width {
			from -= 2 * b.width
		}
		t.counts[r], t.marked[r], t.closed[r] = b.counts[from], b.marked[from], b.closed[from]
	}
	return t
}

// sum returns the seeds in the pits from low up to high.
func (b *board) sum(low, high int) int {
	n := 0
	for r := low; r < high; r++ {
		n += b.counts[r]
	}
	return n
}

// globals writes what concerns the whole board: the stores and their difference, the seeds in both rows, and the clock.
func (w *writer) globals(s *mancala.State, b *board, seeds, clockLimit int) {
	own, enemy := int(s.Stores[s.Player]), int(s.Stores[s.Player.Other()])
	half := float32(seeds) / 2
	w.add(float32(own) / half)
	w.add(float32(enemy) / half)
	w.add(float32(own-enemy) / half)
	w.add(float32(b.sum(0, b.width)) / half)
	w.add(float32(b.sum(b.width, 2*b.width)) / half)
	clock := float32(s.Clock) / float32(clockLimit)
	w.add(clock)
	w.add(max(0, 4*clock-3)) // the last quarter of the clock, where it decides
}

const globals = 7
