package alphabeta

import (
	"math/bits"
	"slices"

	"kiothi/env/mancala"
)

// This file is the terms of Kiothi. Which pits hold the seeds matters as much as how many there are, so that each pit has
// weights of its own: for its seeds, for being occupied, and for being protected.

// kiothiTerms are the names of the terms, in order.
var kiothiTerms = slices.Concat(
	[]string{
		"stores",        // difference of seeds in store
		"turn",          // 1
		"safe",          // difference of seeds in protected pits
		"own-exposed",   // own seeds that can be captured: unprotected, facing an empty enemy pit
		"enemy-exposed", // the enemy's
		"own-leftmost",  // seeds that the next capture from the own leftmost pit, if it is empty, wins with the bonus
		"enemy-leftmost",
	},
	eachPit("seeds-"),  // difference of the seeds in a pit, a the owner's leftmost
	eachPit("full-"),   // difference of whether the pit is occupied
	eachPit("marked-"), // difference of whether it is occupied and protected
)

// The places of the terms of pits.
const (
	firstSeeds  = 7
	firstFull   = firstSeeds + pits
	firstMarked = firstFull + pits
)

// eachPit returns a name for each pit.
func eachPit(prefix string) []string {
	names := make([]string, pits)
	for i := range names {
		names[i] = prefix + string(rune('a'+i))
	}
	return names
}

// A side is what the terms need to know of a player's row, as sets of pits.
type side struct {
	row          mancala.Row
	full, marked uint32 // occupied; occupied and protected
}

// sides returns the sides of the player to move and of the enemy.
func sides(s *mancala.State) (own, enemy side) {
	mover := s.Player & 1
	own.row, enemy.row = s.Rows[mover], s.Rows[mover^1]
	own.full, enemy.full = own.row.Set(), enemy.row.Set()
	own.marked, enemy.marked = s.Marks&allPits, s.Marks>>pits&allPits
	if mover == mancala.North {
		own.marked, enemy.marked = enemy.marked, own.marked
	}
	own.marked &= own.full
	enemy.marked &= enemy.full
	return own, enemy
}

// safe returns the seeds in protected pits.
func (s *side) safe() int32 { return int32((s.row & lanes[s.marked]).Sum()) }

// exposed returns the seeds in unprotected pits that face an empty pit.
func (s *side) exposed(enemy *side) int32 {
	return int32((s.row & lanes[s.full&^s.marked&^uint32(facing[enemy.full])]).Sum())
}

// leftmost returns the seeds that a capture from the leftmost pit would win: from the facing pit, and the three beside it
// if all of them are free.
func (s *side) leftmost(enemy *side) int32 {
	const last, three = 1 << (pits - 1), 7 << (pits - 4)
	free := enemy.full &^ enemy.marked
	if s.full&1 != 0 || free&last == 0 {
		return 0
	}
	if free&three != three {
		return int32((enemy.row & lanes[last]).Sum())
	}
	return int32((enemy.row & lanes[last|three]).Sum())
}

// kiothiVector writes the terms of a position.
func kiothiVector(s *mancala.State, v *Terms) {
	own, enemy := sides(s)
	mover := s.Player & 1
	copy(v[:firstSeeds], []int32{
		int32(s.Stores[mover]) - int32(s.Stores[mover^1]),
		1,
		own.safe() - enemy.safe(),
		own.exposed(&enemy), enemy.exposed(&own),
		own.leftmost(&enemy), enemy.leftmost(&own),
	})
	for i := range pits {
		v[firstSeeds+i] = int32(own.row.At(i) - enemy.row.At(i))
		v[firstFull+i] = int32(own.full>>i&1) - int32(enemy.full>>i&1)
		v[firstMarked+i] = int32(own.marked>>i&1) - int32(enemy.marked>>i&1)
	}
}

// setWeights holds the sums of weights over sets of pits.
type setWeights struct{ full, marked [1 << pits]int32 }

// newSetWeights adds up the weights of pits over all sets of them.
func newSetWeights(weights []Terms) []setWeights {
	sets := make([]setWeights, len(weights))
	for i := range sets {
		for set := 1; set < 1<<pits; set++ {
			first, rest := bits.TrailingZeros(uint(set)), set&(set-1)
			sets[i].full[set] = sets[i].full[rest] + weights[i][firstFull+first]
			sets[i].marked[set] = sets[i].marked[rest] + weights[i][firstMarked+first]
		}
	}
	return sets
}

// kiothiSum is the product of the terms of a position and their weights, without the detour over the terms: it is a good
// part of the time of a search.
func (e *linear) kiothiSum(s *mancala.State, board int) int32 {
	own, enemy := sides(s)
	w, sets := &e.weights[board], &e.sets[board]
	mover := s.Player & 1
	sum := (int32(s.Stores[mover])-int32(s.Stores[mover^1]))*w[0] +
		w[1] +
		(own.safe()-enemy.safe())*w[2] +
		own.exposed(&enemy)*w[3] + enemy.exposed(&own)*w[4] +
		own.leftmost(&enemy)*w[5] + enemy.leftmost(&own)*w[6] +
		sets.full[own.full&allPits] - sets.full[enemy.full&allPits] +
		sets.marked[own.marked&allPits] - sets.marked[enemy.marked&allPits]
	for i := range pits {
		sum += w[firstSeeds+i] * int32(own.row&mancala.PitMask-enemy.row&mancala.PitMask)
		own.row >>= mancala.PitBits
		enemy.row >>= mancala.PitBits
	}
	return sum
}

const (
	pits    = mancala.MaxWidth
	allPits = 1<<pits - 1
)

// facing reverses a set of pits of a row, which makes it the set of those that face them; lanes holds all bits of the
// lanes of a set of pits.
var facing, lanes = func() (facing [1 << pits]uint16, lanes [1 << pits]mancala.Row) {
	for set := range facing {
		for i := range pits {
			if set>>i&1 != 0 {
				facing[set] |= 1 << (pits - 1 - i)
				lanes[set] |= mancala.PitMask << (mancala.PitBits * i)
			}
		}
	}
	return facing, lanes
}()
