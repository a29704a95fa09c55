package export

import (
	"fmt"

	"kiothi/agent/export/onnx"
	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is the network as a graph, and the two models that are made of it.

// The names of the models' tensors.
const (
	observationInput   = "observation"
	featuresTensor     = "features" // the input of the one model, an output of the other
	policyOutput       = "policy_logits"
	marginOutput       = "margin_logits"
	distributionOutput = "margin_probabilities"
	outcomeOutput      = "win_draw_loss"
	expectedOutput     = "expected_margin"
)

// newFeatureModel returns the graph from features to judgements.
func newFeatureModel(game mancala.Game, a model.Architecture, tensors []model.Tensor) (*onnx.Graph, error) {
	g := &onnx.Graph{Name: game.Name()}
	input := g.Input(onnx.Port{Name: featuresTensor, Shape: []int{a.Inputs}, Doc: "what package features computes from a position"})
	return g, addNetwork(g, game, a, tensors, input)
}

// newRawModel returns the graph from observations to judgements, and to the features between them.
func newRawModel(game mancala.Game, a model.Architecture, tensors []model.Tensor) (*onnx.Graph, error) {
	observer, err := env.NewObserver(game)
	if err != nil {
		return nil, err
	}
	g := &onnx.Graph{Name: game.Name() + "-raw"}
	observation := g.Input(onnx.Port{Name: observationInput, Shape: []int{len(observer.Planes()), 2, game.Width()},
		Doc: "planes over the board from the side of the player to move, as the manifest describes them"})
	features, err := newFeatureLayer(g, game, observation)
	if err != nil {
		return nil, err
	}
	if err := addNetwork(g, game, a, tensors, features); err != nil {
		return nil, err
	}
	g.Output(features, onnx.Port{Name: featuresTensor, Shape: []int{a.Inputs}, Doc: "the features, as the other model takes them"})
	return g, nil
}

// addNetwork adds the network and its outputs; see network.Config for its shape.
func addNetwork(g *onnx.Graph, game mancala.Game, a model.Architecture, tensors []model.Tensor, features onnx.Value) error {
	scale, err := margin.Of(game)
	if err != nil {
		return err
	}
	byName := map[string]model.Tensor{}
	for _, t := range tensors {
		byName[t.Name] = t
	}
	missing := error(nil)
	dense := func(name string, input onnx.Value) onnx.Value {
		g.Scope(name)
		inputs := []onnx.Value{input}
		for _, part := range []string{"weight", "bias"} {
			t, ok := byName[name+"."+part]
			if !ok {
				missing = fmt.Errorf("the network has no tensor %s.%s, expected the layers of %v", name, part, a)
			}
			inputs = append(inputs, g.Floats(part, t.Data, t.Shape...))
		}
		return g.Apply("Gemm", inputs...)
	}
	relu := func(v onnx.Value) onnx.Value { return g.Apply("Relu", v) }
	trunk := relu(dense("input", features))
	for i := range a.Blocks {
		inner := relu(dense(fmt.Sprintf("blocks.%d.first", i), trunk))
		trunk = relu(g.Apply("Add", trunk, dense(fmt.Sprintf("blocks.%d.second", i), inner)))
	}
	policy := dense("policy", trunk)
	logits := dense("value.margin", relu(dense("value.hidden", trunk)))
	if missing != nil {
		return missing
	}

	g.Scope("summary")
	distribution := g.ApplyWith("Softmax", []onnx.Attribute{{Name: "axis", Int: 1}}, logits)
	outcomes, margins := make([]float32, 3*scale.Bins()), make([]float32, scale.Bins())
	for bin := range margins {
		m := scale.Margin(bin)
		margins[bin] = float32(m)
		switch {
		case m > 0:
			outcomes[3*bin] = 1
		case m == 0:
			outcomes[3*bin+1] = 1
		default:
			outcomes[3*bin+2] = 1
		}
	}
	outcome := g.Apply("MatMul", distribution, g.Floats("outcomes", outcomes, scale.Bins(), 3))
	expected := g.Apply("MatMul", distribution, g.Floats("margins", margins, scale.Bins(), 1))

	g.Output(policy, onnx.Port{Name: policyOutput, Shape: []int{a.Actions}, Doc: "a logit for each action; those of illegal actions mean nothing"})
	g.Output(logits, onnx.Port{Name: marginOutput, Shape: []int{a.Bins}, Doc: "a logit for each final margin, the mover's store minus the enemy's"})
	g.Output(distribution, onnx.Port{Name: distributionOutput, Shape: []int{a.Bins}, Doc: "the probability of each final margin"})
	g.Output(outcome, onnx.Port{Name: outcomeOutput, Shape: []int{3}, Doc: "the mover's chances of a win, a draw and a loss"})
	g.Output(expected, onnx.Port{Name: expectedOutput, Shape: []int{1}, Doc: "the expected final margin, in seeds"})
	return nil
}
