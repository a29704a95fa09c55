package perfect

import (
	"math"
	"strconv"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file is the player in the text of agent specs.

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{{
		Name: "perfect",
		Doc:  "Plays what it proves: the best result from every start of Rio Kadalis; near the end of other games.",
		Options: []agent.Option{
			{Name: "nodes", Default: strconv.Itoa(defaultNodes), Doc: "positions an action, 1 or more; where they prove nothing, as many again in the way of alphabeta"},
		},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			nodes, err := spec.Int("nodes", defaultNodes, 1, math.MaxInt)
			if err != nil {
				return nil, err
			}
			return New(g, uint64(nodes))
		},
	}}
}
