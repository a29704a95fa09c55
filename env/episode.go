package env

import "kiothi/env/mancala"

// This file is what is told of a game when it has ended.

// An Episode is a game that has ended. It belongs to the environment, which overwrites it: copy what is to be kept.
type Episode struct {
	Game    mancala.Game
	Row     int              // of a Vector; 0 elsewhere
	Seed    uint64           // of the game
	Learner int              // the learner's seat in a Versus, NoPlayer elsewhere
	Start   mancala.State    // where the game began
	Actions []mancala.Action // all that were played, by either player

	Turns     int            // turns completed
	Cut       int            // turns whose relay was cut
	Truncated bool           // the game was cut short by a step limit; else it is over by its rules
	Reason    mancala.Reason // why it is over
	Stores    [2]int         // South's and North's, with the final sweep if the game is over
	Rewards   [2]float64     // of South and North
}

// begin empties the episode for a new game.
func (e *Episode) begin(g mancala.Game, start *mancala.State, seed uint64) {
	*e = Episode{Game: g, Row: e.Row, Seed: seed, Learner: NoPlayer, Start: *start, Actions: e.Actions[:0]}
}

// step adds an action and what it did.
func (e *Episode) step(a mancala.Action, turn mancala.Turn) {
	e.Actions = append(e.Actions, a)
	if turn.Cut {
		e.Cut++
	}
}

// end adds what the last step left.
func (e *Episode) end(turns int, truncated bool, reason mancala.Reason, stores [2]int, south float64) {
	e.Turns, e.Truncated, e.Reason, e.Stores = turns, truncated, reason, stores
	e.Rewards = both(south)
}

// both returns the rewards of both players out of South's. (A draw's is 0, not -0.)
func both(south float64) [2]float64 { return [2]float64{south, 0 - south} }
