package riokadalis

import (
	"math/bits"
	"math/rand/v2"
	"strconv"
	"sync/atomic"

	"kiothi/env/mancala"
)

// This file is the round as a mancala.Game; how stones are sown is in sow.go, and the texts are in text.go.

// A Game is a round of Rio Kadalis under one rule set. It is safe for concurrent use, and nothing that a caller does changes it.
type Game struct {
	rules Rules
	text  string // the rule set's canonical text
	board mancala.Board

	open   ring                   // the ring of a board without closed holes
	closed []atomic.Pointer[ring] // those of all others, by the set of closed holes as the mover counts them; nil until asked for
}

var (
	_ mancala.Game    = (*Game)(nil)
	_ mancala.Sampler = (*Game)(nil)
)

// Name is the game's name in text.
const Name = "rio-kadalis"

// New opens a round under a rule set, such as "standard" or "five-holes,lap_limit=100"; the empty text is the default
// one. Errors list what is valid.
func New(rules string) (*Game, error) {
	r, text, err := Book.Parse(rules)
	if err != nil {
		return nil, err
	}
	g := &Game{
		rules: r,
		text:  text,
		board: mancala.Board{
			Width:      r.Holes,
			Seeds:      2 * four * r.Holes,
			ClockLimit: r.NoCaptureLimit,
			Closing:    true,
		},
		closed: make([]atomic.Pointer[ring], 1<<(2*r.Holes)),
	}
	g.open.build(&r, 0)
	for set := range uint32(len(g.closed)) { // those of competitions are there before they are played
		if set != 0 && leftmost(set, r.Holes) {
			g.makeRing(set)
		}
	}
	return g, nil
}

// Name returns Name.
func (g *Game) Name() string { return Name }

// Rules returns the rule set in canonical text.
func (g *Game) Rules() string { return g.text }

// Width returns the number of holes in a row.
func (g *Game) Width() int { return g.rules.Holes }

// Seeds returns the number of stones, 48 or 40.
func (g *Game) Seeds() int { return g.board.Seeds }

// Actions returns the number of action ids: one a hole of the mover (rules, section 4.2).
func (g *Game) Actions() int { return g.rules.Holes }

// LapLimit returns the number of laps after which a relay is cut.
func (g *Game) LapLimit() int { return g.rules.LapLimit }

// ClockLimit returns the number of turns without a capture that ends a round.
func (g *Game) ClockLimit() int { return g.rules.NoCaptureLimit }

// RuleSet returns the rule set's options.
func (g *Game) RuleSet() Rules { return g.rules }

// Start returns the state in which every hole holds four stones and South moves.
func (g *Game) Start() mancala.State {
	s := mancala.State{Last: mancala.NoPit}
	for i := range g.rules.Holes {
		s.Rows[mancala.South] = s.Rows[mancala.South].With(i, four)
	}
	s.Rows[mancala.North] = s.Rows[mancala.South]
	return s
}

// An actionList is the legal actions of a row.
type actionList struct {
	actions [8]mancala.Action // the first n
	n       uint64
}

// actionLists holds the legal actions by the set of occupied own holes.
var actionLists = func() (lists [1 << maxHoles]actionList) {
	for set := range lists {
		list := &lists[set]
		for r := range maxHoles {
			if set>>r&1 != 0 {
				list.actions[list.n] = mancala.Action(r)
				list.n++
			}
		}
	}
	return lists
}()

// legal returns the legal actions of a row. The product brings bit 6i of the occupied holes to bit 30+i.
func legal(row mancala.Row) *actionList {
	const gather = 1<<30 | 1<<25 | 1<<20 | 1<<15 | 1<<10 | 1<<5
	return &actionLists[row.Occupied()*gather>>30&(1<<maxHoles-1)]
}

// AppendLegal appends the occupied own holes from left to right; none when the round is over.
func (g *Game) AppendLegal(dst []mancala.Action, s *mancala.State) []mancala.Action {
	if s.Over() {
		return dst
	}
	list := legal(s.Rows[s.Player&1])
	n := len(dst)
	if cap(dst)-n < len(list.actions) {
		return append(dst, list.actions[:list.n]...)
	}
	// Copying a fixed number of actions needs no branch that depends on the position.
	*(*[8]mancala.Action)(dst[n : n+8]) = list.actions
	return dst[:n+int(list.n)]
}

// RandomTurn plays a hole drawn uniformly from the legal ones, up to a bias of less than 2^-61, and returns it. The round
// is not over. It draws one word from rng.
func (g *Game) RandomTurn(s *mancala.State, rng *rand.PCG) (a mancala.Action, turn mancala.Turn) {
	list := legal(s.Rows[s.Player&1])
	i, _ := bits.Mul64(rng.Uint64(), list.n)
	a = list.actions[i%8]
	g.turn(s, a, &turn)
	return a, turn
}

// Play lifts the stones of an own hole and sows them (rules, section 3.2). An illegal action leaves the state as it was
// and returns an *mancala.IllegalError.
func (g *Game) Play(s *mancala.State, a mancala.Action) (turn mancala.Turn, err error) {
	if uint32(a) >= uint32(g.rules.Holes) || s.Over() || s.Rows[s.Player&1].At(int(a)) == 0 {
		return turn, g.refuse(s, a)
	}
	g.turn(s, a, &turn)
	return turn, nil
}

// turn plays a legal action and writes what it did to turn. (Turns that are copied as a whole right after their parts
// were written would stall the processor.)
func (g *Game) turn(s *mancala.State, a mancala.Action, turn *mancala.Turn) {
	t := &g.open
	if s.Closed != 0 {
		t = g.closedRing(s)
	}
	laps, south, north, cut := t.sow(s, int(a))
	turn.Laps, turn.Captured[mancala.South], turn.Captured[mancala.North], turn.Cut = int32(laps), south, north, cut
	s.Player ^= 1
	s.Clock++
	if south|north != 0 {
		s.Clock = 0
	}
	s.End = g.end(s)
}

// closedRing returns the ring of a board with closed holes. For a board that no competition has, it is made when it is first
// asked for.
func (g *Game) closedRing(s *mancala.State) *ring {
	set, width := s.Closed, g.rules.Holes
	if s.Player == mancala.North {
		set = set>>width | set<<width
	}
	set &= uint32(len(g.closed) - 1)
	if t := g.closed[set].Load(); t != nil {
		return t
	}
	return g.makeRing(set)
}

// makeRing makes the ring of a set of closed holes and keeps it. Of two that are made at the same time either will do.
func (g *Game) makeRing(set uint32) *ring {
	t := new(ring)
	t.build(&g.rules, set)
	g.closed[set].Store(t)
	return t
}

// refuse says why an action is illegal.
func (g *Game) refuse(s *mancala.State, a mancala.Action) error {
	reason := ""
	switch {
	case a < 0 || int(a) >= g.rules.Holes:
		reason = "there is no such action, they are 0 to " + strconv.Itoa(g.rules.Holes-1)
	case s.Over():
		reason = "the round is over (" + s.End.String() + ")"
	case s.Closed>>mancala.Absolute(s.Player, int(a), g.rules.Holes)&1 != 0:
		reason = "the hole is closed in this round"
	default:
		reason = "the hole is empty"
	}
	return &mancala.IllegalError{Action: a, Text: g.ActionText(s, a), Reason: reason}
}

// end returns why the round is over, if it is. A position without a move is stuck even when the clock is full.
func (g *Game) end(s *mancala.State) mancala.Reason {
	switch {
	case s.Rows[s.Player&1] == 0:
		return mancala.Stuck
	case int(s.Clock) >= g.rules.NoCaptureLimit:
		return mancala.Exhausted
	}
	return mancala.Running
}

// Final returns the stores, and when the round is over, with the stones left in each player's row.
func (g *Game) Final(s *mancala.State) [2]int {
	final := [2]int{int(s.Stores[0]), int(s.Stores[1])}
	if s.Over() {
		final[0] += s.Rows[0].Sum()
		final[1] += s.Rows[1].Sum()
	}
	return final
}
