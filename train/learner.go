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

	rows []drawn // of the batch
}

// drawn is a sample that was drawn for a row of the batch.
type drawn struct {
	replay.Sample
	legal []mancala.Action // memory
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
	return &learner{game: g, trainer: t, encoder: encoder, scale: scale, window: w, rows: make([]drawn, t.Batch())}, nil
}

// step learns from one batch, drawn with rng. Positions whose action was drawn at random teach nothing about either head,
// because what follows them is not what the network would have played; a forced move has no policy to learn.
func (l *learner) step(rng *rand.Rand, rate float64) (network.Losses, error) {
	for row := range l.rows {
		if err := l.draw(rng, &l.rows[row].Sample); err != nil {
			return network.Losses{}, err
		}
	}
	l.trainer.Fill(l.fill)
	return l.trainer.Step(rate)
}

// draw draws a sample that has something to teach.
func (l *learner) draw(rng *rand.Rand, s *replay.Sample) error {
	const tries = 100_000
	for range tries {
		l.window.Sample(rng, s)
		if s.Flags&replay.Random == 0 {
			return nil
		}
	}
	return fmt.Errorf("of %d positions drawn from the window, each was reached by random moves only: lower selfplay.random_openings", tries)
}

// fill writes the sample of a row into the batch. Rows may be filled side by side.
func (l *learner) fill(row int) {
	s := &l.rows[row]
	l.encoder.Encode(l.trainer.Input(row), &s.State)
	s.legal = Teach(l.trainer, row, l.game, l.scale, &s.Sample, s.legal)
}

// Teach writes what a sample teaches into a row of a trainer's batch, beside the input: the legal actions and the policy, where
// the sample has one, and the final margin. It uses the memory of legal, and returns it.
func Teach(t *network.Trainer, row int, g mancala.Game, scale margin.Scale, s *replay.Sample, legal []mancala.Action) []mancala.Action {
	t.PolicyWeights()[row] = 0
	if len(s.Policy) > 0 {
		t.PolicyWeights()[row] = 1
		mask, target := t.Mask(row), t.PolicyTarget(row)
		clear(mask)
		clear(target)
		legal = g.AppendLegal(legal[:0], &s.State)
		for _, a := range legal {
			mask[a] = 1
		}
		for _, e := range s.Policy {
			target[e.Action] = e.Probability()
		}
	}
	t.ValueWeights()[row] = 1
	result := t.MarginTarget(row)
	clear(result)
	scale.Add(result, s.Margin, 1)
	return legal
}
