package alphabeta

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"kiothi/env/mancala"
)

// This file is the weights of the evaluation, as they stand in weights.json.

// Weights are what the terms of the evaluation of a game are worth, in seeds of the final margin.
type Weights struct {
	Terms map[string][2]float64 `json:"terms"` // by name: on an empty board, and on a full one; linear between them
	Fit   string                `json:"fit"`   // where they come from
}

//go:embed weights.json
var fitted []byte

// fittedWeights returns the weights of each game by its name, as command fit found them.
func fittedWeights() (map[string]*Weights, error) {
	var all map[string]*Weights
	if err := json.Unmarshal(fitted, &all); err != nil {
		return nil, fmt.Errorf("the evaluation's weights: %w", err)
	}
	return all, nil
}

// weightsOf returns the fitted weights of a game.
func weightsOf(g mancala.Game) (*Weights, error) {
	all, err := fittedWeights()
	if err != nil {
		return nil, err
	}
	w, ok := all[g.Name()]
	if !ok {
		return nil, fmt.Errorf("there are no weights for the game %q", g.Name())
	}
	return w, nil
}
