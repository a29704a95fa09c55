package onnxtest

import (
	"slices"
	"strings"
	"testing"

	"kiothi/agent/export/onnx"
)

// run runs a graph of one input [batch, 2, 3] and one output on two rows: the numbers 0 to 11.
func run(t *testing.T, build func(g *onnx.Graph, in onnx.Value) onnx.Value, shape ...int) ([]float32, error) {
	t.Helper()
	g := &onnx.Graph{Name: "test"}
	in := g.Input(onnx.Port{Name: "in", Shape: []int{2, 3}})
	g.Output(build(g, in), onnx.Port{Name: "out", Shape: shape})
	m, err := Parse((&onnx.Model{Graph: g}).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	numbers := New(2, 2, 3)
	for i := range numbers.Data {
		numbers.Data[i] = float32(i)
	}
	out, err := m.Run(map[string]Tensor{"in": numbers})
	return out["out"].Data, err
}

// What each operation does is said by its specification; the numbers here were worked out by hand.
func TestOperations(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(g *onnx.Graph, in onnx.Value) onnx.Value
		shape []int
		want  []float32
	}{
		{"gather an inner axis", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Gather(in, 1, 1, 0, 1) }, []int{3, 3},
			[]float32{3, 4, 5, 0, 1, 2, 3, 4, 5, 9, 10, 11, 6, 7, 8, 9, 10, 11}},
		{"gather the last axis", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Gather(in, 2, 2) }, []int{2, 1}, []float32{2, 5, 8, 11}},
		{"concat", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Concat(2, in, g.Gather(in, 2, 0)) }, []int{2, 4},
			[]float32{0, 1, 2, 0, 3, 4, 5, 3, 6, 7, 8, 6, 9, 10, 11, 9}},
		{"sum", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Sum(in, 1) }, []int{1, 3}, []float32{3, 5, 7, 15, 17, 19}},
		{"repeat along axes", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.Apply("Sub", g.Sum(in, 1), g.Floats("column", []float32{1, 2}, 2, 1))
		}, []int{2, 3}, []float32{2, 4, 6, 1, 3, 5, 14, 16, 18, 13, 15, 17}},
		{"compare", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.Apply("Add", g.AtLeast(in, g.Scalar(5)), g.Equal(in, g.Scalar(7)))
		}, []int{2, 3}, []float32{0, 0, 0, 0, 0, 1, 1, 2, 1, 1, 1, 1}},
		{"round halves to even", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.Apply("Round", g.Apply("Div", in, g.Scalar(2)))
		}, []int{2, 3}, []float32{0, 0, 1, 2, 2, 2, 3, 4, 4, 4, 5, 6}},
		{"multiply matrices", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.Apply("Gemm", g.Reshape(in, 6), g.Floats("w", []float32{1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0}, 6, 2), g.Floats("b", []float32{10, 20}, 2))
		}, []int{2}, []float32{12, 21, 24, 27}},
		{"softmax", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.ApplyWith("Softmax", []onnx.Attribute{{Name: "axis", Int: 1}}, g.Apply("Mul", g.Reshape(in, 6), g.Scalar(0)))
		}, []int{6}, slices.Repeat([]float32{1.0 / 6}, 12)},
	} {
		if got, err := run(t, c.build, c.shape...); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
}

func TestGraphsThatNoRuntimeTakesAreRefused(t *testing.T) {
	for _, c := range []struct {
		want  string
		build func(g *onnx.Graph, in onnx.Value) onnx.Value
	}{
		{"which is not there", func(g *onnx.Graph, _ onnx.Value) onnx.Value { return g.Apply("Relu", "nothing") }},
		{"shapes [2 2 3] and [4]", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			return g.Apply("Add", in, g.Floats("four", make([]float32, 4), 4))
		}},
		{"found shape [2 1 3]", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Sum(in, 1) }},
		{"unknown operation Sin", func(g *onnx.Graph, in onnx.Value) onnx.Value { return g.Apply("Sin", in) }},
		{"two tensors are named w", func(g *onnx.Graph, in onnx.Value) onnx.Value {
			g.Constants = append(g.Constants, onnx.Constant{Name: "w", Shape: []int{1}, Floats: []float32{1}}, onnx.Constant{Name: "w", Shape: []int{1}, Floats: []float32{1}})
			return g.Apply("Relu", in)
		}},
	} {
		if _, err := run(t, c.build, 2, 3); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := Parse([]byte{0xff}); err == nil {
		t.Error("garbage is read as a model")
	}
}
