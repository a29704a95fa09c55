package replay

import (
	"encoding/json"
	"fmt"
	"io"

	"kiothi/env/trace"
)

// This file writes games as lines that people and other programs read.

// WriteLines writes games as lines of JSON that kiothi trace --batch replays (rules, section 6).
func WriteLines(w io.Writer, header Header, games []*Game) error {
	encoder := json.NewEncoder(w)
	for _, g := range games {
		if err := encoder.Encode(trace.Line{Game: header.Game, Rules: header.Rules, Position: g.Start, Actions: g.Actions()}); err != nil {
			return fmt.Errorf("writing game %s as a line: %w", g.ID, err)
		}
	}
	return nil
}
