// This file checks the gradients of the graph that learns.

package distill

import (
	"math"
	"math/rand/v2"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
	"kiothi/agent/nnue"
)

// double is float64 in plain Go, precise enough for finite differences.
type double struct{}

func (double) DType() tensor.Dtype                   { return tensor.Float64 }
func (double) Data(v gorgonia.Value) []float64       { return v.(*tensor.Dense).Float64s() }
func (double) NewScalar() gorgonia.Value             { return gorgonia.NewF64(0) }
func (double) SetScalar(s gorgonia.Value, v float64) { *s.(*gorgonia.F64) = gorgonia.F64(v) }
func (double) Scalar(v gorgonia.Value) float64       { return float64(*v.(*gorgonia.F64)) }

func (double) add(y, x []float64) {
	for i := range y {
		y[i] += x[i]
	}
}

func (double) Multiply(transposeA, transposeB gblas.Transpose, m, n, k int, a, b, c []float64) {
	lda, ldb := fused.Strides(transposeA, transposeB, m, n, k)
	gonum.Implementation{}.Dgemm(transposeA, transposeB, m, n, k, 1, a, lda, b, ldb, 0, c, n)
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
			saved := weights[i]
			weights[i] = saved + h
			above := loss()
			weights[i] = saved - h
			below := loss()
			weights[i] = saved
			difference := (above - below) / (2 * h)
			relative := math.Abs(difference-gradients[p][i]) / max(math.Abs(difference), math.Abs(gradients[p][i]), 1e-4)
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
		distance, length := 0.0, 0.0
		for i, want := range g.gradient(p) {
			one, two := graphs[0].gradient(p)[i], graphs[1].gradient(p)[i]
			if math.Float32bits(one) != math.Float32bits(two) {
				t.Fatalf("%s[%d]: %v by one worker, %v by two", name, i, one, two)
			}
			distance += (float64(one) - want) * (float64(one) - want)
			length += want * want
		}
		if relative := math.Sqrt(distance / length); !(relative < 1e-4) {
			t.Errorf("gradient of %s: float32 and float64 differ by %.2g of its length", name, relative)
		}
	}
}
