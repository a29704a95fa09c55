// Package certificate holds proofs of results of positions, and checks them.
//
// A certificate is a closed list of claims about positions. Whoever checks one needs to trust the rules engine and this
// package, and nothing of the solver that found it: each claim is checked on its own, by playing its moves on the engine and
// looking the positions after them up, whole, among the claims.
//
// That claims rest on each other is no circle. A turn that captures leads to fewer seeds on the board, an action of an opening
// turn to fewer that are still to be lifted or placed, and any other turn from a clock to the next.
package certificate

import "kiothi/env/mancala"

// A Claim says how much the player to move gets of the seeds on the board, less what the other player gets, when both play
// best for that difference.
type Claim struct {
	// Position is the board. South is to move; the stores are empty and the clock is 0.
	Position mancala.State
	// AtMost tells an upper bound, which every action has to keep to, from a lower one, which Action reaches.
	AtMost bool
	Bound  int
	// From and To are the first and the last clock at which it holds.
	From, To int
	Action   mancala.Action // 0 for an upper bound
}

// A Certificate is a proof that the best final margin of a position, for its player to move, is at least Low and at most
// High.
type Certificate struct {
	Game, Rules string
	Position    string // as the rules write it
	Low, High   int
	Claims      []Claim
}

// fields are the numbers of a claim in the order in which a file holds them, none of them negative.
func (c *Claim) fields(width int, dst []uint64) []uint64 {
	p := &c.Position
	for _, row := range p.Rows {
		for i := range width {
			dst = append(dst, uint64(row.At(i)))
		}
	}
	kind := uint64(0)
	if c.AtMost {
		kind = 1
	}
	return append(dst, uint64(p.Marks), uint64(p.Closed), uint64(p.Phase), uint64(p.Opening), uint64(p.Hand), uint64(p.Lifted),
		uint64(p.Last-mancala.NoPit), kind, uint64(c.Bound+mancala.MaxSeeds), uint64(c.From), uint64(c.To), uint64(c.Action))
}

// setFields reads what fields wrote. It reports whether each number is one that a claim can have.
func (c *Claim) setFields(width int, f []uint64) bool {
	p := &c.Position
	for side := range p.Rows {
		for i := range width {
			if f[i] > mancala.MaxSeeds {
				return false
			}
			p.Rows[side] = p.Rows[side].With(i, int(f[i]))
		}
		f = f[width:]
	}
	pits := uint64(1)<<(2*width) - 1
	for i, most := range [...]uint64{pits, pits, uint64(mancala.Place), 2, mancala.MaxSeeds, pits >> width, uint64(2 * width),
		1, 2 * mancala.MaxSeeds, 1 << 15, 1 << 15, 1 << 14} {
		if f[i] > most {
			return false
		}
	}
	p.Marks, p.Closed, p.Phase, p.Opening = uint32(f[0]), uint32(f[1]), mancala.Phase(f[2]), uint8(f[3])
	p.Hand, p.Lifted, p.Last = uint8(f[4]), uint16(f[5]), int8(f[6])+mancala.NoPit
	c.AtMost, c.Bound, c.From, c.To, c.Action = f[7] == 1, int(f[8])-mancala.MaxSeeds, int(f[9]), int(f[10]), mancala.Action(f[11])
	return p.OnBoard()+int(p.Hand) <= mancala.MaxSeeds
}

// otherFields is the number of fields besides the pits.
const otherFields = 12
