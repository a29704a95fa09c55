// This file holds the parameters of a network, and turns the padded storage that
// the kernels want into the plain tensors that a file keeps.

package weights

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Weights are all parameters of a network. Graphs built over them share their
// storage: a change is seen by the next run.
type Weights struct {
	config Config
	layout Layout
	flat   []float32 // every parameter, padded, one after the other
}

// Tensor is a named array in row-major order, without padding.
type Tensor struct {
	Name  string
	Shape []int // [in, out] of a weight matrix, [out] of a bias
	Data  []float32
}

// New draws the weights of a new network from rng; biases are zero. The
// same generator state gives the same weights.
func New(config Config, rng *rand.Rand) (*Weights, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	w := zeroWeights(config)
	for _, p := range w.layout.Parameters {
		if p.Bias {
			continue
		}
		deviation := p.gain / math.Sqrt(float64(p.Rows.Size))
		p.EachRow(w.flat, func(row []float32) {
			for i := range row {
				row[i] = float32(deviation * rng.NormFloat64())
			}
		})
	}
	return w, nil
}

// FromTensors builds the weights of a network from all its tensors, in
// any order; see [Weights.SetTensors].
func FromTensors(config Config, tensors []Tensor) (*Weights, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	w := zeroWeights(config)
	if err := w.SetTensors(tensors); err != nil {
		return nil, err
	}
	return w, nil
}

func zeroWeights(config Config) *Weights {
	l := NewLayout(config)
	return &Weights{config: config, layout: l, flat: make([]float32, l.Size)}
}

// Config returns the shape of the network.
func (w *Weights) Config() Config { return w.config }

// Layout returns where each parameter lies in [Weights.Flat].
func (w *Weights) Layout() Layout { return w.layout }

// Flat is the storage itself: every parameter, padded, one after the other. What
// is written into it, other than into the padding, is the network's.
func (w *Weights) Flat() []float32 { return w.flat }

// Count is the number of parameters, padding not counted.
func (w *Weights) Count() int { return w.config.Parameters() }

// Tensors copies all parameters out, in an order and under names that depend on
// the configuration only: input, blocks.0.first, blocks.0.second, …, policy,
// value.hidden, value.margin, each with .weight [in, out] and .bias [out].
func (w *Weights) Tensors() []Tensor { return w.layout.Tensors(w.flat) }

// SetTensors copies tensors in, found by name. It wants every parameter exactly
// once, with its shape, and finite numbers; otherwise it changes nothing and says
// what is wrong.
func (w *Weights) SetTensors(tensors []Tensor) error {
	return w.layout.SetTensors(w.flat, tensors)
}

// Clone returns a copy with storage of its own.
func (w *Weights) Clone() *Weights {
	return &Weights{config: w.config, layout: w.layout, flat: slices.Clone(w.flat)}
}

// CopyFrom overwrites w with the numbers of a network of the same shape.
func (w *Weights) CopyFrom(source *Weights) error {
	if w.config != source.config {
		return fmt.Errorf("network: cannot copy weights of %+v to a network of %+v", source.config, w.config)
	}
	copy(w.flat, source.flat)
	return nil
}
