package config

import (
	"crypto/rand"
	"encoding/binary"
	"slices"
)

// This file is the configuration as the program uses it. What each key means and which values it may have is in keys.go,
// under the name of the field's tag.

// A Config is everything that determines a run, and a few keys that do not (see Key.Resume). It is copied by Clone.
type Config struct {
	Game    string `toml:"game"`
	Rules   string `toml:"rules"`
	Seed    uint64 `toml:"seed"`
	Workers int    `toml:"workers"`

	Network    Network    `toml:"network"`
	SelfPlay   SelfPlay   `toml:"selfplay"`
	Search     Search     `toml:"search"`
	Training   Training   `toml:"training"`
	Gating     Gating     `toml:"gating"`
	Run        Run        `toml:"run"`
	Evaluation Evaluation `toml:"evaluation"`
}

// Network is the size of the network, and where it comes from.
type Network struct {
	Width      int `toml:"width"`
	Blocks     int `toml:"blocks"`
	ValueWidth int `toml:"value_width"`

	InitFrom string `toml:"init_from"`
}

// SelfPlay is how games are played to learn from.
type SelfPlay struct {
	Streams            int     `toml:"streams"`
	GamesPerStream     int     `toml:"games_per_stream"`
	Games              int     `toml:"games"`
	Simulations        int     `toml:"simulations"`
	OpeningSimulations int     `toml:"opening_simulations"`
	Temperature        float64 `toml:"temperature"`
	RandomOpenings     float64 `toml:"random_openings"`
}

// Search is how a move is searched, in self-play and in evaluation.
type Search struct {
	Kind           string  `toml:"kind"`
	Considered     int     `toml:"considered"`
	CVisit         float64 `toml:"c_visit"`
	CScale         float64 `toml:"c_scale"`
	CPUCT          float64 `toml:"c_puct"`
	DirichletAlpha float64 `toml:"dirichlet_alpha"`
	DirichletShare float64 `toml:"dirichlet_share"`
	MarginShare    float64 `toml:"margin_share"`
}

// Training is how the network learns from the games.
type Training struct {
	Batch             int     `toml:"batch"`
	Steps             int     `toml:"steps"`
	Window            int     `toml:"window"`
	LearningRate      float64 `toml:"learning_rate"`
	Warmup            int     `toml:"warmup"`
	Schedule          string  `toml:"schedule"`
	FinalLearningRate float64 `toml:"final_learning_rate"`
	L2                float64 `toml:"l2"`
	Clip              float64 `toml:"clip"`
	ValueWeight       float64 `toml:"value_weight"`
}

// Gating is when the network that learns takes over self-play.
type Gating struct {
	Every       int     `toml:"every"`
	Games       int     `toml:"games"`
	Simulations int     `toml:"simulations"`
	Elo0        float64 `toml:"elo0"`
	Elo1        float64 `toml:"elo1"`
	Alpha       float64 `toml:"alpha"`
	Beta        float64 `toml:"beta"`
}

// Run is how long a run is and what it keeps.
type Run struct {
	Iterations      int    `toml:"iterations"`
	CheckpointEvery int    `toml:"checkpoint_every"`
	Keep            int    `toml:"keep"`
	TensorBoard     string `toml:"tensorboard"`
}

// Evaluation is how the network is measured.
type Evaluation struct {
	Every        int      `toml:"every"`
	InterimGames int      `toml:"interim_games"`
	Games        int      `toml:"games"`
	Simulations  int      `toml:"simulations"`
	Opponents    []string `toml:"opponents"`
}

// Clone returns a copy that shares nothing.
func (c Config) Clone() Config {
	c.Evaluation.Opponents = slices.Clone(c.Evaluation.Opponents)
	return c
}

// DrawSeed puts a seed from the operating system in the place of seed 0.
func (c *Config) DrawSeed() {
	for c.Seed == 0 {
		var b [8]byte
		rand.Read(b[:]) // never fails
		c.Seed = binary.LittleEndian.Uint64(b[:]) & maxSeed
	}
}
