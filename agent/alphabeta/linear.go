package alphabeta

import (
	"fmt"
	"math"
	"slices"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the linear evaluation: a few terms of a position, and what each is worth.

// MaxTerms is the number of terms of the evaluation of Kiothi, which has more than Rio Kadalis.
const (
	MaxTerms = firstMarked + pits
	rioTerms = 9
)

// Terms holds the terms of a position, or the weight of each, in the order of TermNames. What the game has not is 0.
type Terms [MaxTerms]int32

// termNames are the terms of each game, in order. "Own" is the player to move; a difference is the own less the enemy's.
var termNames = map[string][]string{
	kiothi.Name: kiothiTerms,
	riokadalis.Name: {
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

// TermNames returns the names of the terms of a game. The first is that of the difference of the stores.
func TermNames(g mancala.Game) ([]string, error) {
	names, ok := termNames[g.Name()]
	if !ok {
		return nil, fmt.Errorf("game %q has no evaluation", g.Name())
	}
	return slices.Clone(names), nil
}

// A linear judges the positions of a game by linear terms, whose weights depend on the seeds on the board.
type linear struct {
	width   int
	kiothi  bool
	weights [mancala.MaxSeeds + 1]Terms // by seeds on the board, in fractions of a score
	sets    []setWeights                // likewise, for Kiothi
}

// fraction is the number of parts of a score in which weights are counted.
const fraction = 256

// newLinear returns the terms of a game with their weights.
func newLinear(g mancala.Game, w *Weights) (*linear, error) {
	e := &linear{width: g.Width(), kiothi: g.Name() == kiothi.Name}
	names, err := TermNames(g)
	if err != nil {
		return nil, err
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

// margin returns the expected final margin of the player to move, in scores, of a position in the phase Sow with so many
// seeds on the board. It may be one that cannot be reached any more.
func (e *linear) margin(s *mancala.State, board int) int32 {
	if e.kiothi {
		return e.kiothiSum(s, board) / fraction
	}
	var v Terms
	e.terms(s, &v)
	w := &e.weights[board]
	var sum int32
	for i := range rioTerms {
		sum += v[i] * w[i]
	}
	return sum / fraction
}

// terms writes the terms of a position.
func (e *linear) terms(s *mancala.State, v *Terms) {
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
	*v = Terms{
		int32(s.Stores[mover]) - int32(s.Stores[mover^1]),
		1,
		int32(own.Sum() - enemy.Sum()),
		int32(own.Occupied().Sum() - enemy.Occupied().Sum()),
		threes(own), threes(enemy),
		big(own), big(enemy),
		int32(own.At(e.width-1) - enemy.At(e.width-1)),
	}
}

// Terms writes the terms of a position in the phase Sow.
func (p *Player) Terms(s *mancala.State, t *Terms) { p.eval.linear.terms(s, t) }
