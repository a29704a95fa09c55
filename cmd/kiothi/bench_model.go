package main

import (
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/scripted"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/config"
)

// This file is what bench net and bench selfplay measure: a network of some size, and positions for it.

// A benchModel is the flags that say which network.
type benchModel struct {
	game          gameFlag
	preset        string
	width, blocks int
}

func (m *benchModel) bind(cmd *cobra.Command) {
	m.game.bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&m.preset, "preset", "small", "settings of a training run: "+strings.Join(config.PresetNames(), ", "))
	flags.IntVar(&m.width, "width", 0, "units of the network's trunk (default: the preset's)")
	flags.IntVar(&m.blocks, "blocks", 0, "residual blocks of the network's trunk (default: the preset's)")
	complete(cmd, "preset", config.PresetNames)
}

// open returns the game, the preset with the flags' changes and then the given ones, and new weights.
func (m *benchModel) open(cmd *cobra.Command, change func(*config.Config)) (mancala.Game, config.Config, *network.Weights, error) {
	fail := func(err error) (mancala.Game, config.Config, *network.Weights, error) {
		return nil, config.Config{}, nil, asUsage(err)
	}
	g, err := m.game.open()
	if err != nil {
		return fail(err)
	}
	c, err := config.Preset(m.preset)
	if err != nil {
		return fail(err)
	}
	c.Game, c.Rules = g.Name(), g.Rules()
	if cmd.Flags().Changed("width") {
		c.Network.Width = m.width
	}
	if cmd.Flags().Changed("blocks") {
		c.Network.Blocks = m.blocks
	}
	change(&c)
	if err := c.Validate(); err != nil {
		return fail(err)
	}
	size, err := zero.ConfigOf(g, c.Network.Width, c.Network.Blocks, c.Network.ValueWidth)
	if err != nil {
		return fail(err)
	}
	w, err := weights.New(size, seed.Rand(1, seed.Weights))
	return g, c, w, err
}

// randomGame plays a game at random and returns its actions.
func randomGame(g mancala.Game, rng *rand.Rand) []mancala.Action {
	var game []mancala.Action
	for s := g.Start(); !s.Over(); {
		turn := scripted.SampleOpening(g, &s, rng)
		if len(turn) == 0 {
			legal := g.AppendLegal(nil, &s)
			turn = []mancala.Action{legal[rng.IntN(len(legal))]}
		}
		for _, action := range turn {
			mancala.MustPlay(g, &s, action)
		}
		game = append(game, turn...)
	}
	return game
}

// choices returns the plies of a game in which there was more than one legal action.
func choices(g mancala.Game, game []mancala.Action) []int {
	var plies []int
	var legal []mancala.Action
	s := g.Start()
	for ply, action := range game {
		if legal = g.AppendLegal(legal[:0], &s); len(legal) > 1 {
			plies = append(plies, ply)
		}
		mancala.MustPlay(g, &s, action)
	}
	return plies
}

// randomPositions returns n positions from random games, each game from its start to its end.
func randomPositions(g mancala.Game, n int, rng *rand.Rand) []mancala.State {
	positions := make([]mancala.State, 0, n)
	for {
		s := g.Start()
		for _, action := range randomGame(g, rng) {
			if positions = append(positions, s); len(positions) == n {
				return positions
			}
			mancala.MustPlay(g, &s, action)
		}
	}
}
