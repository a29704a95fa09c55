package alphabeta

import (
	"math"

	"kiothi/agent"
	"kiothi/agent/endgame"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// This file is the player in the text of agent specs.

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{{
		Name: "alphabeta", Form: "alphabeta:depth=N | alphabeta:movetime=T | alphabeta:nodes=N",
		Doc: "Alpha-beta search on the rules, with an evaluation fitted to self-play.",
		Options: []agent.Option{
			{Name: "depth", Default: "N", Doc: "turns that are searched ahead, 1 to 64"},
			{Name: "movetime", Default: "T", Doc: "time an action, or a whole opening turn, such as 100ms, in place of depth"},
			{Name: "nodes", Default: "N", Doc: "positions an action, or a whole opening turn, in place of depth"},
			{Name: "hash", Default: "16", Doc: "size of the transposition table in MiB, 1 to 4096"},
			{Name: "net", Default: "PATH", Doc: "network that judges positions: a file, or a folder with " + nnue.FileName + ", or a release that has one"},
			endgame.Option,
		},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			if err := spec.ExactlyOne("depth", "movetime", "nodes"); err != nil {
				return nil, err
			}
			var c Config
			var err error
			if c.Depth, err = spec.Int("depth", 0, 1, MaxDepth); err != nil {
				return nil, err
			}
			nodes, err := spec.Int("nodes", 0, 1, math.MaxInt)
			if err != nil {
				return nil, err
			}
			c.Nodes = uint64(nodes)
			if c.Time, err = spec.Duration("movetime"); err != nil {
				return nil, err
			}
			if c.Hash, err = spec.Int("hash", DefaultHash, 1, 4096); err != nil {
				return nil, err
			}
			if path, ok := spec.Value("net"); ok {
				if c.Network, err = nnue.OpenFor(path, g); err != nil {
					return nil, err
				}
			}
			if c.Endgames, err = endgame.OfSpec(spec, g); err != nil {
				return nil, err
			}
			return New(g, c)
		},
	}}
}
