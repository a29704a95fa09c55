package train

import (
	"fmt"

	"kiothi/agent/network"
	"kiothi/agent/zero"
	"kiothi/env/games"
)

// This file begins a run with the network of another one.

// parent says what a run began with (network.init_from).
type parent struct {
	Weights   string `json:"weights"`   // SHA-256 of its file of weights
	Steps     int64  `json:"steps"`     // training steps behind it
	Games     int64  `json:"games"`     // games of self-play behind it
	Positions int64  `json:"positions"` // positions in those games

	network *network.Weights
	rules   string
}

// parent reads the network that the configuration names to begin with; nil where it names none. It touches no file of the run.
func (o *Options) parent() (*parent, error) {
	path, n := o.Config.Network.InitFrom, o.Config.Network
	if path == "" {
		return nil, nil
	}
	game, err := games.Open(o.Config.Game, o.Config.Rules)
	if err != nil {
		return nil, err
	}
	weights, d, err := zero.LoadForGame(path, game)
	if err != nil {
		return nil, fmt.Errorf("key network.init_from: %w", err)
	}
	if c := weights.Config(); c.Width != n.Width || c.Blocks != n.Blocks || c.ValueWidth != n.ValueWidth {
		return nil, fmt.Errorf("key network.init_from: the network of %s has other sizes than the run: expected width %d, blocks %d, value width %d, found %d, %d, %d; "+
			"give the run those sizes with --set network.width=%[5]d --set network.blocks=%[6]d --set network.value_width=%[7]d, or begin with another network",
			path, n.Width, n.Blocks, n.ValueWidth, c.Width, c.Blocks, c.ValueWidth)
	}
	return &parent{Weights: d.Checksum, Steps: d.Steps, Games: d.Games, Positions: d.Positions, network: weights, rules: d.Rules}, nil
}

// begin puts the run at its start: with random weights, or with those of its parent.
func (r *run) begin(p *parent) error {
	if p != nil {
		for _, w := range []*network.Weights{r.weights, r.playing} {
			if err := w.CopyFrom(p.network); err != nil {
				return fmt.Errorf("key network.init_from: %w", err)
			}
		}
		r.state.Parent = p
		fmt.Fprintf(r.Messages, "beginning with the network of %s (%s): %d training steps and %d games are behind it\n",
			r.Config.Network.InitFrom, p.rules, p.Steps, p.Games)
	}
	return r.pool.Begin()
}
