package mancala

import (
	"fmt"
	"math/rand/v2"
)

// This file is the contract between an engine and everything that plays, learns or measures with it.

// An Action is one step of a player, by its id in the rules' fixed encoding (rules, section 4). Indices inside an
// action are relative to the player to move, so the same id means the same to both players.
type Action int32

// ActionEncoding is the version of the numbering of actions. A network learned on one numbering plays nonsense on another.
const ActionEncoding = 1

// A Turn tells what an action did, beyond the state that it left.
type Turn struct {
	Laps     int32    // laps of the sowing, 0 for an opening action
	Captured [2]uint8 // seeds the action put into the stores [South, North], before any sweep at the end
	Cut      bool     // the relay reached the rule set's lap limit
}

// A Game is one game under one rule set. It is immutable and safe for concurrent use.
type Game interface {
	// Name returns the game's name, such as "kiothi".
	Name() string
	// Rules returns the rule set in canonical text: a named set and the options that differ from it, such as
	// "mancala-world,bonus=run". Opening a game with it gives an equal rule set.
	Rules() string
	// Width returns the number of pits in a row.
	Width() int
	// Seeds returns the number of seeds in the game.
	Seeds() int
	// Actions returns the number of action ids; the ids are 0 to Actions()-1.
	Actions() int
	// ClockLimit returns the number of turns without a capture that ends the game.
	ClockLimit() int
	// LapLimit returns the number of laps after which a relay is cut, which bounds what a single action can take.
	LapLimit() int

	// Start returns the initial state.
	Start() State
	// AppendLegal appends the legal actions in ascending order, none when the game is over. A state that is not over
	// has at least one. It allocates only to grow dst.
	AppendLegal(dst []Action, s *State) []Action
	// Play carries out an action. An illegal one leaves the state as it was and returns an *IllegalError.
	Play(s *State, a Action) (Turn, error)
	// Final returns the stores as they count at the end: with the sweep when the state is over, as they are otherwise.
	Final(s *State) [2]int

	// Format returns the position's text (rules, section 5), and Parse reads it. Format(Parse(t)) is t for every
	// text that Parse accepts.
	Format(s *State) string
	Parse(position string) (State, error)
	// ActionText returns the text of a single action in a state (rules, section 4), and ParseAction reads it.
	// ParseAction accepts illegal actions that have a text; Play tells why they are illegal.
	ActionText(s *State, a Action) string
	ParseAction(s *State, text string) (Action, error)
	// ParseTurn reads the text of a whole turn, or of a single action, and returns its actions in order, legal from s.
	ParseTurn(s *State, text string) ([]Action, error)
	// TurnText returns the text of a whole turn that starts in s.
	TurnText(s *State, turn []Action) string
}

// An IllegalError explains why an action cannot be played.
type IllegalError struct {
	Action Action
	Text   string // the action's text, or its id when it has none
	Reason string // the rule that forbids it
}

// Error names the action and the rule that forbids it.
func (e *IllegalError) Error() string {
	return fmt.Sprintf("illegal action %d (%s): %s", e.Action, e.Text, e.Reason)
}

// Mask sets dst[a] for each legal action a of the state and clears the rest. dst has Actions() entries; buf is scratch
// that keeps the call from allocating, and the legal actions in it are returned.
func Mask(g Game, s *State, dst []bool, buf []Action) []Action {
	clear(dst)
	buf = g.AppendLegal(buf[:0], s)
	for _, a := range buf {
		dst[a] = true
	}
	return buf
}

// MustPlay carries out an action that the engine itself called legal, and panics when it is not: that is a bug in the program.
func MustPlay(g Game, s *State, a Action) Turn {
	turn, err := g.Play(s, a)
	if err != nil {
		panic("mancala: the engine refuses an action that it listed as legal: " + err.Error())
	}
	return turn
}

// Margin returns player p's final store minus the opponent's.
func Margin(g Game, s *State, p Player) int {
	final := g.Final(s)
	return final[p] - final[p.Other()]
}

// A Sampler is a Game that can play at random without listing the legal actions, for fast playouts.
type Sampler interface {
	Game
	// RandomTurn plays a sowing drawn uniformly from the legal ones, up to a bias of less than 2^-57, and returns it. The
	// state is in the phase Sow and not over. It draws one word from rng.
	RandomTurn(s *State, rng *rand.PCG) (Action, Turn)
}
