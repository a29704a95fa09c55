package train

import (
	"fmt"
	"strings"
	"unsafe"

	"kiothi/agent/network/weights"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/train/config"
	"kiothi/train/replay"
)

// This file estimates the memory that a run needs, so that one that cannot end well does not begin.

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have int64 // in bytes
	Known      bool  // Have is the machine's, and not an assumption
	parts      []part
}

// A part is what one thing needs.
type part struct {
	name  string
	bytes float64
	keys  string // that lower it
}

// Error lists what needs how much, and the keys that lower it.
func (e *MemoryError) Error() string {
	have := "this program can use " + gigabytes(float64(e.Have))
	if !e.Known {
		have = "the memory of this machine is not known, and a run may take " + gigabytes(float64(e.Have))
	}
	var parts []string
	for _, p := range e.parts {
		parts = append(parts, fmt.Sprintf("%s %s (%s)", p.name, gigabytes(p.bytes), p.keys))
	}
	return fmt.Sprintf("the run needs about %s of memory, but %s: lower what needs the most; %s", gigabytes(float64(e.Need)), have, strings.Join(parts, ", "))
}

func gigabytes(bytes float64) string { return fmt.Sprintf("%.1f GB", bytes/1e9) }

// unknownMemory is the most that a run may take, in bytes, where the machine's memory is not known.
const unknownMemory = 64 << 30

// checkMemory refuses a configuration that needs more memory than there is: have bytes, 0 where that is not known.
func checkMemory(c *config.Config, have int64) error {
	parts, err := estimate(c)
	if err != nil {
		return err
	}
	need := 0.0
	for _, p := range parts {
		need += p.bytes
	}
	known := have > 0
	if !known {
		have = unknownMemory
	}
	if need <= float64(have) {
		return nil
	}
	return &MemoryError{int64(min(need, 1<<62)), have, known, parts}
}

// What a game is like, on average and rounded down: the estimate must not refuse a run that would fit.
const (
	gamePositions = 50
	legalActions  = 12 // with weight in a policy
)

// Bytes that a simulation leaves in a search's tree, and in the memories of the network's judgements.
const simulationBytes = 1000

// estimate returns what a run needs at the least.
func estimate(c *config.Config) ([]part, error) {
	g, err := games.Open(c.Game, c.Rules)
	if err != nil {
		return nil, err
	}
	shape, err := zero.ConfigOf(g, c.Network.Width, c.Network.Blocks, c.Network.ValueWidth)
	if err != nil {
		return nil, err
	}
	return append(networkParts(c, shape), gameParts(c)...), nil
}

// shardRows is how many rows of a batch have a gradient of their own, at the most.
const shardRows = 256

// networkParts is what networks need.
func networkParts(c *config.Config, shape weights.Config) []part {
	const number = 4 // bytes
	parameters := number * float64(shape.Parameters())
	copies := 4.0 // weights, gradient and two moments
	if c.Gating.Every > 0 {
		copies++
	}
	// A row's numbers: features, two layers a block and the heads.
	row := number * float64(shape.InputStride()+(1+2*shape.Blocks)*shape.Width+shape.ValueWidth+shape.PolicyStride()+shape.MarginStride())
	batch := float64(c.Training.Batch)
	shards := float64((c.Training.Batch + shardRows - 1) / shardRows)
	streams, slots := float64(c.SelfPlay.Streams), float64(c.SelfPlay.GamesPerStream)
	simulations := float64(max(c.SelfPlay.Simulations, c.SelfPlay.OpeningSimulations))
	return []part{
		{"network", copies * parameters, "network.width, network.blocks"},
		{"training", shards*parameters + 2*batch*row, "training.batch, network.width, network.blocks"},
		{"self-play", streams * slots * (row + simulations*simulationBytes), "selfplay.streams, selfplay.games_per_stream, selfplay.simulations, selfplay.opening_simulations"},
	}
}

// gameParts is what games need: those of an iteration, and the window's.
func gameParts(c *config.Config) []part {
	games := float64(c.SelfPlay.Games)
	position := float64(replay.EstimateBytes(1, legalActions))
	window := min(float64(c.Training.Window), games*float64(c.Run.Iterations)*gamePositions)
	return []part{
		{"games of an iteration", games * gamePositions * (position - float64(unsafe.Sizeof(mancala.State{}))), "selfplay.games"},
		{"window", window * position, "training.window"},
	}
}
