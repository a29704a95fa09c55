package alphabeta

import (
	"fmt"
	"math"
	"math/bits"

	"kiothi/env/mancala"
)

// This file judges positions: exactly where the game is decided, by a few terms elsewhere.

const (
	// cents is the score of one seed of the final margin.
	cents = 100
	// won is added to the score of a win, and taken from that of a loss: a certain win by two seeds is worth more than
	// the hope for one by sixty.
	won = 10_000
	// infinite lies beyond all scores.
	infinite = 20_000
)

// decided returns the score of a final margin.
func decided(margin int) int32 {
	score := int32(margin) * cents
	switch {
	case margin > 0:
		score += won
	case margin < 0:
		score -= won
	}
	return score
}

// terms is the number of terms of the evaluation, more than some games use.
const terms = 9

// A vector holds the terms of a position, or the weight of each.
type vector [terms]int32

// termNames are the terms of each game, in order. "Own" is the player to move; a difference is the own less the enemy's.
var termNames = map[string][]string{
	"kiothi": {
		"stores",        // difference of seeds in store
		"home",          // difference of seeds in the rows
		"mobility",      // difference of occupied pits
		"marks",         // difference of occupied pits that are protected
		"own-exposed",   // own seeds that can be captured: unprotected, facing an empty enemy pit
		"enemy-exposed", // the enemy's
		"own-leftmost",  // seeds that the next capture from the own leftmost pit, if it is empty, wins with the bonus
		"enemy-leftmost",
		"turn", // 1
	},
	"rio-kadalis": {
		"stores",
		"home",
		"mobility",
		"own-threes", // holes that a stone more makes four
		"enemy-threes",
		"own-big", // holes of 16 stones or more, which sow the whole board and more
		"enemy-big",
		"own-rightmost", // stones in the last hole before the enemy's row
		"turn",
	},
}

// An evaluator judges the positions of a game by linear terms, whose weights depend on the seeds on the board.
type evaluator struct {
	game    mancala.Game
	width   int
	kiothi  bool
	weights [mancala.MaxSeeds + 1]vector // by seeds on the board, in fractions of a score
}

// fraction is the number of parts of a score in which weights are counted.
const fraction = 256

// newEvaluator returns the evaluator of a game.
func newEvaluator(g mancala.Game, w *Weights) (*evaluator, error) {
	e := &evaluator{game: g, width: g.Width(), kiothi: g.Name() == "kiothi"}
	names, ok := termNames[g.Name()]
	if !ok {
		return nil, fmt.Errorf("game %q has no evaluation", g.Name())
	}
	for seeds := range e.weights {
		full := float64(seeds) / float64(g.Seeds())
		for i, name := range names {
			ends, ok := w.Terms[name]
			if !ok {
				return nil, fmt.Errorf("the weights lack the term %q", name)
			}
			e.weights[seeds][i] = int32(math.Round(fraction * cents * (full*ends[1] + (1-full)*ends[0])))
		}
	}
	return e, nil
}

// limits returns the least and the greatest final margin that the player to move can still reach.
func limits(s *mancala.State) (low, high int) {
	margin := int(s.Stores[s.Player&1]) - int(s.Stores[s.Player&1^1])
	board := s.OnBoard()
	return margin - board, margin + board
}

// of returns the score of a position in the phase Sow.
func (e *evaluator) of(s *mancala.State) int32 {
	if s.End != mancala.Running {
		return decided(mancala.Margin(e.game, s, s.Player))
	}
	var v vector
	e.terms(s, &v)
	board := s.OnBoard()
	w := &e.weights[min(board, mancala.MaxSeeds)]
	var sum int32
	for i := range v {
		sum += v[i] * w[i]
	}
	low, high := int(v[0])-board, int(v[0])+board
	sum = min(max(sum/fraction, int32(low)*cents), int32(high)*cents)
	switch {
	case low > 0:
		sum += won
	case high < 0:
		sum -= won
	}
	return sum
}

// terms writes the terms of a position.
func (e *evaluator) terms(s *mancala.State, v *vector) {
	mover := s.Player & 1
	own, enemy := s.Rows[mover], s.Rows[mover^1]
	v[0] = int32(s.Stores[mover]) - int32(s.Stores[mover^1])
	v[1] = int32(own.Sum() - enemy.Sum())
	v[8] = 1
	if e.kiothi {
		kiothiTerms(own, enemy, s.Marks, mover, v)
		return
	}
	const low = mancala.Lanes * (mancala.PitMask >> 1)
	threes := func(r mancala.Row) int32 {
		r ^= mancala.Lanes * 3
		return int32((^((r&low + low) | r) >> (mancala.PitBits - 1) & mancala.Lanes).Sum())
	}
	big := func(r mancala.Row) int32 {
		return int32(((r>>4 | r>>5) & mancala.Lanes).Sum())
	}
	v[2] = int32(own.Occupied().Sum() - enemy.Occupied().Sum())
	v[3], v[4] = threes(own), threes(enemy)
	v[5], v[6] = big(own), big(enemy)
	v[7] = int32(own.At(e.width-1) - enemy.At(e.width-1))
}

// kiothiTerms writes the terms of Kiothi that its rows and marks decide.
func kiothiTerms(own, enemy mancala.Row, marks uint32, mover mancala.Player, v *vector) {
	ownMarks, enemyMarks := marks&allPits, marks>>pits&allPits
	if mover == mancala.North {
		ownMarks, enemyMarks = enemyMarks, ownMarks
	}
	ownFull, enemyFull := occupied(own), occupied(enemy)
	ownFree, enemyFree := ownFull&^ownMarks, enemyFull&^enemyMarks // can be captured, as far as marks go

	v[2] = int32(bits.OnesCount32(ownFull) - bits.OnesCount32(enemyFull))
	v[3] = int32(bits.OnesCount32(ownFull&ownMarks) - bits.OnesCount32(enemyFull&enemyMarks))
	v[4] = int32((own & lanes[ownFree&^uint32(facing[enemyFull])]).Sum())
	v[5] = int32((enemy & lanes[enemyFree&^uint32(facing[ownFull])]).Sum())
	v[6] = bonus(ownFull, enemy, enemyFree)
	v[7] = bonus(enemyFull, own, ownFree)
}

// bonus returns the seeds that a capture from the leftmost pit would win: from the facing pit, and the three beside it if
// all of them are free.
func bonus(full uint32, enemy mancala.Row, free uint32) int32 {
	const last, three = 1 << (pits - 1), 7 << (pits - 4)
	if full&1 != 0 || free&last == 0 {
		return 0
	}
	if free&three != three {
		return int32((enemy & lanes[last]).Sum())
	}
	return int32((enemy & lanes[last|three]).Sum())
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

// occupied returns the set of a row's pits that hold seeds.
func occupied(r mancala.Row) uint32 {
	// The product collects five lanes' lowest bits, at 0, 6, 12, 18 and 24, in bits 24 to 28.
	const gather = 1<<24 | 1<<19 | 1<<14 | 1<<9 | 1<<4
	const half = pits / 2
	one := r.Occupied()
	low := one & (1<<(mancala.PitBits*half) - 1) * gather >> 24 & (1<<half - 1)
	high := one >> (mancala.PitBits * half) * gather >> 24 & (1<<half - 1)
	return uint32(low | high<<half)
}
