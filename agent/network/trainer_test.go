// This file checks training steps: what they learn, refuse, keep and repeat.

package network

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/agent/blas"
	"kiothi/agent/network/weights"
)

func entropy(distribution []float32) float64 {
	h := 0.0
	for _, p := range distribution {
		if p > 0 {
			h -= float64(p) * math.Log(float64(p))
		}
	}
	return h
}

// A network learns one batch by heart: each loss comes down to the entropy of its
// target, below which no distribution can go.
func TestOverfitsOneBatch(t *testing.T) {
	c := Config{Inputs: 20, Width: 64, Blocks: 2, Actions: 31, Bins: 9, ValueWidth: 32}
	trainer := mustTrainer(t, mustWeights(t, c, 1), DefaultOptimizerConfig(), 16)
	fillBatch(trainer, 6, newRand(2))
	policy, value := 0.0, 0.0
	for i := range trainer.Batch() {
		trainer.PolicyWeights()[i], trainer.ValueWeights()[i] = 1, 1
		policy += entropy(trainer.PolicyTarget(i)) / float64(trainer.Batch())
		value += entropy(trainer.MarginTarget(i)) / float64(trainer.Batch())
	}
	first := mustStep(t, trainer, 2e-3)
	schedule := Schedule{Kind: Cosine, Rate: 2e-3, Steps: 400}
	for i := range schedule.Steps {
		mustStep(t, trainer, schedule.At(i))
	}
	last := mustStep(t, trainer, 0)
	if first.Policy < policy+0.1 || first.Value < value+0.01 {
		t.Fatalf("losses %v begin at the targets' entropies %v and %v: nothing to learn", first, policy, value)
	}
	if last.Policy > policy+1e-3 || last.Policy < policy-1e-6 {
		t.Errorf("policy loss fell from %v to %v, want the targets' entropy %v", first.Policy, last.Policy, policy)
	}
	if last.Value > value+1e-3 || last.Value < value-1e-6 {
		t.Errorf("value loss fell from %v to %v, want the targets' entropy %v", first.Value, last.Value, value)
	}
	if math.Abs(last.PolicyEntropy-policy) > 1e-2 || math.Abs(last.ValueEntropy-value) > 1e-2 {
		t.Errorf("entropies are %v and %v, want those of the targets, %v and %v", last.PolicyEntropy, last.ValueEntropy, policy, value)
	}
}

// What stands at an illegal action, however large, changes no loss and no
// gradient, and its own gradient is exactly zero.
func TestIllegalActionsDoNotEnter(t *testing.T) {
	const illegal = 7
	run := func(logit, target float32) (Losses, [][]float32) {
		w := mustWeights(t, small, 1)
		p := w.Layout().Parameters[2*small.PolicyLayer()+1]
		weights.Part(p, w.Flat())[illegal] = logit
		trainer := mustTrainer(t, w, DefaultOptimizerConfig(), 8)
		fillBatch(trainer, 10, newRand(2))
		for i := range trainer.Batch() {
			clear(trainer.Mask(i))
			clear(trainer.PolicyTarget(i))
			trainer.Mask(i)[3], trainer.PolicyTarget(i)[3] = 1, 0.25
			trainer.Mask(i)[9], trainer.PolicyTarget(i)[9] = 1, 0.75
			trainer.PolicyTarget(i)[illegal] = target
		}
		losses, err := trainer.evaluate()
		if err != nil {
			t.Fatal(err)
		}
		var gradients [][]float32
		for _, p := range w.Layout().Parameters {
			gradients = append(gradients, slices.Clone(weights.Part(p, trainer.gradient)))
		}
		stride := small.PolicyStride()
		weight, bias := gradients[2*small.PolicyLayer()], gradients[2*small.PolicyLayer()+1]
		for column := range stride {
			legal := column == 3 || column == 9
			for i := range small.Width {
				if v := weight[i*stride+column]; !legal && v != 0 {
					t.Fatalf("policy.weight[%d,%d] has gradient %v, its action is illegal in every row", i, column, v)
				}
			}
			if (bias[column] != 0) != legal {
				t.Fatalf("policy.bias[%d] has gradient %v, legal is %v", column, bias[column], legal)
			}
		}
		return losses, gradients
	}
	wantLosses, want := run(0, 0)
	for _, logit := range []float32{1e6, -1e6, math.MaxFloat32} {
		losses, gradients := run(logit, float32(math.NaN()))
		if losses != wantLosses {
			t.Errorf("illegal logit %v: losses %+v, want %+v", logit, losses, wantLosses)
		}
		if diff := cmp.Diff(want, gradients); diff != "" {
			t.Errorf("illegal logit %v changes gradients:\n%s", logit, diff)
		}
	}
}

// Legal logits far apart give finite losses and gradients.
func TestWideLogits(t *testing.T) {
	w := mustWeights(t, small, 1)
	bias := weights.Part(w.Layout().Parameters[2*small.PolicyLayer()+1], w.Flat())
	for i := range bias[:small.Actions] {
		bias[i] = float32(i-30) * 1e4
	}
	trainer := mustTrainer(t, w, DefaultOptimizerConfig(), 4)
	fillBatch(trainer, 10, newRand(2))
	losses, err := trainer.evaluate()
	if err != nil {
		t.Fatal(err)
	}
	if losses.Policy < 1e3 || losses.PolicyEntropy != 0 {
		t.Errorf("losses are %+v, want a large policy loss and a policy without entropy", losses)
	}
}

// A row of weight 0 in one head has no part in that head, whatever its mask and
// target, and keeps its part in the other. Weights are relative.
func TestRowWeightsExclude(t *testing.T) {
	trainer := mustTrainer(t, mustWeights(t, small, 1), DefaultOptimizerConfig(), 4)
	fillBatch(trainer, 10, newRand(2))
	set := func(policy, value [4]float32) Losses {
		copy(trainer.PolicyWeights(), policy[:])
		copy(trainer.ValueWeights(), value[:])
		losses, err := trainer.evaluate()
		if err != nil {
			t.Fatal(err)
		}
		return losses
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	first := set([4]float32{1}, [4]float32{1})
	second := set([4]float32{0, 1}, [4]float32{0, 0, 0, 2})
	both := set([4]float32{3, 1}, [4]float32{0.5, 0, 0, 0.5})
	near("policy loss of two rows", both.Policy, (3*first.Policy+second.Policy)/4)
	near("value loss of two rows", both.Value, (first.Value+second.Value)/2)
	near("policy entropy of two rows", both.PolicyEntropy, (3*first.PolicyEntropy+second.PolicyEntropy)/4)

	clear(trainer.Mask(1)) // would be errors if they were read
	trainer.MarginTarget(1)[0] = float32(math.NaN())
	again := set([4]float32{1}, [4]float32{1})
	if again != first {
		t.Errorf("an excluded row changes the losses from %+v to %+v", first, again)
	}

	none := set([4]float32{}, [4]float32{})
	if none.Policy != 0 || none.Value != 0 || none.GradNorm != 0 {
		t.Errorf("without weighted rows the losses are %+v, want zeros", none)
	}
}

// A batch that cannot have a loss is an error that says which row and why.
func TestStepRefusesRows(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*Trainer)
		want  string
	}{
		{"no legal action", func(t *Trainer) { clear(t.Mask(2)) }, "row 2 has policy weight but no legal action"},
		{"target on an illegal action", func(t *Trainer) { clear(t.Mask(2)); t.Mask(2)[0] = 1; clear(t.PolicyTarget(2)) }, "policy target of row 2 sums to 0"},
		{"margin target not normalised", func(t *Trainer) { t.MarginTarget(1)[0] += 1 }, "network: training step: value target of row 1 sums to "},
		{"negative row weight", func(t *Trainer) { t.ValueWeights()[3] = -1 }, "value weight of row 3 is -1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := mustWeights(t, small, 1)
			before := w.Clone()
			trainer := mustTrainer(t, w, DefaultOptimizerConfig(), 4)
			fillBatch(trainer, 10, newRand(2))
			test.spoil(trainer)
			if _, err := trainer.Step(1e-3); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want %q", err, test.want)
			}
			if !slices.Equal(w.Flat(), before.Flat()) {
				t.Error("a refused step changed the weights")
			}
			fillBatch(trainer, 10, newRand(2))
			mustStep(t, trainer, 1e-3) // the trainer goes on with a good batch
		})
	}
}

// Rows count from the beginning of the batch, not of their shard.
func TestErrorsNameRowsOfTheBatch(t *testing.T) {
	c := Config{Inputs: 4, Width: 8, Blocks: 0, Actions: 5, Bins: 3, ValueWidth: 4}
	trainer := mustTrainer(t, mustWeights(t, c, 1), DefaultOptimizerConfig(), shardRows+10)
	fillBatch(trainer, 3, newRand(2))
	clear(trainer.Mask(shardRows + 7))
	want := fmt.Sprintf("row %d has policy weight", shardRows+7)
	if _, err := trainer.Step(1e-3); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error is %v, want %q", err, want)
	}
}

// Whatever is not a finite number is found and named before weights or moments
// change, even where a ReLU would hide it.
func TestStepRefusesNotFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, test := range []struct {
		name  string
		spoil func(*Trainer)
		want  NotFiniteError
	}{
		{"input NaN", func(t *Trainer) { t.Input(2)[5] = nan }, NotFiniteError{Quantity: "input", Row: 2, Value: float64(nan)}},
		{"input -Inf", func(t *Trainer) { t.Input(3)[20] = -inf }, NotFiniteError{Quantity: "input", Row: 3, Value: math.Inf(-1)}},
		{"weight", func(t *Trainer) { t.weights.Flat()[40] = inf }, NotFiniteError{Quantity: "weight", Name: "input.weight", Row: -1, Value: math.Inf(1)}},
		{"policy target", func(t *Trainer) { copy(t.Mask(1), slices.Repeat([]float32{1}, 70)); t.PolicyTarget(1)[4] = nan }, NotFiniteError{Quantity: "policy loss", Row: -1, Value: float64(nan)}},
		{"margin target", func(t *Trainer) { t.MarginTarget(1)[4] = nan }, NotFiniteError{Quantity: "value loss", Row: -1, Value: float64(nan)}},
		{"row weight", func(t *Trainer) { t.ValueWeights()[0] = nan }, NotFiniteError{Quantity: "value loss", Row: -1, Value: float64(nan)}},
		{"gradient", func(t *Trainer) { // the losses stay finite, the first gradient is a product of what is large
			scale := func(values []float32, factor float32) {
				for i := range values {
					values[i] *= factor
				}
			}
			for i := range t.Batch() {
				scale(t.Input(i), 1e30)
			}
			scale(weights.Part(t.weights.Layout().Parameters[2*weights.InputLayer], t.weights.Flat()), 1e-30)
			scale(weights.Part(t.weights.Layout().Parameters[2*small.PolicyLayer()], t.weights.Flat()), 1e12)
		}, NotFiniteError{Quantity: "gradient", Name: "input.weight", Row: -1, Value: math.Inf(-1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			trainer := mustTrainer(t, mustWeights(t, small, 1), DefaultOptimizerConfig(), 4)
			fillBatch(trainer, 10, newRand(2))
			mustStep(t, trainer, 1e-3)
			test.spoil(trainer)
			weights, state := trainer.Weights().Clone(), trainer.State()
			_, err := trainer.Step(1e-3)
			var notFinite *NotFiniteError
			if !errors.As(err, &notFinite) {
				t.Fatalf("error is %v, want a *NotFiniteError", err)
			}
			t.Log(err)
			same := cmp.Comparer(func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) })
			if diff := cmp.Diff(&test.want, notFinite, same); diff != "" {
				t.Errorf("error differs:\n%s", diff)
			}
			if !sameBits(weights.Flat(), trainer.Weights().Flat()) {
				t.Error("weights have changed")
			}
			if diff := cmp.Diff(state, trainer.State()); diff != "" {
				t.Errorf("moments have changed:\n%s", diff)
			}
		})
	}
}

func TestStepRefusesLearningRate(t *testing.T) {
	trainer := mustTrainer(t, mustWeights(t, small, 1), DefaultOptimizerConfig(), 4)
	fillBatch(trainer, 10, newRand(2))
	for _, lr := range []float64{math.NaN(), math.Inf(1), -1} {
		if _, err := trainer.Step(lr); err == nil {
			t.Errorf("learning rate %v is accepted", lr)
		}
	}
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// trained is the hash of the weights after some steps on batches of one seed, of
// three shards each.
func trained(t *testing.T, c Config, workers int) [sha256.Size]byte {
	t.Helper()
	config := DefaultOptimizerConfig()
	config.L2, config.Workers = 1e-4, workers
	trainer := mustTrainer(t, mustWeights(t, c, 1), config, 2*shardRows+10)
	rng := newRand(2)
	for range 4 {
		fillBatch(trainer, 12, rng)
		mustStep(t, trainer, 1e-3)
	}
	var data []byte
	for _, v := range trainer.Weights().Flat() {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return sha256.Sum256(data)
}

// The same seed and data give the same bits, whatever the number of workers and
// on either instruction set.
func TestTrainingIsReproducible(t *testing.T) {
	t.Cleanup(func() { blas.Use(blas.Auto) })
	c := Config{Inputs: 100, Width: 128, Blocks: 1, Actions: 200, Bins: 61, ValueWidth: 32}
	var want [sha256.Size]byte
	for i, kernel := range blas.Kernels() {
		if err := blas.Use(kernel); err != nil {
			t.Fatal(err)
		}
		if kernel == blas.Go && i > 0 {
			continue // gonum's product rounds differently from assembly
		}
		for _, workers := range []int{1, 2, 5, 1} {
			got := trained(t, c, workers)
			if want == ([sha256.Size]byte{}) {
				want = got
			}
			if got != want {
				t.Errorf("kernel %s, %d workers: weights %x, want %x", kernel, workers, got[:4], want[:4])
			}
		}
	}
}

// Training that goes on from saved tensors and moments gives the same bits as
// training that was never interrupted.
func TestResumedTrainingIsTheSame(t *testing.T) {
	config := DefaultOptimizerConfig()
	config.L2 = 1e-3
	straight := mustTrainer(t, mustWeights(t, small, 1), config, 8)
	rng := newRand(2)
	steps := func(trainer *Trainer, n int) {
		for range n {
			fillBatch(trainer, 10, rng)
			mustStep(t, trainer, 1e-3)
		}
	}
	steps(straight, 5)
	weights, err := weights.FromTensors(small, straight.Weights().Tensors())
	if err != nil {
		t.Fatal(err)
	}
	resumed := mustTrainer(t, weights, config, 8)
	if err := resumed.SetState(straight.State()); err != nil {
		t.Fatal(err)
	}
	rng = newRand(3)
	steps(straight, 5)
	rng = newRand(3)
	steps(resumed, 5)
	if !sameBits(straight.Weights().Flat(), weights.Flat()) {
		t.Error("weights differ")
	}
	if diff := cmp.Diff(straight.State(), resumed.State()); diff != "" {
		t.Errorf("optimizer state differs:\n%s", diff)
	}
}

func TestFillMeetsEachRowOnce(t *testing.T) {
	c := Config{Inputs: 4, Width: 8, Blocks: 0, Actions: 5, Bins: 3, ValueWidth: 4}
	config := DefaultOptimizerConfig()
	config.Workers = 3
	trainer := mustTrainer(t, mustWeights(t, c, 1), config, 77)
	trainer.Fill(func(row int) { trainer.Input(row)[0]++ })
	for row := range trainer.Batch() {
		if n := trainer.Input(row)[0]; n != 1 {
			t.Errorf("row %d is filled %v times", row, n)
		}
	}
}

// A step does what the published formulas say: clip by the global norm, add L2 to
// matrices only, Adam with bias correction.
func TestStepFollowsTheFormulas(t *testing.T) {
	config := OptimizerConfig{Beta1: 0.8, Beta2: 0.95, Epsilon: 1e-6, ClipNorm: 0.05, L2: 0.01, ValueWeight: 0.5, Workers: 1}
	w := mustWeights(t, small, 1)
	trainer := mustTrainer(t, w, config, 8)
	want := widen(w.Flat())
	m, v := make([]float64, len(want)), make([]float64, len(want))
	rng := newRand(2)
	const lr = 1e-2
	for step := 1; step <= 5; step++ {
		fillBatch(trainer, 10, rng)
		losses := mustStep(t, trainer, lr)
		norm, l2 := 0.0, 0.0
		for _, p := range w.Layout().Parameters {
			for j, g := range weights.Part(p, trainer.gradient) {
				norm += float64(g) * float64(g)
				if !p.Bias {
					l2 += config.L2 / 2 * weights.Part(p, want)[j] * weights.Part(p, want)[j]
				}
			}
		}
		norm = math.Sqrt(norm)
		if norm < 2*config.ClipNorm {
			t.Fatalf("gradient norm is %v: this test wants one that is clipped", norm)
		}
		if math.Abs(losses.GradNorm-norm) > 1e-9 || math.Abs(losses.L2-l2) > 1e-5*l2 {
			t.Errorf("step %d: norm %v and L2 loss %v, want %v and %v", step, losses.GradNorm, losses.L2, norm, l2)
		}
		if total := losses.Policy + 0.5*losses.Value + losses.L2; losses.Total != total {
			t.Errorf("step %d: total is %v, want %v", step, losses.Total, total)
		}
		for _, p := range w.Layout().Parameters {
			pw, pm, pv := weights.Part(p, want), weights.Part(p, m), weights.Part(p, v)
			for j, g := range weights.Part(p, trainer.gradient) {
				g := float64(g) * config.ClipNorm / norm
				if !p.Bias {
					g += config.L2 * pw[j]
				}
				pm[j] = config.Beta1*pm[j] + (1-config.Beta1)*g
				pv[j] = config.Beta2*pv[j] + (1-config.Beta2)*g*g
				corrected := pm[j] / (1 - math.Pow(config.Beta1, float64(step)))
				scale := math.Sqrt(pv[j] / (1 - math.Pow(config.Beta2, float64(step))))
				pw[j] -= lr * corrected / (scale + config.Epsilon)
			}
		}
		for i, want := range want {
			if math.Abs(float64(w.Flat()[i])-want) > 2e-5 {
				t.Fatalf("step %d: weight %d is %v, want %v", step, i, w.Flat()[i], want)
			}
		}
	}
}

// Padding starts as zero and training leaves it so.
func TestPaddingStaysZero(t *testing.T) {
	w := mustWeights(t, small, 1)
	config := DefaultOptimizerConfig()
	config.L2 = 1e-2
	trainer := mustTrainer(t, w, config, 8)
	rng := newRand(2)
	for range 10 {
		fillBatch(trainer, 10, rng)
		mustStep(t, trainer, 1e-2)
	}
	inside := slices.Clone(w.Flat())
	for _, p := range w.Layout().Parameters {
		p.EachRow(inside, func(row []float32) { clear(row) })
	}
	if i := slices.IndexFunc(inside, func(v float32) bool { return v != 0 }); i >= 0 {
		t.Errorf("padding at %d is %v", i, inside[i])
	}
}

// Thousands of steps and evaluations leave the heap and the goroutines as they
// were after the first ones.
func TestHeapIsSteady(t *testing.T) {
	c := Config{Inputs: 16, Width: 16, Blocks: 1, Actions: 20, Bins: 5, ValueWidth: 8}
	w := mustWeights(t, c, 1)
	trainer, inference := mustTrainer(t, w, DefaultOptimizerConfig(), 4), mustInference(t, w, 4)
	fillBatch(trainer, 5, newRand(2))
	use := func(steps int) (heap uint64, goroutines int) {
		for range steps {
			mustStep(t, trainer, 1e-4)
			if err := inference.Evaluate(4); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	before, goroutines := use(100)
	after, goroutinesAfter := use(3000)
	if after > before+64<<10 {
		t.Errorf("heap grew from %d to %d bytes in 3000 steps", before, after)
	}
	if goroutinesAfter > goroutines {
		t.Errorf("goroutines grew from %d to %d", goroutines, goroutinesAfter)
	}
}

func TestNewTrainerRefuses(t *testing.T) {
	w := mustWeights(t, small, 1)
	if _, err := NewTrainer(w, DefaultOptimizerConfig(), 0); err == nil {
		t.Error("batch 0 is accepted")
	}
	for name, spoil := range map[string]func(*OptimizerConfig){
		"beta1":        func(c *OptimizerConfig) { c.Beta1 = 1 },
		"beta2":        func(c *OptimizerConfig) { c.Beta2 = math.NaN() },
		"epsilon":      func(c *OptimizerConfig) { c.Epsilon = 0 },
		"clip norm":    func(c *OptimizerConfig) { c.ClipNorm = -1 },
		"l2":           func(c *OptimizerConfig) { c.L2 = math.Inf(1) },
		"value weight": func(c *OptimizerConfig) { c.ValueWeight = -1 },
		"workers":      func(c *OptimizerConfig) { c.Workers = 0 },
	} {
		c := DefaultOptimizerConfig()
		spoil(&c)
		if _, err := NewTrainer(w, c, 4); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want one about %s", err, name)
		}
	}
}

func TestSetStateRefuses(t *testing.T) {
	trainer := mustTrainer(t, mustWeights(t, small, 1), DefaultOptimizerConfig(), 4)
	before := trainer.State()
	for name, spoil := range map[string]func(*OptimizerState){
		"step is -1":                       func(s *OptimizerState) { s.Step = -1 },
		"first moments":                    func(s *OptimizerState) { s.M = s.M[1:] },
		"second moments":                   func(s *OptimizerState) { s.V[0].Shape = []int{1} },
		"second moment of input.weight is": func(s *OptimizerState) { s.V[0].Data[0] = -1 },
	} {
		s := trainer.State()
		s.M[0].Data[0] = 5
		spoil(&s)
		if err := trainer.SetState(s); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error is %v, want one about %q", err, name)
		}
	}
	if diff := cmp.Diff(before, trainer.State()); diff != "" {
		t.Errorf("a refused state changed the optimizer:\n%s", diff)
	}
}

func TestDumpBatchIsComplete(t *testing.T) {
	trainer := mustTrainer(t, mustWeights(t, small, 1), DefaultOptimizerConfig(), 3)
	fillBatch(trainer, 10, newRand(2))
	trainer.Input(1)[4] = float32(math.NaN())
	var file bytes.Buffer
	if err := trainer.DumpBatch(&file); err != nil {
		t.Fatal(err)
	}
	read := readSafetensors(t, file.Bytes())
	want := map[string][]float32{
		"policy_weights": trainer.PolicyWeights(),
		"value_weights":  trainer.ValueWeights(),
	}
	for i := range trainer.Batch() {
		want["input"] = append(want["input"], trainer.Input(i)...)
		want["mask"] = append(want["mask"], trainer.Mask(i)...)
		want["policy_target"] = append(want["policy_target"], trainer.PolicyTarget(i)...)
		want["margin_target"] = append(want["margin_target"], trainer.MarginTarget(i)...)
	}
	for name, data := range want {
		if !sameBits(data, read[name]) {
			t.Errorf("%s differs", name)
		}
	}
	if len(read) != len(want) {
		t.Errorf("file holds %d tensors, want %d", len(read), len(want))
	}
}

// A network without blocks works, too.
func TestNoBlocks(t *testing.T) {
	c := small
	c.Blocks = 0
	trainer := mustTrainer(t, mustWeights(t, c, 1), DefaultOptimizerConfig(), 4)
	fillBatch(trainer, 10, newRand(2))
	first := mustStep(t, trainer, 1e-2)
	for range 20 {
		mustStep(t, trainer, 1e-2)
	}
	if last := mustStep(t, trainer, 0); last.Total >= first.Total {
		t.Errorf("total loss went from %v to %v", first.Total, last.Total)
	}
}
