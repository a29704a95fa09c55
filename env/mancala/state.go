package mancala

import "kiothi/env/choice"

// This file is the state of a game: everything that the rules need to go on, and nothing else.

// A Player is a seat: South moves first and owns the pits that are written first.
type Player uint8

// The two seats.
const (
	South Player = 0
	North Player = 1
)

// Other returns the opponent.
func (p Player) Other() Player { return p ^ 1 }

// String returns "South" or "North".
func (p Player) String() string {
	if p == South {
		return "South"
	}
	return "North"
}

// A Phase says what kind of action the player to move makes next.
type Phase uint8

// The phases: an opening turn is a Lift phase, then a Place phase while the hand holds seeds; all other turns are Sow.
const (
	Sow Phase = iota
	Lift
	Place
)

// String returns the phase's word in position text.
func (p Phase) String() string { return choice.Name("Phase", phaseNames, int(p)) }

var phaseNames = []string{"sow", "lift", "place"}

// A Reason says why a game is over.
type Reason uint8

// The reasons (rules, sections 2.5 and 3.2).
const (
	Running   Reason = iota // the game is not over
	Stuck                   // the player to move has no legal move
	Exhausted               // the clock of turns without a capture is full
)

// String returns the reason's word in traces; it is empty for a running game.
func (r Reason) String() string { return choice.Name("Reason", reasonNames, int(r)) }

var reasonNames = []string{"", "stuck", "exhausted"}

// NoPit is State.Last when nothing has been placed in this turn.
const NoPit = -1

// A State is a position of either game, with all that the rules need to go on from it. Fields that a game or a phase
// does not use hold their zero value (Last: NoPit), so that equal positions are equal values.
//
// Rows and Stores are indexed by Player. Bit sets of pits (Marks, Closed) use absolute indices: bit i is pit i of the
// rules, South's pits first. Lifted and Last are relative to the player to move.
type State struct {
	Rows   [2]Row   // seeds in the pits, each row from its owner's left
	Marks  uint32   // pits that cannot be captured from
	Closed uint32   // pits that are never sown into
	Stores [2]uint8 // seeds won; before the sweep when the game is over (see Game.Final)

	Player  Player // to move
	Phase   Phase  // what the player to move does next
	Opening uint8  // opening turns still to be completed, the current one included
	Hand    uint8  // seeds lifted and not yet placed
	Lifted  uint16 // own pits lifted so far in this opening turn; zero outside Lift
	Last    int8   // the pit last placed in during this turn, or NoPit
	End     Reason // why the game is over; it follows from the other fields
	Clock   uint16 // turns since a seed last went to a store, or since the opening
}

// Over reports whether the game has ended.
func (s *State) Over() bool { return s.End != Running }

// OnBoard returns the number of seeds in the pits.
func (s *State) OnBoard() int { return s.Rows[0].Sum() + s.Rows[1].Sum() }

// Total returns the number of seeds in pits, stores and hand, which no action changes.
func (s *State) Total() int {
	return s.OnBoard() + int(s.Stores[0]) + int(s.Stores[1]) + int(s.Hand)
}

// Swapped returns the state with the sides changed on a board of the given width: the same position, seen from the
// other chair. The rules do not tell the sides apart, so Swapped commutes with every action.
func (s State) Swapped(width int) State {
	s.Rows[0], s.Rows[1] = s.Rows[1], s.Rows[0]
	s.Stores[0], s.Stores[1] = s.Stores[1], s.Stores[0]
	s.Marks = SwapPits(s.Marks, width)
	s.Closed = SwapPits(s.Closed, width)
	s.Player = s.Player.Other()
	return s
}

// SwapPits exchanges the two halves of a set of pits on a board of the given width: absolute pits become relative to North, and
// back.
func SwapPits(set uint32, width int) uint32 {
	return set>>width | set<<width&(1<<(2*width)-1)
}

// Absolute returns the absolute index of the pit that player p calls relative index r.
func Absolute(p Player, r, width int) int {
	if p == North {
		r += width
	}
	if r >= 2*width {
		r -= 2 * width
	}
	return r
}

// Relative returns the index by which player p calls the absolute pit i. It is Absolute's inverse.
func Relative(p Player, i, width int) int { return Absolute(p, i, width) }
