package agent

import "kiothi/env/mancala"

// This file is what players may know about the end of games.

// Endgames know the exact results of some positions. They are safe for concurrent use.
type Endgames interface {
	// Probe returns the final margin of the player to move, stores included, when both play best for it. It is false where
	// that is not known.
	Probe(s *mancala.State) (margin int, ok bool)
	// Best returns an action that gets this margin, and that gets on with it. It is false where none is known.
	Best(s *mancala.State) (a mancala.Action, ok bool)
}
