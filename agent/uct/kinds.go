package uct

import (
	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/env/mancala"
)

// This file is the player in the text of agent specs.

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{{
		Name: "uct", Form: "uct:sims=N | uct:movetime=T",
		Doc: "Monte Carlo tree search with random playouts.",
		Options: []agent.Option{
			{Name: "sims", Default: "N", Doc: "simulations an action, 1 to 100000000"},
			{Name: "movetime", Default: "T", Doc: "time an action, such as 100ms, in place of sims"},
			endgame.Option,
		},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			if err := spec.ExactlyOne("sims", "movetime"); err != nil {
				return nil, err
			}
			var c Config
			var err error
			if c.Simulations, err = spec.Int("sims", 0, 1, MaxSimulations); err != nil {
				return nil, err
			}
			if c.Time, err = spec.Duration("movetime"); err != nil {
				return nil, err
			}
			if c.Endgames, err = endgame.OfSpec(spec, g); err != nil {
				return nil, err
			}
			return New(g, c)
		},
	}}
}
