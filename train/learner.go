package train

import (
	"fmt"
	"math/rand/v2"

	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// This file is the learning from the window: batches of samples, and steps of the trainer.

// A learner fills the trainer's batches with samples of the window.
type learner struct {
	game    mancala.Game
	trainer *network.Trainer
	encoder features.Encoder
	scale   margin.Scale
	window  *replay.Window

	sample replay.Sample
	legal  []mancala.Action
}

func newLearner(g mancala.Game, t *network.Trainer, w *replay.Window) (*learner, error) {
	encoder, err := features.New(g)
	if err != nil {
		return nil, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	return &learner{game: g, trainer: t, encoder: encoder, scale: scale, window: w}, nil
}

// step learns from one batch, drawn with rng. Positions whose action was drawn at random teach nothing about either head,
// because what follows them is not what the network would have played; a forced move has no policy to learn.
func (l *learner) step(rng *rand.Rand, rate float64) (network.Losses, error) {
	for row := range l.trainer.Batch() {
		if err := l.draw(rng); err != nil {
			return network.Losses{}, err
		}
		l.fill(row)
	}
	return l.trainer.Step(rate)
}

// draw draws a sample that has something to teach.
func (l *learner) draw(rng *rand.Rand) error {
	const tries = 100_000
	for range tries {
		l.window.Sample(rng, &l.sample)
		if l.sample.Flags&replay.Random == 0 {
			return nil
		}
	}
	return fmt.Errorf("of %d positions drawn from the window, each was reached by random moves only: lower selfplay.random_openings", tries)
}

// fill writes the sample into a row of the batch.
func (l *learner) fill(row int) {
	s := &l.sample
	l.encoder.Encode(l.trainer.Input(row), &s.State)

	l.trainer.PolicyWeights()[row] = 0
	if len(s.Policy) > 0 {
		l.trainer.PolicyWeights()[row] = 1
		mask, target := l.trainer.Mask(row), l.trainer.PolicyTarget(row)
		clear(mask)
		clear(target)
		l.legal = l.game.AppendLegal(l.legal[:0], &s.State)
		for _, a := range l.legal {
			mask[a] = 1
		}
		for _, e := range s.Policy {
			target[e.Action] = e.Probability()
		}
	}

	l.trainer.ValueWeights()[row] = 1
	result := l.trainer.MarginTarget(row)
	clear(result)
	l.scale.Add(result, s.Margin, 1)
}
