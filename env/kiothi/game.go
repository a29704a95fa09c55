package kiothi

import (
	"kiothi/env/mancala"
)

// This file is the Game: what New resolves from a rule set, and the dispatch by phase.

// width is the number of pits in a row.
const width = mancala.MaxWidth

// The action ids (rules, section 4.1). Pits are counted as the player to move counts them: 0 is the own leftmost one.
const (
	SowStride   = mancala.MaxSeeds     // ids of a pit's sowings: pit r is sown with k seeds by SowStride*r + k-1
	FirstLift   = width * SowStride    // lifts own pit 0; those of the others follow
	StopLifting = FirstLift + width    // goes on to placing
	FirstPlace  = StopLifting + 1      // places a seed in pit 0; those of the others follow
	actions     = FirstPlace + 2*width // number of ids
)

// Sets of pits.
const (
	allPits = uint32(1)<<(2*width) - 1
	ownPits = uint32(1)<<width - 1
)

// Name is the game's name in text.
const Name = "kiothi"

// A Game is Kiothi under one rule set. It is immutable and safe for concurrent use.
type Game struct {
	rules Rules
	text  string
	start mancala.State
	board mancala.Board

	// Read on every turn, so resolved from the rules once.
	lapLimit   int32
	clockLimit uint16
	clears     uint32 // relative pits whose lifts clear a mark
	stalls     bool   // a player with seeds in the own row may have no legal move
}

var (
	_ mancala.Game    = (*Game)(nil)
	_ mancala.Sampler = (*Game)(nil)
)

// New returns the game under a rule set: a name in Book, or a name with options overridden, such as
// "mancala-world,bonus=run". The empty text is the default rule set.
func New(rules string) (*Game, error) {
	r, text, err := Book.Parse(rules)
	if err != nil {
		return nil, err
	}
	g := &Game{
		rules: r,
		text:  text,
		board: mancala.Board{
			Width: width, Seeds: 2 * r.Pits * r.Seeds, ClockLimit: r.NoCaptureLimit,
			Marks: true, Opening: true,
		},
		lapLimit:   int32(r.LapLimit),
		clockLimit: uint16(r.NoCaptureLimit),
		clears:     allPits,
		stalls:     r.Pickup == PickupAll && r.FirstLap,
	}
	if r.Protection == ProtectUnmoved {
		g.clears = ownPits
	}
	g.start = g.initial()
	return g, nil
}

// initial returns the state before the first action.
func (g *Game) initial() mancala.State {
	s := mancala.State{Phase: mancala.Lift, Opening: 2, Last: mancala.NoPit}
	for i := width - g.rules.Pits; i < width; i++ {
		s.Rows[mancala.South] = s.Rows[mancala.South].With(i, g.rules.Seeds)
		s.Rows[mancala.North] = s.Rows[mancala.North].With(i, g.rules.Seeds)
	}
	if g.rules.Lifts == 1<<0 { // there is no opening turn
		s.Phase, s.Opening = mancala.Sow, 0
		g.protect(&s)
	}
	g.settle(&s)
	return s
}

// Name returns Name.
func (g *Game) Name() string { return Name }

// Rules returns the rule set in canonical text.
func (g *Game) Rules() string { return g.text }

// RuleSet returns the rule set's options.
func (g *Game) RuleSet() Rules { return g.rules }

// Width returns 10.
func (g *Game) Width() int { return width }

// Seeds returns the number of seeds in the game.
func (g *Game) Seeds() int { return g.board.Seeds }

// Actions returns 631, the same for every rule set.
func (g *Game) Actions() int { return actions }

// ClockLimit returns the number of turns without a capture that ends the game.
func (g *Game) ClockLimit() int { return g.rules.NoCaptureLimit }

// LapLimit returns the number of laps after which a relay is cut.
func (g *Game) LapLimit() int { return g.rules.LapLimit }

// Start returns the initial state.
func (g *Game) Start() mancala.State { return g.start }

// AppendLegal appends the legal actions in ascending order, none when the game is over.
func (g *Game) AppendLegal(dst []mancala.Action, s *mancala.State) []mancala.Action {
	switch {
	case s.Over():
		return dst
	case s.Phase == mancala.Sow:
		return g.sowings(s.Rows[s.Player&1]).appendTo(dst)
	case s.Phase == mancala.Lift:
		return g.appendLifts(dst, s)
	}
	return appendPlaces(dst, s)
}

// Play carries out an action. An illegal one leaves the state as it was and returns a *mancala.IllegalError.
func (g *Game) Play(s *mancala.State, a mancala.Action) (turn mancala.Turn, err error) {
	if s.Phase == mancala.Sow && s.End == mancala.Running && uint32(a) < FirstLift {
		r, k := uint(a)/SowStride, uint(a)%SowStride+1
		if g.legalSowing(s.Rows[s.Player&1], r, k) {
			g.sow(s, r, k, &turn)
			return turn, nil
		}
	}
	if reason := g.refusal(s, a); reason != "" {
		return turn, &mancala.IllegalError{Action: a, Text: g.ActionText(s, a), Reason: reason}
	}
	g.playOpening(s, a)
	return turn, nil
}

// settle sets the reason why the game is over, if it is: nothing can be played, or the clock is full.
func (g *Game) settle(s *mancala.State) {
	switch {
	case !g.canMove(s, s.Player):
		s.End = mancala.Stuck
	case s.Clock >= g.clockLimit:
		s.End = mancala.Exhausted
	}
}

// canMove reports whether a player has, or would have if it were that player's turn, a legal action.
func (g *Game) canMove(s *mancala.State, p mancala.Player) bool {
	switch s.Phase {
	case mancala.Sow:
		row := s.Rows[p&1]
		return row != 0 && (!g.stalls || g.sowings(row).bits != 0)
	case mancala.Lift:
		return g.mayStop(s) || g.liftable(s.Rows[p&1], s.Lifted) != 0
	}
	return true
}

// Final returns the stores as they count at the end (rules, section 2.5): with the sweep when the state is over, as they
// are otherwise.
func (g *Game) Final(s *mancala.State) [2]int {
	final := [2]int{int(s.Stores[0]), int(s.Stores[1])}
	if !s.Over() {
		return final
	}
	if other := s.Player.Other(); s.End == mancala.Stuck && g.canMove(s, other) {
		final[other] += s.OnBoard()
		return final
	}
	for p := range final {
		final[p] += s.Rows[p].Sum()
	}
	return final
}
