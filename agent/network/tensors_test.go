// This file checks that a network is what its tensors say.

package network

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/nlpodyssey/safetensors"
)

// A forward pass written out from the tensors alone, as another program would,
// gives the network's logits.
func TestTensorsDescribeTheNetwork(t *testing.T) {
	w := mustWeights(t, small, 1)
	rng := newRand(2)
	for _, p := range w.Layout().Parameters {
		p.EachRow(w.Flat(), func(row []float32) {
			for i := range row {
				row[i] += float32(0.1 * rng.NormFloat64())
			}
		})
	}
	tensors := map[string]Tensor{}
	for _, tensor := range w.Tensors() {
		tensors[tensor.Name] = tensor
	}
	dense := func(name string, x []float64, residual []float64, relu bool) []float64 {
		weight, y := tensors[name+".weight"], widen(tensors[name+".bias"].Data)
		for j := range y {
			for i := range x {
				y[j] += x[i] * float64(weight.Data[i*weight.Shape[1]+j])
			}
			if residual != nil {
				y[j] += residual[j]
			}
			if relu {
				y[j] = max(y[j], 0)
			}
		}
		return y
	}
	f := mustInference(t, w, 3)
	for i := range 3 {
		fillInput(f.Input(i), rng)
	}
	if err := f.Evaluate(3); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		h := dense("input", widen(f.Input(i)), nil, true)
		for _, block := range []string{"blocks.0", "blocks.1"} {
			h = dense(block+".second", dense(block+".first", h, nil, true), h, true)
		}
		near(t, "policy", f.Policy(i), dense("policy", h, nil, false))
		near(t, "margin", f.Margin(i), dense("value.margin", dense("value.hidden", h, nil, true), nil, false))
	}
}

func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d logits, want %d", what, len(got), len(want))
	}
	for j := range want {
		if math.Abs(float64(got[j])-want[j]) > 1e-4 {
			t.Fatalf("%s logit %d is %v, want %v", what, j, got[j], want[j])
		}
	}
}

// A graph computes with the numbers that its weights hold at the time.
func TestCopiedWeightsReachTheGraph(t *testing.T) {
	w := mustWeights(t, small, 1)
	clone := w.Clone()
	clone.Flat()[0]++
	f := mustInference(t, w, 1)
	if err := w.CopyFrom(clone); err != nil {
		t.Fatal(err)
	}
	g := mustInference(t, clone, 1)
	fillInput(f.Input(0), newRand(2))
	copy(g.Input(0), f.Input(0))
	if err := errorsOf(f.Evaluate(1), g.Evaluate(1)); err != nil {
		t.Fatal(err)
	}
	if !sameBits(f.Policy(0), g.Policy(0)) {
		t.Error("copied weights do not reach a graph built before")
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// readSafetensors returns the numbers of each float32 tensor of a file.
func readSafetensors(t *testing.T, file []byte) map[string][]float32 {
	t.Helper()
	tensors, err := safetensors.Deserialize(file)
	if err != nil {
		t.Fatal(err)
	}
	read := map[string][]float32{}
	for _, tensor := range tensors.Tensors() {
		data := tensor.TensorView.Data()
		for i := 0; i < len(data); i += 4 {
			v := math.Float32frombits(binary.LittleEndian.Uint32(data[i:]))
			read[tensor.Name] = append(read[tensor.Name], v)
		}
	}
	return read
}
