package env

import (
	"slices"

	"kiothi/env/choice"
)

// This file says what a Vector does with a game that is over.

// Autoreset is what a Vector does with a game that is over. The modes and their names are those of Gymnasium from version
// 1.0 on. In each, Terminated or Truncated is set in the step that ends a game, and this step writes the row's
// FinalObservations and FinalPlayers.
type Autoreset int

// The modes.
const (
	// SameStep starts the row's next game in the same step. Observations, Masks and Players are those of the new game's
	// start; all else is about the game that ended. Every action is played in some game.
	SameStep Autoreset = iota
	// NextStep leaves the position that ended the game in Observations, with nothing in Masks. The following Step starts
	// the row's next game: its action, whatever it is, is ignored, its reward is 0, and Actors says NoPlayer.
	NextStep
	// Disabled leaves a game that is over to ResetRows. Until then, Step fails with ErrNotRunning for the row.
	Disabled
)

var autoresetNames = []string{"SameStep", "NextStep", "Disabled"}

// String returns the mode's name: "SameStep", "NextStep" or "Disabled", and "Autoreset(9)" for what is none.
func (a Autoreset) String() string {
	return choice.Name("Autoreset", autoresetNames, int(a))
}

// ParseAutoreset reads a mode by its name.
func ParseAutoreset(name string) (Autoreset, error) {
	at := slices.Index(autoresetNames, name)
	if at < 0 {
		return 0, choice.Unknown("autoreset mode", name, autoresetNames)
	}
	return Autoreset(at), nil
}
