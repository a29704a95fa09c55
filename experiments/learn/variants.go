//go:build unix

// This file is what is compared, and the learning.

package main

import (
	"math/rand/v2"
	"time"

	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/zero"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train"
	"kiothi/train/config"
	"kiothi/train/replay"
)

// A variant is what a network learns with. What is zero is as in the preset quick, with 800 steps.
type variant struct {
	name string

	seed          uint64 // of the first weights and of the batches
	width, blocks int
	batch, steps  int
	rate          float64
	l2            float64
	view          func(mancala.Game) inputs // what the network sees instead of the features of package features
}

// variants lists what is compared. Differences are to the first.
var variants = []variant{
	{name: "standard"},
	{name: "another seed", seed: 2},
	{name: "400 steps", steps: 400},
	{name: "1,600 steps", steps: 1600},
	{name: "batch 256, 1,600 steps", batch: 256, steps: 1600},
	{name: "batch 256, 1,600 steps, learning rate 0.002", batch: 256, steps: 1600, rate: 0.002},
	{name: "batch 1,024, 400 steps", batch: 1024, steps: 400},
	{name: "batch 1,024, 400 steps, learning rate 0.008", batch: 1024, steps: 400, rate: 0.008},
	{name: "width 64", width: 64},
	{name: "width 256", width: 256},
	{name: "1 block", blocks: 1},
	{name: "4 blocks", blocks: 4},
	{name: "counts alone", view: countsAlone},
	{name: "one-hot counts", view: oneHot(false)},
	{name: "thermometers", view: without("reach", "threats")},
	{name: "one-hot counts, reach and threats", view: oneHot(true)},
	{name: "without reach", view: without("reach")},
	{name: "without threats", view: without("threats")},
	{name: "without marks", view: withoutMarks},
	{name: "with whole relays", view: withRelays},
}

// defaults returns the variant with nothing zero, and the preset that the rest is taken from.
func (v variant) defaults() (variant, config.Config) {
	c := config.Default()
	or := func(n *int, other int) {
		if *n == 0 {
			*n = other
		}
	}
	or(&v.width, c.Network.Width)
	or(&v.blocks, c.Network.Blocks)
	or(&v.batch, c.Training.Batch)
	or(&v.steps, 800)
	if v.seed == 0 {
		v.seed = 1
	}
	if v.rate == 0 {
		v.rate = c.Training.LearningRate
	}
	if v.l2 == 0 {
		v.l2 = c.Training.L2
	}
	return v, c
}

// inputs returns what the variant's network sees.
func (v variant) inputs(game mancala.Game) inputs {
	if v.view == nil {
		return features(game)
	}
	return v.view(game)
}

// description is what a kept network says of itself.
func (v variant) description() model.Description {
	v, _ = v.defaults()
	return model.Description{Steps: int64(v.steps), Seed: v.seed}
}

// learn trains a network on the window. It takes one processor, the time of which it returns.
func (v variant) learn(game mancala.Game, window *replay.Window) (*weights.Weights, time.Duration, error) {
	v, c := v.defaults()
	shape, err := zero.ConfigOf(game, v.width, v.blocks, c.Network.ValueWidth)
	if err != nil {
		return nil, 0, err
	}
	scale, err := margin.Of(game)
	if err != nil {
		return nil, 0, err
	}
	in := v.inputs(game)
	shape.Inputs = in.size
	w, err := weights.New(shape, seed.Rand(v.seed, seed.Weights))
	if err != nil {
		return nil, 0, err
	}
	o := network.DefaultOptimizerConfig()
	o.L2, o.ClipNorm, o.ValueWeight = v.l2, c.Training.Clip, c.Training.ValueWeight
	trainer, err := network.NewTrainer(w, o, v.batch)
	if err != nil {
		return nil, 0, err
	}
	defer trainer.Close()
	schedule := network.Schedule{Kind: network.Cosine, Rate: v.rate, Final: v.rate / 10, Warmup: c.Training.Warmup, Steps: v.steps}

	began := processorTime()
	rng := seed.Rand(v.seed, seed.Training)
	l := learner{game: game, trainer: trainer, in: in, scale: scale}
	for step := range v.steps {
		for row := range v.batch {
			l.fill(row, draw(window, rng))
		}
		if _, err := trainer.Step(schedule.At(step)); err != nil {
			return nil, 0, err
		}
	}
	return w, processorTime() - began, nil
}

// draw draws a position that was not reached at random.
func draw(window *replay.Window, rng *rand.Rand) (s replay.Sample) {
	for {
		if window.Sample(rng, &s); s.Flags&replay.Random == 0 {
			return s
		}
	}
}

// A learner writes positions into a trainer's batch, as package train does.
type learner struct {
	game    mancala.Game
	trainer *network.Trainer
	in      inputs
	scale   margin.Scale
	legal   []mancala.Action
}

func (l *learner) fill(row int, s replay.Sample) {
	l.in.encode(l.trainer.Input(row), &s.State)
	l.legal = train.Teach(l.trainer, row, l.game, l.scale, &s, l.legal)
}
