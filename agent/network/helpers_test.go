// This file is what several tests use: float64 arithmetic, small networks,
// random batches.

package network

import (
	"math/rand/v2"
	"testing"

	"kiothi/agent/network/fused/fusedtest"
	"kiothi/agent/network/weights"
)

// double is float64 in plain Go.
type double struct{ fusedtest.Double }

func (double) biasReLU(y, bias, residual []float64, rows, columns int, relu bool) {
	for i := range y[:rows*columns] {
		y[i] += bias[i%columns]
		if residual != nil {
			y[i] += residual[i]
		}
		if relu {
			y[i] = max(y[i], 0)
		}
	}
}

func (double) reluGradient(z, y, gradient, biasGradient []float64, rows, columns int, relu bool) {
	clear(biasGradient)
	for i := range z[:rows*columns] {
		if relu && y[i] <= 0 {
			z[i] = 0
		} else {
			z[i] = gradient[i]
		}
		biasGradient[i%columns] += z[i]
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// small has padding on every padded side and widths that are not multiples of 8.
var small = Config{Inputs: 21, Width: 28, Blocks: 2, Actions: 70, Bins: 13, ValueWidth: 12}

// full is a network of the size that self-play uses: 680 thousand parameters.
var full = Config{Inputs: 400, Width: 256, Blocks: 3, Actions: 631, Bins: 61, ValueWidth: 64}

func mustWeights(t testing.TB, c Config, seed uint64) *Weights {
	t.Helper()
	w, err := weights.New(c, newRand(seed))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func mustTrainer(t testing.TB, w *Weights, c OptimizerConfig, batch int) *Trainer {
	t.Helper()
	trainer, err := NewTrainer(w, c, batch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { trainer.Close() })
	return trainer
}

func mustInference(t testing.TB, w *Weights, batch int) *Inference {
	t.Helper()
	f, err := NewInference(w, batch)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func mustStep(t testing.TB, trainer *Trainer, lr float64) Losses {
	t.Helper()
	losses, err := trainer.Step(lr)
	if err != nil {
		t.Fatal(err)
	}
	return losses
}

func fillInput(input []float32, rng *rand.Rand) {
	for i := range input {
		input[i] = float32(rng.NormFloat64())
	}
}

// fillBatch writes random features, masks of about legal actions, targets and
// row weights.
func fillBatch(t *Trainer, legal float64, rng *rand.Rand) {
	for i := range t.Batch() {
		fillInput(t.Input(i), rng)
		fillPolicy(t.Mask(i), t.PolicyTarget(i), legal, rng)
		fillDistribution(t.MarginTarget(i), rng)
		t.PolicyWeights()[i] = float32(0.5 + rng.Float64())
		t.ValueWeights()[i] = float32(0.5 + rng.Float64())
	}
}

// fillPolicy marks legal of the actions on average, one at least, and spreads a
// distribution over these.
func fillPolicy(mask, target []float32, legal float64, rng *rand.Rand) {
	clear(mask)
	clear(target)
	mask[rng.IntN(len(mask))] = 1
	sum := float32(0)
	for j := range mask {
		if rng.Float64() < legal/float64(len(mask)) {
			mask[j] = 1
		}
		if mask[j] != 0 {
			target[j] = rng.Float32()
			sum += target[j]
		}
	}
	for j := range target {
		target[j] /= sum
	}
}

func fillDistribution(target []float32, rng *rand.Rand) {
	sum := float32(0)
	for j := range target {
		target[j] = rng.Float32()
		sum += target[j]
	}
	for j := range target {
		target[j] /= sum
	}
}
