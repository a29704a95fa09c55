package onnx_test

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kiothi/agent/export/onnx"
	"kiothi/agent/export/onnx/onnxtest"
)

// layer is a graph with everything that the format here can say.
func layer() *onnx.Model {
	g := &onnx.Graph{Name: "layer"}
	in := g.Input(onnx.Port{Name: "in", Shape: []int{3, 2}, Doc: "numbers"})
	g.Scope("dense")
	flat := g.Reshape(g.Gather(in, 1, 2, 0, 1), 6)
	logits := g.Apply("Gemm", flat, g.Floats("weight", []float32{1, -2, 3, 0.5, 1e-20, 6}, 6, 1), g.Floats("bias", []float32{-1}, 1))
	g.Output(logits, onnx.Port{Name: "logits", Shape: []int{1}})
	g.Output(g.Apply("Relu", logits), onnx.Port{Name: "out", Shape: []int{1}, Doc: "no less than 0"})
	return &onnx.Model{Producer: "test", ProducerVersion: "1", Doc: "a layer", Graph: g,
		Metadata: []onnx.Property{{Key: "game", Value: "kiothi"}, {Key: "rules", Value: "é"}}}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	written := layer()
	data := written.Bytes()
	if !bytes.Equal(data, layer().Bytes()) {
		t.Error("equal models give bytes that differ")
	}
	read, err := onnxtest.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.Graph, &read.Graph, cmpopts.IgnoreUnexported(onnx.Graph{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if read.IRVersion != 8 || read.Opset != 13 || read.Producer != "test" || !maps.Equal(read.Metadata, map[string]string{"game": "kiothi", "rules": "é"}) {
		t.Errorf("read %+v", read)
	}
}

// A name is a place in the graph: no two tensors may share one, and an output goes by its own name everywhere.
func TestNamesDiffer(t *testing.T) {
	g := layer().Graph
	seen := map[onnx.Value]bool{}
	for _, c := range g.Constants {
		if seen[c.Name] {
			t.Errorf("two tensors are named %s", c.Name)
		}
		seen[c.Name] = true
	}
	for _, n := range g.Nodes {
		if seen[n.Output] {
			t.Errorf("two tensors are named %s", n.Output)
		}
		seen[n.Output] = true
	}
	last := g.Nodes[len(g.Nodes)-1]
	if last.Output != "out" || !slices.Equal(last.Inputs, []onnx.Value{"logits"}) {
		t.Errorf("the last node makes %s of %v, want out of logits", last.Output, last.Inputs)
	}
}

// The bytes of the smallest model, written out by hand after onnx.proto.
func TestBytes(t *testing.T) {
	g := &onnx.Graph{Name: "g"}
	g.Output(g.Apply("Relu", g.Input(onnx.Port{Name: "a", Shape: []int{2}})), onnx.Port{Name: "b", Shape: []int{2}})
	const port = "1213" + "0a11" + "0801" + "120d" + "0a07" + "12056261746368" + "0a02" + "0802" // a tensor of float32, [batch, 2]
	want := "0808" +                                                                             // the format's version
		"3a4b" + // the graph:
		"0a12" + "0a0161" + "120162" + "1a0472656c75" + "220452656c75" + // a node from a to b
		"120167" + // its name
		"5a18" + "0a0161" + port + // the input
		"6218" + "0a0162" + port + // the output
		"4202" + "100d" // the operations' version
	if got := hex.EncodeToString((&onnx.Model{Graph: g}).Bytes()); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
