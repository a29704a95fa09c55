package arena

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"kiothi/env/trace"
)

// This file writes games as lines of text that `kiothi trace --batch` plays again.

// WriteGames writes the games of a match by number, a JSON object a line. In line 1, 3, 5, … the first contender is South,
// in the line after it North.
func (r *Result) WriteGames(w io.Writer) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	for i := range r.Played {
		if err := encoder.Encode(trace.Line{Game: r.Game, Rules: r.Rules, Actions: r.Played[i].Actions}); err != nil {
			return fmt.Errorf("writing game %d: %w", r.Played[i].Number, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the games: %w", err)
	}
	return nil
}
