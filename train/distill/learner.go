// This file is a step of learning: gradients, Adam, and the bounds of what can be quantised.

package distill

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"kiothi/agent/blas"
	"kiothi/agent/model"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// A learner holds the parameters and Adam's moments.
type learner struct {
	options    *LearnOptions
	game       mancala.Game
	layout     nnue.Layout
	batch      *batch
	graph      *graph[float32]
	steps      int
	parameters [parameterCount][]float32
	m, v       [parameterCount][]float32
}

// Adam's constants are those of the paper (Kingma and Ba, ICLR 2015, algorithm 1).
const beta1, beta2, epsilon = 0.9, 0.999, 1e-8

func newLearner(g mancala.Game, o *LearnOptions, rng *rand.Rand) (*learner, error) {
	l, err := nnue.LayoutOf(g)
	if err != nil {
		return nil, err
	}
	t := &learner{options: o, game: g, layout: l, batch: newBatch(o.Batch, l)}
	for p, shape := range shapes(l, o.Hidden) {
		n := shape.TotalSize()
		t.parameters[p], t.m[p], t.v[p] = make([]float32, n), make([]float32, n), make([]float32, n)
	}
	t.initialise(rng)
	t.graph, err = newGraph(newSingle(o.workers()), l, o.Hidden, o.workers(), t.batch, t.parameters)
	return t, err
}

// initialise draws the weights. With factors the tables begin at zero, so that a row which is never seen is the sum of what
// is known of its two pits.
func (t *learner) initialise(rng *rand.Rand) {
	draw := func(parameter int, deviation float64) {
		for i := range t.parameters[parameter] {
			t.parameters[parameter][i] = float32(deviation * rng.NormFloat64())
		}
	}
	deviation := 0.5 / math.Sqrt(float64(2*t.layout.Columns())) // of sums about 0.5
	if t.options.Factors {
		draw(ownParameter, deviation)
		draw(enemyParameter, deviation)
		draw(slopeParameter, deviation)
	} else {
		draw(tablesParameter, math.Sqrt2*deviation)
	}
	draw(denseParameter, math.Sqrt(2/float64(t.options.Hidden)))
	draw(outputParameter, math.Sqrt(1/float64(nnue.Dense)))
}

// step learns from the batch and returns its loss.
func (t *learner) step(rate float64) (float64, error) {
	if err := t.graph.run(); err != nil {
		return 0, fmt.Errorf("a step of learning: %w", err)
	}
	loss := t.graph.loss.mean
	if math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, fmt.Errorf("a step of learning: the loss of step %d is %v, expected a finite number: lower the learning rate", t.steps+1, loss)
	}
	t.steps++
	for p, weights := range t.parameters {
		if !t.options.Factors && (p == ownParameter || p == enemyParameter || p == slopeParameter) {
			continue
		}
		c := blas.NewAdamConstants(t.steps, rate, beta1, beta2, epsilon)
		if p == tablesParameter {
			c.Keep = float32(1 - rate*t.options.Decay)
		}
		t.adam(weights, t.graph.gradient(p), t.m[p], t.v[p], &c)
	}
	bounded := nnue.Float{DenseWeights: t.parameters[denseParameter], OutputWeights: t.parameters[outputParameter]}
	bounded.Clip()
	return loss, nil
}

// adamShare is the number of parameters that a worker takes at a time.
const adamShare = 1 << 15

// adam is blas.Adam by all workers.
func (t *learner) adam(w, gradient, m, v []float32, c *blas.AdamConstants) {
	n := len(w)
	share(t.options.workers(), (n+adamShare-1)/adamShare, func(i int) {
		from, to := i*adamShare, min((i+1)*adamShare, n)
		blas.Adam(w[from:to], gradient[from:to], m[from:to], v[from:to], c)
	})
}

// float returns a copy of the network, its factors folded.
func (t *learner) float() (*nnue.Float, error) {
	f, err := nnue.NewFloat(t.game, t.options.Hidden)
	if err != nil {
		return nil, err
	}
	copy(f.Tables, t.parameters[tablesParameter])
	copy(f.DenseWeights, t.parameters[denseParameter])
	copy(f.DenseBias, t.parameters[denseBiasParameter])
	copy(f.OutputWeights, t.parameters[outputParameter])
	copy(f.OutputBias, t.parameters[outputBiasParameter])
	f.Fold(&nnue.Factors{Own: t.parameters[ownParameter], Enemy: t.parameters[enemyParameter], Slope: t.parameters[slopeParameter]})
	return f, nil
}

// tensors returns all that a learner needs to go on, over its own memory.
func (t *learner) tensors() []model.Tensor {
	var list []model.Tensor
	for p, shape := range shapes(t.layout, t.options.Hidden) {
		for _, part := range []struct {
			name string
			data []float32
		}{{"weights", t.parameters[p]}, {"m", t.m[p]}, {"v", t.v[p]}} {
			list = append(list, model.Tensor{Name: part.name + "/" + parameterNames[p], Shape: shape, Data: part.data})
		}
	}
	return list
}

// restore takes what tensors returned, after a number of steps.
func (t *learner) restore(steps int, list []model.Tensor) error {
	want := t.tensors()
	if len(list) != len(want) {
		return fmt.Errorf("found %d tensors, expected %d", len(list), len(want))
	}
	byName := map[string]model.Tensor{}
	for _, tensor := range list {
		byName[tensor.Name] = tensor
	}
	for _, tensor := range want {
		if found := byName[tensor.Name]; !slices.Equal(found.Shape, tensor.Shape) {
			return fmt.Errorf("tensor %q: found the shape %v, expected %v", tensor.Name, found.Shape, tensor.Shape)
		}
	}
	for _, tensor := range want {
		copy(tensor.Data, byName[tensor.Name].Data)
	}
	t.steps = steps
	return nil
}

func (t *learner) close() error { return t.graph.close() }
