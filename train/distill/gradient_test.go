// This file checks the gradients of the graph that learns.

package distill

import (
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/agent/network/fused/fusedtest"
	"kiothi/agent/nnue"
)

// double is float64 in plain Go.
type double struct{ fusedtest.Double }

func (double) add(y, x []float64) {
	for i := range y {
		y[i] += x[i]
	}
}

// randomParameters are of a size that clips some activations at either end.
func randomParameters(l nnue.Layout, hidden int, rng *rand.Rand) (single [parameterCount][]float32, double [parameterCount][]float64) {
	for p, shape := range shapes(l, hidden) {
		for range shape.TotalSize() {
			x := float32(0.3 * rng.NormFloat64())
			if p == denseBiasParameter {
				x *= 20
			}
			single[p] = append(single[p], x)
			double[p] = append(double[p], float64(x))
		}
	}
	return single, double
}

// fillBatch names random rows, the first position those of the one before the last too.
func fillBatch(b *batch, l nnue.Layout, rng *rand.Rand) {
	n := l.Tables()
	for i := range b.size {
		for t := range n {
			first, end := l.Bounds(t)
			b.rows[i*n+t] = int32(first + rng.IntN(end-first))
		}
		b.buckets[i] = uint8(rng.IntN(nnue.Buckets))
		b.targets[i] = rng.Float32()
	}
	copy(b.rows, b.rows[len(b.rows)-2*n:len(b.rows)-n])
}

// The gradient of parameters of every kind agrees with the central difference of the loss.
func TestGradientsAgreeWithFiniteDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	l := layoutOf(t, "rio-kadalis")
	const hidden = 64
	_, parameters := randomParameters(l, hidden, rng)
	b := newBatch(12, l)
	fillBatch(b, l, rng)
	g, err := newGraph(double{}, l, hidden, 1, b, parameters)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	loss := func() float64 {
		if err := g.run(); err != nil {
			t.Fatal(err)
		}
		return g.loss.mean
	}
	loss()
	var gradients [parameterCount][]float64
	for p := range gradients {
		gradients[p] = append(gradients[p], g.gradient(p)...)
	}
	const h = 1e-6
	worst, checked := 0.0, 0
	for p, weights := range parameters {
		for range 60 {
			// Where nothing has a gradient there is little to see.
			i := rng.IntN(len(weights))
			for tries := 0; gradients[p][i] == 0 && tries < 10_000; tries++ {
				i = rng.IntN(len(weights))
			}
			difference := fusedtest.Slope(loss, &weights[i], h)
			relative := fusedtest.RelativeError(difference, gradients[p][i], 1e-4)
			if relative > 1e-5 {
				t.Errorf("%s[%d]: gradient %g, finite difference %g", parameterNames[p], i, gradients[p][i], difference)
			}
			worst, checked = max(worst, relative), checked+1
		}
	}
	t.Logf("%d parameters, worst relative error %.2g", checked, worst)
}

// Two workers compute what one does, bit by bit, and float32 agrees with float64.
func TestGradientsDoNotDependOnTheNumberOfWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	l := layoutOf(t, "kiothi")
	const hidden = 64
	parameters, wide := randomParameters(l, hidden, rng)
	b := newBatch(300, l)
	fillBatch(b, l, rng)
	var graphs []*graph[float32]
	for workers := 1; workers <= 2; workers++ {
		g, err := newGraph(newSingle(workers), l, hidden, workers, b, parameters)
		if err != nil {
			t.Fatal(err)
		}
		defer g.close()
		if err := g.run(); err != nil {
			t.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	g, err := newGraph(double{}, l, hidden, 1, b, wide)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	if err := g.run(); err != nil {
		t.Fatal(err)
	}
	if math.Abs(g.loss.mean-graphs[0].loss.mean) > 1e-5 {
		t.Errorf("loss: float32 %v, float64 %v", graphs[0].loss.mean, g.loss.mean)
	}
	for p, name := range parameterNames {
		for i := range g.gradient(p) {
			one, two := graphs[0].gradient(p)[i], graphs[1].gradient(p)[i]
			if math.Float32bits(one) != math.Float32bits(two) {
				t.Fatalf("%s[%d]: %v by one worker, %v by two", name, i, one, two)
			}
		}
		if relative := fusedtest.Distance(graphs[0].gradient(p), g.gradient(p)); !(relative < 1e-4) {
			t.Errorf("gradient of %s: float32 and float64 differ by %.2g of its length", name, relative)
		}
	}
}
