// This file checks the gradients of the graph that is trained.

package network

import (
	"math"
	"testing"

	"kiothi/agent/network/fused/fusedtest"
	"kiothi/agent/network/weights"
)

// doubled builds the trainer's graph again in float64, over copies of its weights
// and buffers.
func doubled(t *testing.T, trainer *Trainer) (*graph[float64], []float64) {
	t.Helper()
	flat := widen(trainer.weights.Flat())
	from := trainer.batch
	rows := examples[float64]{
		input: widen(from.input), mask: widen(from.mask),
		policyTarget: widen(from.policyTarget), marginTarget: widen(from.marginTarget),
		policyWeights: widen(from.policyWeights), valueWeights: widen(from.valueWeights),
	}
	g, err := buildTraining(trainer.weights.Config(), double{}, flat, rows, trainer.optimizer.config.ValueWeight)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.close() })
	normalise(g)
	return g, flat
}

func widen(from []float32) []float64 {
	to := make([]float64, len(from))
	for i, v := range from {
		to[i] = float64(v)
	}
	return to
}

// The gradient of every parameter of a small network, padding included, agrees
// with the central difference of the loss.
func TestGradientsAgreeWithFiniteDifferences(t *testing.T) {
	c := Config{Inputs: 5, Width: 6, Blocks: 2, Actions: 9, Bins: 5, ValueWidth: 4}
	w := mustWeights(t, c, 3)
	rng := newRand(4)
	for i := range w.Flat() { // biases and second layers too, and the gradient of padding must be right
		w.Flat()[i] += float32(0.3 * rng.NormFloat64())
	}
	config := DefaultOptimizerConfig()
	config.ValueWeight = 0.7
	trainer := mustTrainer(t, w, config, 6)
	fillBatch(trainer, 4, rng)
	trainer.PolicyWeights()[1] = 0
	trainer.ValueWeights()[2] = 0
	g, flat := doubled(t, trainer)

	loss := func() float64 {
		if err := g.run(); err != nil {
			t.Fatal(err)
		}
		return g.policyLoss.mean + config.ValueWeight*g.valueLoss.mean
	}
	loss()
	gradients := make([]float64, len(flat))
	for i, p := range w.Layout().Parameters {
		copy(weights.Part(p, gradients), g.gradient(i))
	}
	const h = 1e-5
	worst := 0.0
	for _, p := range w.Layout().Parameters {
		values, gradient := weights.Part(p, flat), weights.Part(p, gradients)
		for j := range values {
			difference := fusedtest.Slope(loss, &values[j], h)
			// Differences below 1e-5 are compared with 1e-5: their own error is about 1e-11.
			relative := fusedtest.RelativeError(difference, gradient[j], 1e-5)
			if relative > 1e-5 {
				t.Errorf("%s[%d]: gradient %g, finite difference %g", p.Name, j, gradient[j], difference)
			}
			worst = max(worst, relative)
		}
	}
	t.Logf("%d parameters, worst relative error %.2g", len(flat), worst)
}

// The float32 graphs of two shards on the kernels and one float64 graph in plain Go
// agree at the size that is trained.
func TestSingleAgreesWithDouble(t *testing.T) {
	w := mustWeights(t, full, 5)
	trainer := mustTrainer(t, w, DefaultOptimizerConfig(), shardRows+24)
	fillBatch(trainer, 15, newRand(6))
	g, _ := doubled(t, trainer)
	if err := g.run(); err != nil {
		t.Fatal(err)
	}
	losses, err := trainer.evaluate()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []struct {
		name      string
		got, want float64
	}{
		{"policy loss", losses.Policy, g.policyLoss.mean},
		{"value loss", losses.Value, g.valueLoss.mean},
		{"policy entropy", losses.PolicyEntropy, g.policyLoss.entropy},
		{"value entropy", losses.ValueEntropy, g.valueLoss.entropy},
	} {
		if math.Abs(l.got-l.want) > 1e-5 {
			t.Errorf("%s: float32 %.9g, float64 %.9g", l.name, l.got, l.want)
		}
	}
	for i, p := range w.Layout().Parameters {
		if relative := fusedtest.Distance(weights.Part(p, trainer.gradient), g.gradient(i)); !(relative < 1e-4) {
			t.Errorf("gradient of %s: float32 and float64 differ by %.2g of its length", p.Name, relative)
		}
	}
}
