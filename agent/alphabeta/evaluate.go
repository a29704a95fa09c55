package alphabeta

import (
	"fmt"
	"math"

	"kiothi/agent"
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

// terms is the number of terms of the evaluation of Kiothi, which has more than Rio Kadalis.
const (
	terms    = firstMarked + pits
	rioTerms = 9
)

// A vector holds the terms of a position, or the weight of each.
type vector [terms]int32

// termNames are the terms of each game, in order. "Own" is the player to move; a difference is the own less the enemy's.
var termNames = map[string][]string{
	"kiothi": kiothiTerms,
	"rio-kadalis": {
		"stores", // difference of seeds in store
		"turn",   // 1
		"home",   // difference of seeds in the rows
		"mobility",
		"own-threes", // holes that a stone more makes four
		"enemy-threes",
		"own-big", // holes of 16 stones or more, which sow the whole board and more
		"enemy-big",
		"own-rightmost", // stones in the last hole before the enemy's row
	},
}

// An evaluator judges the positions of a game by linear terms, whose weights depend on the seeds on the board.
type evaluator struct {
	game    mancala.Game
	width   int
	kiothi  bool
	weights [mancala.MaxSeeds + 1]vector // by seeds on the board, in fractions of a score
	sets    []setWeights                 // likewise, for Kiothi

	endgames agent.Endgames // nil: none
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
	if e.kiothi {
		e.sets = newSetWeights(e.weights[:])
	}
	return e, nil
}

// limits returns the least and the greatest final margin that the player to move can still reach.
func limits(s *mancala.State) (low, high int) {
	margin := int(s.Stores[s.Player&1]) - int(s.Stores[s.Player&1^1])
	board := s.OnBoard()
	return margin - board, margin + board
}

// known returns the score of a position whose result is known, as it is over or in the end games.
func (e *evaluator) known(s *mancala.State) (score int32, ok bool) {
	if s.End != mancala.Running {
		return decided(mancala.Margin(e.game, s, s.Player)), true
	}
	if e.endgames != nil {
		if margin, ok := e.endgames.Probe(s); ok {
			return decided(margin), true
		}
	}
	return 0, false
}

// of returns the score of a position in the phase Sow.
func (e *evaluator) of(s *mancala.State) int32 {
	if score, ok := e.known(s); ok {
		return score
	}
	return e.guess(s)
}

// guess returns the score of a position in the phase Sow by the terms.
func (e *evaluator) guess(s *mancala.State) int32 {
	board := min(s.OnBoard(), mancala.MaxSeeds)
	stores := int(s.Stores[s.Player&1]) - int(s.Stores[s.Player&1^1])
	var sum int32
	if e.kiothi {
		sum = e.kiothiSum(s, board)
	} else {
		var v vector
		e.terms(s, &v)
		w := &e.weights[board]
		for i := range rioTerms {
			sum += v[i] * w[i]
		}
	}
	low, high := stores-board, stores+board
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
	if e.kiothi {
		kiothiVector(s, v)
		return
	}
	mover := s.Player & 1
	own, enemy := s.Rows[mover], s.Rows[mover^1]
	const low = mancala.Lanes * (mancala.PitMask >> 1)
	threes := func(r mancala.Row) int32 {
		r ^= mancala.Lanes * 3
		return int32((^((r&low + low) | r) >> (mancala.PitBits - 1) & mancala.Lanes).Sum())
	}
	big := func(r mancala.Row) int32 {
		return int32(((r>>4 | r>>5) & mancala.Lanes).Sum())
	}
	*v = vector{
		int32(s.Stores[mover]) - int32(s.Stores[mover^1]),
		1,
		int32(own.Sum() - enemy.Sum()),
		int32(own.Occupied().Sum() - enemy.Occupied().Sum()),
		threes(own), threes(enemy),
		big(own), big(enemy),
		int32(own.At(e.width-1) - enemy.At(e.width-1)),
	}
}
