// This file checks the weights: names, shapes, initialisation, copies.

package weights

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Tensors have the documented names and order, and shapes without padding.
func TestTensorsAreDocumented(t *testing.T) {
	c := Config{Inputs: 5, Width: 6, Blocks: 1, Actions: 9, Bins: 3, ValueWidth: 4}
	w := mustWeights(t, c, 1)
	type entry struct {
		Name  string
		Shape []int
	}
	want := []entry{
		{"input.weight", []int{5, 6}}, {"input.bias", []int{6}},
		{"blocks.0.first.weight", []int{6, 6}}, {"blocks.0.first.bias", []int{6}},
		{"blocks.0.second.weight", []int{6, 6}}, {"blocks.0.second.bias", []int{6}},
		{"policy.weight", []int{6, 9}}, {"policy.bias", []int{9}},
		{"value.hidden.weight", []int{6, 4}}, {"value.hidden.bias", []int{4}},
		{"value.margin.weight", []int{4, 3}}, {"value.margin.bias", []int{3}},
	}
	var got []entry
	count := 0
	for _, tensor := range w.Tensors() {
		got = append(got, entry{tensor.Name, tensor.Shape})
		count += len(tensor.Data)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tensors differ:\n%s", diff)
	}
	if want := 5*6 + 6 + 2*(6*6+6) + 6*9 + 9 + 6*4 + 4 + 4*3 + 3; count != want || w.Count() != want {
		t.Errorf("tensors hold %d parameters and Count is %d, want %d", count, w.Count(), want)
	}
}

// New weights are the generator's: same seed, same network; He's deviation in the
// layers before a ReLU, small heads and second layers, zero biases.
func TestNew(t *testing.T) {
	w := mustWeights(t, full, 1)
	if !sameBits(w.flat, mustWeights(t, full, 1).flat) {
		t.Error("the same seed gives other weights")
	}
	if sameBits(w.flat, mustWeights(t, full, 2).flat) {
		t.Error("another seed gives the same weights")
	}
	want := map[string]float64{
		"input.weight":           math.Sqrt(2.0 / 400),
		"blocks.0.first.weight":  math.Sqrt(2.0 / 256),
		"blocks.0.second.weight": 0.1 / 16,
		"policy.weight":          0.1 / 16,
		"value.hidden.weight":    math.Sqrt(2.0 / 256),
		"value.margin.weight":    0.1 / 8,
	}
	for _, tensor := range w.Tensors() {
		sum := 0.0
		for _, v := range tensor.Data {
			sum += float64(v) * float64(v)
		}
		deviation := math.Sqrt(sum / float64(len(tensor.Data)))
		if strings.HasSuffix(tensor.Name, ".bias") && deviation != 0 {
			t.Errorf("%s is not zero", tensor.Name)
		}
		if want, listed := want[tensor.Name]; listed && math.Abs(deviation/want-1) > 0.05 {
			t.Errorf("%s has standard deviation %v, want %v", tensor.Name, deviation, want)
		}
	}
}

func TestTensorsRoundTrip(t *testing.T) {
	w := mustWeights(t, small, 1)
	tensors := w.Tensors()
	slices.Reverse(tensors) // found by name
	read, err := FromTensors(small, tensors)
	if err != nil {
		t.Fatal(err)
	}
	if !sameBits(w.flat, read.flat) {
		t.Error("weights differ")
	}
	tensors[0].Data[0] = 9
	if !sameBits(w.flat, read.flat) {
		t.Error("tensors share storage with the weights")
	}
}

func TestSetTensorsRefuses(t *testing.T) {
	for _, test := range []struct {
		want  string
		spoil func(tensors []Tensor) []Tensor
	}{
		{"tensor input.bias [28] is missing", func(s []Tensor) []Tensor { return slices.Delete(s, 1, 2) }},
		{"tensor input.bias is given twice", func(s []Tensor) []Tensor { return append(s, s[1]) }},
		{"tensor extra [2] is not part", func(s []Tensor) []Tensor { return append(s, Tensor{"extra", []int{2}, make([]float32, 2)}) }},
		{"tensor input.weight has shape [28 21], expected [21 28]", func(s []Tensor) []Tensor { s[0].Shape = []int{28, 21}; return s }},
		{"holds 587 numbers, expected 588", func(s []Tensor) []Tensor { s[0].Data = s[0].Data[1:]; return s }},
		{"tensor value.margin.bias holds NaN at index 4", func(s []Tensor) []Tensor { s[len(s)-1].Data[4] = float32(math.NaN()); return s }},
	} {
		w := mustWeights(t, small, 1)
		before := w.Clone()
		tensors := mustWeights(t, small, 2).Tensors()
		if err := w.SetTensors(test.spoil(tensors)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error is %v, want %q", err, test.want)
		}
		if !sameBits(w.flat, before.flat) {
			t.Errorf("%q: weights have changed", test.want)
		}
	}
}

func TestCopiesHaveStorageOfTheirOwn(t *testing.T) {
	w := mustWeights(t, small, 1)
	clone := w.Clone()
	clone.flat[0]++
	if w.flat[0] == clone.flat[0] {
		t.Error("a clone shares storage")
	}
	if err := w.CopyFrom(clone); err != nil || !sameBits(w.flat, clone.flat) {
		t.Errorf("a copy differs, %v", err)
	}
	clone.flat[0]++
	if w.flat[0] == clone.flat[0] {
		t.Error("a copy shares storage")
	}
	if err := w.CopyFrom(mustWeights(t, full, 1)); err == nil {
		t.Error("weights of another shape are copied")
	}
}
