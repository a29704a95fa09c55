// This file checks evaluations: rows, sharing of weights, goroutines, memory.

package network

import (
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"gorgonia.org/gorgonia"

	"kiothi/agent/network/weights"
)

// A row's logits are the same bits alone, beside others, and at any place.
func TestRowDoesNotDependOnItsBatch(t *testing.T) {
	for _, c := range []Config{small, full} {
		w := mustWeights(t, c, 1)
		many := mustInference(t, w, 70)
		rng := newRand(2)
		for i := range many.Batch() {
			fillInput(many.Input(i), rng)
		}
		if err := many.Evaluate(70); err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int{1, 2, 5, 17, 64} {
			few := mustInference(t, w, batch)
			for first := 0; first+batch <= 70; first += 23 {
				for i := range batch {
					copy(few.Input(i), many.Input(first+i))
				}
				if err := few.Evaluate(batch); err != nil {
					t.Fatal(err)
				}
				for i := range batch {
					if !sameBits(few.Policy(i), many.Policy(first+i)) || !sameBits(few.Margin(i), many.Margin(first+i)) {
						t.Errorf("%+v: row %d differs between batches of %d and 70", c, first+i, batch)
					}
				}
			}
		}
	}
}

// Rows beyond those asked for are left alone, and each call computes anew.
func TestEvaluateComputesTheRowsAskedFor(t *testing.T) {
	f := mustInference(t, mustWeights(t, small, 1), 6)
	rng := newRand(2)
	fill := func() {
		for i := range 6 {
			fillInput(f.Input(i), rng)
		}
	}
	logits := func() (rows [][]float32) {
		for i := range 6 {
			rows = append(rows, slices.Concat(f.Policy(i), f.Margin(i)))
		}
		return rows
	}
	fill()
	if err := f.Evaluate(6); err != nil {
		t.Fatal(err)
	}
	before := logits()
	fill()
	for _, n := range []int{0, 2} {
		if err := f.Evaluate(n); err != nil {
			t.Fatal(err)
		}
		for i, row := range logits() {
			if changed := !sameBits(row, before[i]); changed != (i < n) {
				t.Errorf("evaluating %d rows: row %d has changed: %v", n, i, changed)
			}
		}
	}
	for _, n := range []int{-1, 7} {
		if err := f.Evaluate(n); err == nil {
			t.Errorf("%d rows of 6 are accepted", n)
		}
	}
	if got := len(f.Policy(0)) + len(f.Margin(0)) + len(f.Input(0)); got != small.Actions+small.Bins+small.Inputs {
		t.Errorf("rows have %d values together, want no padding", got)
	}
}

// The trainer's forward pass is the inference's, and its steps reach an inference
// over the same weights.
func TestInferenceAgreesWithTrainer(t *testing.T) {
	w := mustWeights(t, small, 1)
	trainer, inference := mustTrainer(t, w, DefaultOptimizerConfig(), 8), mustInference(t, w, 8)
	fillBatch(trainer, 10, newRand(2))
	var last []float32
	for step := range 3 {
		mustStep(t, trainer, 1e-2)
		for i := range 8 {
			copy(inference.Input(i), trainer.Input(i))
		}
		if err := inference.Evaluate(8); err != nil {
			t.Fatal(err)
		}
		if sameBits(last, inference.Policy(0)) {
			t.Errorf("step %d did not reach the inference", step)
		}
		last = slices.Clone(inference.Policy(0))
		if _, err := trainer.evaluate(); err != nil {
			t.Fatal(err)
		}
		for i := range 8 {
			policy := row(trainer.shards[0].policy.output, i, small.PolicyStride(), small.Actions)
			margin := row(trainer.shards[0].margin.output, i, small.MarginStride(), small.Bins)
			if !sameBits(policy, inference.Policy(i)) || !sameBits(margin, inference.Margin(i)) {
				t.Errorf("step %d: row %d differs", step, i)
			}
		}
	}
}

// Inferences over one set of weights may run on goroutines of their own, beside a
// trainer over another; graphs may be built at the same time. This is a test for
// the race detector, too.
func TestGraphsRunSideBySide(t *testing.T) {
	shared := mustWeights(t, small, 1)
	want := mustInference(t, shared, 4)
	rng := newRand(3)
	for i := range 4 {
		fillInput(want.Input(i), rng)
	}
	if err := want.Evaluate(4); err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			f, err := NewInference(shared, 4)
			if err != nil {
				t.Error(err)
				return
			}
			for range 50 {
				for i := range 4 {
					copy(f.Input(i), want.Input(i))
				}
				if err := f.Evaluate(4); err != nil {
					t.Error(err)
					return
				}
				for i := range 4 {
					if !sameBits(f.Policy(i), want.Policy(i)) || !sameBits(f.Margin(i), want.Margin(i)) {
						t.Errorf("row %d differs beside another goroutine", i)
						return
					}
				}
			}
		})
	}
	own := shared.Clone()
	wait.Go(func() {
		trainer, err := NewTrainer(own, DefaultOptimizerConfig(), 8)
		if err != nil {
			t.Error(err)
			return
		}
		defer trainer.Close()
		fillBatch(trainer, 10, newRand(4))
		for range 50 {
			if _, err := trainer.Step(1e-3); err != nil {
				t.Error(err)
				return
			}
		}
	})
	wait.Wait()
}

func TestEvaluateFindsNotFinite(t *testing.T) {
	w := mustWeights(t, small, 1)
	f := mustInference(t, w, 3)
	rng := newRand(2)
	for i := range 3 {
		fillInput(f.Input(i), rng)
	}
	bias := weights.Part(w.Layout().Parameters[2*small.MarginLayer()+1], w.Flat())
	bias[2] = float32(math.Inf(1))
	var notFinite *NotFiniteError
	if err := f.Evaluate(3); !errors.As(err, &notFinite) || notFinite.Quantity != "margin logits" || notFinite.Row != 0 {
		t.Errorf("error is %v, want a *NotFiniteError about the margin logits of row 0", err)
	}
	bias[2] = 0
	if err := f.Evaluate(3); err != nil {
		t.Errorf("after the repair: %v", err)
	}
}

func TestEvaluateAllocatesNothing(t *testing.T) {
	f := mustInference(t, mustWeights(t, small, 1), 256)
	if got := testing.AllocsPerRun(20, func() {
		if err := f.Evaluate(256); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("an evaluation makes %v objects, want none", got)
	}
}

// An inference computes the layers itself, in the order in which they were added
// to the graph. Gorgonia's tape machine gives the same bits.
func TestATapeMachineComputesTheSame(t *testing.T) {
	w := mustWeights(t, small, 1)
	b := newBuilder(w.Config(), newSingle(1), w.Flat(), 5)
	b.network(make([]float32, 5*small.InputStride()))
	if b.err != nil {
		t.Fatal(b.err)
	}
	g, rng := b.graph, newRand(2)
	for i := range g.input {
		g.input[i] = float32(rng.NormFloat64())
	}
	if err := g.forward(); err != nil {
		t.Fatal(err)
	}
	policy, margin := slices.Clone(g.policy.output), slices.Clone(g.margin.output)
	for _, l := range g.layers {
		clear(l.op.output)
	}
	machine := gorgonia.NewTapeMachine(b.expression)
	defer machine.Close()
	if err := machine.RunAll(); err != nil {
		t.Fatal(err)
	}
	if !sameBits(policy, g.policy.output) || !sameBits(margin, g.margin.output) {
		t.Error("the logits differ")
	}
}

func TestNewInferenceRefusesBatch(t *testing.T) {
	if _, err := NewInference(mustWeights(t, small, 1), 0); err == nil {
		t.Error("batch 0 is accepted")
	}
}
