package endgame

import (
	"errors"
	"fmt"
	"math"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file says which positions a table holds, and what it takes to build it.

// A Scope says which positions a table holds. In all of them seeds are sown, and no hole is closed.
type Scope struct {
	// Stones is the largest number of seeds on the board.
	Stones int `json:"stones"`
	// Marked is the largest number of seeds for positions with protected pits (Kiothi with protection=nki). Those without
	// are held up to Stones.
	Marked int `json:"marked,omitempty"`
	// AllTotals asks in Rio Kadalis for every number of stones up to Stones. In a round the stones leave the board in fours,
	// so that without it only the multiples of four are held.
	AllTotals bool `json:"all_totals,omitempty"`
}

// A shape is a layer's number of seeds, whether pits may be protected, and its number of positions, which saturates at
// math.MaxUint64.
type shape struct {
	seeds  int
	marked bool
	size   uint64
}

// ErrNoTable is what Build and Estimate return, wrapped, for a rule set that has no tables, of whatever scope.
var ErrNoTable = errors.New("no table can be built")

// maxLayer is the largest number of positions in a layer: their numbers are a uint32.
const maxLayer = math.MaxUint32

// shapes returns the layers of a scope, the smallest first, or why it cannot be built for a game.
func (c Scope) shapes(g mancala.Game) ([]shape, error) {
	if c.Stones < 0 || c.Stones > g.Seeds() {
		return nil, fmt.Errorf("a table of up to %d stones, expected 0 to %d", c.Stones, g.Seeds())
	}
	if c.Marked < 0 || c.Marked > c.Stones {
		return nil, fmt.Errorf("positions with protected pits up to %d seeds, expected 0 to %d, the number for all positions", c.Marked, c.Stones)
	}
	step := 1
	switch g := g.(type) {
	case *riokadalis.Game:
		if c.Marked > 0 {
			return nil, fmt.Errorf("positions with protected pits up to %d stones, expected 0: %s has no protected pits", c.Marked, g.Name())
		}
		if !c.AllTotals {
			step = 4
		}
	case *kiothi.Game:
		// Under unmoved an empty pit may be protected too, and stays so until its owner lifts from it: there are up to 2^20
		// sets of protected pits for each way the seeds lie, and few positions have none.
		if g.RuleSet().Protection == kiothi.ProtectUnmoved {
			return nil, fmt.Errorf("%w for %s: with protection=unmoved each board has a million sets of protected pits; choose a rule set with protection=nki", ErrNoTable, g.Rules())
		}
	default:
		return nil, fmt.Errorf("%w for %s: its positions are not known here, expected %s or %s", ErrNoTable, g.Name(), kiothi.Name, riokadalis.Name)
	}
	var shapes []shape
	for n := 0; n <= c.Stones; n += step {
		s := shape{n, n > 0 && n <= c.Marked, 0}
		if s.size = count(2*g.Width(), n, s.marked); s.size > maxLayer {
			return nil, fmt.Errorf("there are more than %d positions of %d stones, too many for a table; choose fewer stones", int64(maxLayer), n)
		}
		shapes = append(shapes, s)
	}
	return shapes, nil
}

// A Cost is what it takes to build a table.
type Cost struct {
	Positions int64 // positions of the table
	Memory    int64 // bytes needed at the most, about
}

// Estimate returns what it takes to build a table. It refuses what Build refuses.
func Estimate(g mancala.Game, stones int, o Options) (Cost, error) {
	shapes, err := o.scope(stones).shapes(g)
	if err != nil {
		return Cost{}, err
	}
	var c Cost
	held := 0.0 // bytes of the layers that are done
	for _, s := range shapes {
		c.Positions += int64(s.size)
		size := float64(s.size)
		c.Memory = max(c.Memory, int64(held+size*(solving+4*quietShare(g, s))))
		held += size * keeping
	}
	return c, nil
}

// The bytes for each position of a layer, without the moves that capture nothing: while it is solved, and afterwards.
const (
	solving = 5.25
	keeping = 2
)

// quietShare returns about how many moves without a capture a position of a layer has on average, from a sample.
func quietShare(g mancala.Game, s shape) float64 {
	const samples = 2000
	x := newIndex(g.Width(), s.seeds, s.marked)
	n := min(s.size, samples)
	quiet := 0
	var moves []mancala.Action
	for i := range n {
		p := position(x.position(uint32(i * (s.size - 1) / n)))
		moves = g.AppendLegal(moves[:0], &p)
		for _, a := range moves {
			after := p
			if mancala.MustPlay(g, &after, a).Captured == [2]uint8{} {
				quiet++
			}
		}
	}
	return float64(quiet) / float64(n)
}
