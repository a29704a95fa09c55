package trace

import (
	"fmt"

	"kiothi/env/mancala"
)

// This file is the line of a batch, for programs that keep games in files.

// A Line is a game as a batch reads it. Its JSON form is a line of a batch.
type Line struct {
	Game     string           `json:"game"`
	Rules    string           `json:"rules"`              // empty: the game's default set
	Position string           `json:"position,omitempty"` // empty: the game's start
	Actions  []mancala.Action `json:"actions"`
	// Truncated says that the game was cut short: it is an error in the line of a game that is over.
	Truncated bool `json:"truncated,omitempty"`
	// MaxRounds says, in the line of a competition's first round, how many rounds it has at most. 0 says nothing.
	MaxRounds int `json:"max_rounds,omitempty"`
}

// ParseLine reads a line as Batch does, with the same errors. Whether there is such a game, and whether its actions are
// legal, is left open.
func ParseLine(line []byte) (Line, error) {
	if len(line) == 0 {
		return Line{}, fmt.Errorf("the line is not a JSON object such as %s: it is empty", example)
	}
	j, err := parseJob(line)
	if err != nil {
		return Line{}, err
	}
	if !j.start && j.position == "" {
		return Line{}, fmt.Errorf("the field %q is empty: leave it out or give it a position", "position")
	}
	return Line{Game: j.game, Rules: j.rules, Position: j.position, Actions: j.actions, Truncated: j.truncated, MaxRounds: j.maxRounds}, nil
}
