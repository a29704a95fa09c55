package export

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var ruleSets = []struct{ game, rules string }{
	{"kiothi", ""}, {"kiothi", "wikipedia-it"}, {"kiothi", "mancala-world,start=3x10,lifts=0"},
	{"rio-kadalis", ""}, {"rio-kadalis", "five-holes"}, {"rio-kadalis", "clockwise"},
}

var open = gamestest.Open

// newBot returns a bot with random weights that plays the first legal action.
func newBot(t testing.TB, g mancala.Game) *Bot {
	t.Helper()
	encoder, err := features.New(g)
	if err != nil {
		t.Fatal(err)
	}
	scale, err := margin.Of(g)
	if err != nil {
		t.Fatal(err)
	}
	a := model.Architecture{Inputs: encoder.Size(), Width: 12, Blocks: 2, Actions: g.Actions(), Bins: scale.Bins(), ValueWidth: 5}
	rng := rand.New(rand.NewPCG(4, 4))
	var tensors []model.Tensor
	parameters := 0
	add := func(name string, in, out int) {
		for _, t := range []model.Tensor{{Name: name + ".weight", Shape: []int{in, out}}, {Name: name + ".bias", Shape: []int{out}}} {
			t.Data = make([]float32, t.Shape[0]*out)
			if len(t.Shape) == 1 {
				t.Data = t.Data[:out]
			}
			for i := range t.Data {
				t.Data[i] = float32(rng.NormFloat64()) / 4
			}
			parameters += len(t.Data)
			tensors = append(tensors, t)
		}
	}
	add("input", a.Inputs, a.Width)
	for i := range a.Blocks {
		add(fmt.Sprintf("blocks.%d.first", i), a.Width, a.Width)
		add(fmt.Sprintf("blocks.%d.second", i), a.Width, a.Width)
	}
	add("policy", a.Width, a.Actions)
	add("value.hidden", a.Width, a.ValueWidth)
	add("value.margin", a.ValueWidth, a.Bins)
	return &Bot{
		Game:    g,
		Tensors: tensors,
		Description: model.Description{Game: g.Name(), Rules: g.Rules(), ActionEncoding: mancala.ActionEncoding, FeatureEncoding: features.Version,
			Architecture: a, Parameters: parameters, Steps: 3, Games: 5, Seed: 7, Commit: "c"},
		Judge: newPlainJudge(encoder, a, tensors), Player: first{g}, Search: Search{"first", 0}, Seed: 1, CreatedWith: "test",
	}
}

// first plays the first legal action.
type first struct{ mancala.Game }

func (f first) Choose(ctx context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	return f.AppendLegal(nil, s)[0], ctx.Err()
}

// A plainJudge computes the network as its description says it, one number after the other.
type plainJudge struct {
	encoder        features.Encoder
	architecture   model.Architecture
	tensors        map[string]model.Tensor
	inputs         [][]float32
	policy, margin [][]float32
}

func newPlainJudge(e features.Encoder, a model.Architecture, tensors []model.Tensor) *plainJudge {
	p := &plainJudge{encoder: e, architecture: a, tensors: map[string]model.Tensor{}}
	for _, t := range tensors {
		p.tensors[t.Name] = t
	}
	const batch = 7
	p.inputs, p.policy, p.margin = make([][]float32, batch), make([][]float32, batch), make([][]float32, batch)
	return p
}

func (p *plainJudge) Batch() int { return len(p.inputs) }

func (p *plainJudge) Put(i int, s *mancala.State) {
	p.inputs[i] = make([]float32, p.encoder.Size())
	p.encoder.Encode(p.inputs[i], s)
}

func (p *plainJudge) Evaluate(n int) error {
	for i, x := range p.inputs[:n] {
		h := relu(p.dense("input", x))
		for b := range p.architecture.Blocks {
			inner := relu(p.dense(fmt.Sprintf("blocks.%d.first", b), h))
			outer := p.dense(fmt.Sprintf("blocks.%d.second", b), inner)
			for j := range outer {
				outer[j] += h[j]
			}
			h = relu(outer)
		}
		p.policy[i] = p.dense("policy", h)
		p.margin[i] = p.dense("value.margin", relu(p.dense("value.hidden", h)))
	}
	return nil
}

func (p *plainJudge) Policy(i int) []float32 { return p.policy[i] }
func (p *plainJudge) Margin(i int) []float32 { return p.margin[i] }

func (p *plainJudge) dense(name string, x []float32) []float32 {
	weight, bias := p.tensors[name+".weight"].Data, p.tensors[name+".bias"].Data
	y := make([]float32, len(bias))
	for j := range y {
		sum := float64(bias[j])
		for i, v := range x {
			sum += float64(v) * float64(weight[i*len(y)+j])
		}
		y[j] = float32(sum)
	}
	return y
}

func relu(x []float32) []float32 {
	for i, v := range x {
		x[i] = max(v, 0)
	}
	return x
}
