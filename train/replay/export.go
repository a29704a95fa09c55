package replay

import (
	"encoding/json"
	"fmt"
	"io"

	"kiothi/env/mancala"
)

// This file writes games as lines that people and other programs read.

// A line is a game in the form that kiothi trace --batch replays.
type line struct {
	Game     string           `json:"game"`
	Rules    string           `json:"rules"`
	Position string           `json:"position,omitempty"`
	Actions  []mancala.Action `json:"actions"`
}

// WriteLines writes games as lines of JSON that kiothi trace --batch replays (rules, section 6).
func WriteLines(w io.Writer, header Header, games []*Game) error {
	encoder := json.NewEncoder(w)
	for _, g := range games {
		if err := encoder.Encode(line{header.Game, header.Rules, g.Start, g.Actions()}); err != nil {
			return fmt.Errorf("writing game %s as a line: %w", g.ID, err)
		}
	}
	return nil
}
