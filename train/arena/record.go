package arena

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"kiothi/env/mancala"
)

// This file writes games as lines of text that `kiothi trace --batch` plays again.

// A record is a game in the form of the rules page, section 6. Games begin at the start, so it holds no position.
type record struct {
	Game    string           `json:"game"`
	Rules   string           `json:"rules"`
	Actions []mancala.Action `json:"actions"`
}

// WriteGames writes the games of a match by number, a JSON object a line. In line 1, 3, 5, … the first contender is South,
// in the line after it North.
func (r *Result) WriteGames(w io.Writer) error {
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	for i := range r.Played {
		if err := encoder.Encode(record{r.Game, r.Rules, r.Played[i].Actions}); err != nil {
			return fmt.Errorf("writing game %d: %w", r.Played[i].Number, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing the games: %w", err)
	}
	return nil
}
