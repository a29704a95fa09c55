package tensors_test

import (
	"reflect"
	"slices"
	"testing"

	"gorgonia.org/tensor"

	"kiothi/agent"
	"kiothi/agent/tensors"
	"kiothi/env"
	"kiothi/env/games"
)

var _ env.Opponent = agent.Agent(nil) // every agent can be the opponent of an env.Versus

const rows = 5

// newVector returns a vector that has been reset, and its buffers.
func newVector(t *testing.T) (*env.Vector, *env.Buffers) {
	t.Helper()
	g, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := env.New(g, env.Options{StepLimit: 20})
	if err != nil {
		t.Fatal(err)
	}
	v, err := env.NewVector(rows, []*env.Env{e}, env.VectorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	b := env.NewBuffers(v)
	if err := v.Reset(env.Seeds(1, rows), b); err != nil {
		t.Fatal(err)
	}
	return v, b
}

func TestViewsShareTheBuffersMemory(t *testing.T) {
	v, b := newVector(t)
	views := tensors.Of(v, b)
	actions := make([]int32, rows)
	for step := range 25 {
		if err := v.SampleActions(actions); err != nil {
			t.Fatal(err)
		}
		if err := v.Step(actions, b); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name  string
			view  *tensor.Dense
			want  any
			shape tensor.Shape
		}{
			{"observations", views.Observations, b.Observations, tensor.Shape{rows, 10, 2, 10}},
			{"masks", views.Masks, b.Masks, tensor.Shape{rows, 631}},
			{"players", views.Players, b.Players, tensor.Shape{rows}},
			{"rewards", views.Rewards, b.Rewards, tensor.Shape{rows}},
			{"both rewards", views.BothRewards, b.BothRewards, tensor.Shape{rows, 2}},
			{"actors", views.Actors, b.Actors, tensor.Shape{rows}},
			{"terminated", views.Terminated, b.Terminated, tensor.Shape{rows}},
			{"truncated", views.Truncated, b.Truncated, tensor.Shape{rows}},
			{"final observations", views.FinalObservations, b.FinalObservations, tensor.Shape{rows, 10, 2, 10}},
			{"final players", views.FinalPlayers, b.FinalPlayers, tensor.Shape{rows}},
		} {
			if !c.view.Shape().Eq(c.shape) || !reflect.DeepEqual(c.view.Data(), c.want) {
				t.Fatalf("step %d: the %s have shape %v, want %v, or other values than the buffer", step, c.name, c.view.Shape(), c.shape)
			}
		}
	}
	if !slices.Contains(b.Truncated, true) && !slices.ContainsFunc(b.FinalObservations, func(x float32) bool { return x != 0 }) {
		t.Error("no game ended: the test shows too little")
	}
}

func TestWhatIsNotWantedHasNoView(t *testing.T) {
	v, b := newVector(t)
	b.Masks = nil
	views := tensors.Of(v, b)
	if views.Masks != nil || views.Observations == nil {
		t.Errorf("masks %v without a buffer, observations %v with one", views.Masks, views.Observations)
	}
}
