package config

import (
	"fmt"

	"kiothi/env/choice"
	"kiothi/env/games"
)

// This file is the presets, and with them the default of every key.

// A preset is a configuration with a name.
type preset struct {
	name, doc string
	config    func() Config
}

// presets lists the presets, the default first.
var presets = []preset{
	{"quick", "learns to beat simple players in some minutes on two cores", quick},
	{"small", "a night on a few cores", small},
	{"strong", "days on many cores", strong},
}

// quick is also the default of every key.
func quick() Config {
	return Config{
		Game: games.Names()[0],
		Seed: 1,
		Network: Network{
			Width:      128,
			Blocks:     2,
			ValueWidth: 64,
		},
		SelfPlay: SelfPlay{
			Streams:            4,
			GamesPerStream:     128,
			Games:              512,
			Simulations:        32,
			OpeningSimulations: 16,
			Temperature:        1,
			RandomOpenings:     0.5,
		},
		Search: Search{
			Kind:           "gumbel",
			Considered:     16,
			CVisit:         50,
			CScale:         1,
			CPUCT:          1.5,
			DirichletAlpha: 1,
			DirichletShare: 0.25,
			MarginShare:    0.25,
		},
		Training: Training{
			Batch:             512,
			Steps:             200,
			Window:            250_000,
			LearningRate:      4e-3,
			Warmup:            100,
			Schedule:          "cosine",
			FinalLearningRate: 4e-4,
			L2:                1e-4,
			Clip:              1,
			ValueWeight:       1,
		},
		Gating: Gating{
			Every:       0,
			Games:       400,
			Simulations: 32,
			Elo0:        0,
			Elo1:        50,
			Alpha:       0.05,
			Beta:        0.05,
		},
		Run: Run{
			Iterations:      40,
			CheckpointEvery: 1,
			Keep:            3,
			TensorBoard:     "on",
		},
		Evaluation: Evaluation{
			Every:        10,
			InterimGames: 100,
			Games:        400,
			Simulations:  64,
			Opponents:    []string{"random", "greedy"},
		},
	}
}

func small() Config {
	c := quick()
	c.Network = Network{Width: 256, Blocks: 3, ValueWidth: 64}
	c.SelfPlay.GamesPerStream = 256
	c.SelfPlay.Games = 2048
	c.SelfPlay.Simulations = 32
	c.SelfPlay.OpeningSimulations = 16
	c.Training.Steps = 500
	c.Training.Window = 1_000_000
	c.Run.Iterations = 200
	return c
}

func strong() Config {
	c := small()
	c.Network = Network{Width: 512, Blocks: 6, ValueWidth: 128}
	c.SelfPlay.Streams = 16
	c.SelfPlay.Games = 8192
	c.SelfPlay.Simulations = 64
	c.SelfPlay.OpeningSimulations = 32
	c.Training.Batch = 1024
	c.Training.Steps = 1500
	c.Training.Window = 5_000_000
	c.Run.Iterations = 1000
	c.Evaluation.Every = 25
	return c
}

// Default returns the first preset.
func Default() Config { return presets[0].config() }

// Preset returns a preset by its name. An unknown name is an error that lists them.
func Preset(name string) (Config, error) {
	for _, p := range presets {
		if p.name == name {
			return p.config(), nil
		}
	}
	return Config{}, choice.Unknown("preset", name, PresetNames())
}

// PresetNames returns the names of the presets, the default first.
func PresetNames() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// PresetDocs returns a line for each preset: its name and what it is for.
func PresetDocs() []string {
	var lines []string
	for _, p := range presets {
		lines = append(lines, fmt.Sprintf("%-7s %s", p.name, p.doc))
	}
	return lines
}
