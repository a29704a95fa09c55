package solve

import "kiothi/env/mancala"

// This file packs what a claim is about: a whole position except its stores and its clock, as the player to move sees it.

// A Board is such a position, packed without loss. Equal boards have equal futures, up to the clock.
type Board struct {
	own, enemy uint64 // a row of pits each; in the highest four bits of both, the hand
	rest       uint32 // marked, closed or lifted pits, the phase, the opening turns to come and the pit last placed in
}

// The fields of Board.rest, by their lowest bit.
const (
	phaseBit   = 20
	openingBit = 22
	lastBit    = 24
	rowBits    = mancala.PitBits * mancala.MaxWidth
)

// boardOf packs a state that is not over. Marks exist only after the opening and lifted pits only in it, and closed holes
// in another game, so that the three share their place.
func boardOf(s *mancala.State, width int) Board {
	p := s.Player & 1
	set := s.Marks | s.Closed
	if p == mancala.North {
		set = mancala.SwapPits(set, width)
	}
	set |= uint32(s.Lifted)
	return Board{
		own:   uint64(s.Rows[p]) | uint64(s.Hand)<<rowBits,
		enemy: uint64(s.Rows[p^1]) | uint64(s.Hand)>>4<<rowBits,
		rest:  set | uint32(s.Phase)<<phaseBit | uint32(s.Opening)<<openingBit | uint32(s.Last+1)<<lastBit,
	}
}

// state unpacks a board: South is to move, the stores are empty and the clock is at 0. closing says whether the pits of the
// set are closed rather than marked.
func (b Board) state(closing bool) mancala.State {
	const row = 1<<rowBits - 1
	s := mancala.State{
		Rows:    [2]mancala.Row{mancala.Row(b.own & row), mancala.Row(b.enemy & row)},
		Phase:   mancala.Phase(b.rest >> phaseBit & 3),
		Opening: uint8(b.rest >> openingBit & 3),
		Hand:    uint8(b.own>>rowBits | b.enemy>>rowBits<<4),
		Last:    int8(b.rest>>lastBit) - 1,
	}
	set := b.rest & (1<<phaseBit - 1)
	switch {
	case s.Phase == mancala.Lift:
		s.Lifted = uint16(set)
	case closing:
		s.Closed = set
	default:
		s.Marks = set
	}
	return s
}

// hash spreads boards over the places of a table. Two boards may have the same hash, and nothing relies on it.
func (b Board) hash() uint64 {
	h := b.own*0x9e3779b97f4a7c15 ^ b.enemy*0xc2b2ae3d27d4eb4f ^ uint64(b.rest)*0x165667b19e3779f9
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>29
}
