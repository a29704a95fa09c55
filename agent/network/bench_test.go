// This file measures evaluations and training steps, and how much of the bare
// matrix product's speed they reach. Medians of calls in turn, because a loaded
// machine slows the two alike.

package network

import (
	"fmt"
	"slices"
	"testing"
	"time"

	gblas "gonum.org/v1/gonum/blas"

	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

// products runs the matrix products of a forward pass, and of a training step if
// training, over buffers of its own, and nothing else.
type products struct {
	arithmetic single
	batch      int
	training   bool
	layers     []weights.Product
	x, w, y    []float32
	dx, dw     []float32
}

func newProducts(c Config, batch int, training bool) *products {
	p := &products{arithmetic: newSingle(1), batch: batch, training: training, layers: c.Products()}
	in, out, weights := 0, 0, 0
	for _, l := range p.layers {
		in, out, weights = max(in, l.In), max(out, l.Out), weights+l.In*l.Out
	}
	p.x, p.y, p.dx = make([]float32, batch*in), make([]float32, batch*out), make([]float32, batch*in)
	p.w, p.dw = make([]float32, weights), make([]float32, weights)
	for _, data := range [][]float32{p.x, p.w} {
		fillInput(data, newRand(1))
	}
	return p
}

func (p *products) run() {
	w, dw := p.w, p.dw
	for i, l := range p.layers {
		p.arithmetic.Multiply(gblas.NoTrans, gblas.NoTrans, p.batch, l.Out, l.In, p.x, w, p.y)
		if p.training {
			p.arithmetic.Multiply(gblas.Trans, gblas.NoTrans, l.In, l.Out, p.batch, p.x, p.y, dw)
		}
		if p.training && i > 0 { // features have no gradient
			p.arithmetic.Multiply(gblas.NoTrans, gblas.Trans, p.batch, l.In, l.Out, p.y, w, p.dx)
		}
		w, dw = w[l.In*l.Out:], dw[l.In*l.Out:]
	}
}

// compare reports rows a second of measured, and its speed as a share of bare's.
func compare(b *testing.B, rows int, measured func(), bare func()) {
	var times, bareTimes []time.Duration
	measured()
	bare()
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		measured()
		middle := time.Now()
		bare()
		times = append(times, middle.Sub(start))
		bareTimes = append(bareTimes, time.Since(middle))
	}
	took, bareTook := median(times), median(bareTimes)
	b.ReportMetric(0, "ns/op") // both together: of no use
	b.ReportMetric(float64(took.Microseconds()), "µs/call")
	b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
	b.ReportMetric(100*bareTook.Seconds()/took.Seconds(), "%product")
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func BenchmarkForward(b *testing.B) {
	for _, batch := range []int{1, 32, 128, 256, 512} {
		b.Run(fmt.Sprintf("%s/batch=%d", blas.Selected(), batch), func(b *testing.B) {
			f := mustInference(b, mustWeights(b, full, 1), batch)
			rng := newRand(2)
			for i := range batch {
				fillInput(f.Input(i), rng)
			}
			compare(b, batch, func() {
				if err := f.Evaluate(batch); err != nil {
					b.Fatal(err)
				}
			}, newProducts(full, batch, false).run)
		})
	}
}

func BenchmarkTrain(b *testing.B) {
	for _, batch := range []int{256, 512} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/batch=%d/workers=%d", blas.Selected(), batch, workers), func(b *testing.B) {
				config := DefaultOptimizerConfig()
				config.Workers = workers
				trainer := mustTrainer(b, mustWeights(b, full, 1), config, batch)
				fillBatch(trainer, 15, newRand(2))
				compare(b, batch, func() { mustStep(b, trainer, 1e-4) }, newProducts(full, batch, true).run)
			})
		}
	}
}
