package scripted

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// last plays the last legal action, and counts what it is asked and told.
type last struct {
	game   mancala.Game
	closed *bool
	asked  *int
}

func (l last) Choose(_ context.Context, s *mancala.State, _ *rand.Rand) (mancala.Action, error) {
	legal := l.game.AppendLegal(nil, s)
	return legal[len(legal)-1], nil
}

func (l last) Close() error { *l.closed = true; return errors.New("closed") }

type lastBatch struct{ last }

func (l lastBatch) ChooseBatch(ctx context.Context, states []mancala.State, rngs []*rand.Rand, actions []mancala.Action) error {
	for i := range states {
		*l.asked++
		actions[i], _ = l.Choose(ctx, &states[i], rngs[i])
	}
	return nil
}

func TestMixedPlaysAShareAtRandom(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	s := g.Start()
	m := NewMixed(g, last{g, new(bool), new(int)}, 0.3)
	counts := choices(t, m, s, 6000)
	for a, want := range map[mancala.Action]float64{5: 0.7 + 0.3/6, 0: 0.3 / 6} {
		if got := float64(counts[a]) / 6000; got < want-0.03 || got > want+0.03 {
			t.Errorf("action %d is played in %.3f of the choices, want %.3f", a, got, want)
		}
	}
	if got := choices(t, NewMixed(g, last{g, new(bool), new(int)}, 0), s, 100); got[5] != 100 {
		t.Errorf("without chance, %d of 100 choices are the inner agent's", got[5])
	}
}

func TestMixedAnswersABatchAsItAnswersEachGame(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	asked := 0
	m := NewMixed(g, lastBatch{last{g, new(bool), &asked}}, 0.5)
	const n = 200
	states := make([]mancala.State, n)
	rngs, again := make([]*rand.Rand, n), make([]*rand.Rand, n)
	for i := range states {
		states[i] = g.Start()
		rngs[i], again[i] = rand.New(rand.NewPCG(1, uint64(i))), rand.New(rand.NewPCG(1, uint64(i)))
	}
	actions := make([]mancala.Action, n)
	if err := m.(agent.Batch).ChooseBatch(t.Context(), states, rngs, actions); err != nil {
		t.Fatal(err)
	}
	for i := range states {
		if a, err := m.Choose(t.Context(), &states[i], again[i]); err != nil || a != actions[i] {
			t.Errorf("game %d: %d in the batch, %d alone, error %v", i, actions[i], a, err)
		}
	}
	if asked == 0 || asked == n {
		t.Errorf("the inner agent was asked %d times of %d, want about half", asked, n)
	}
}

func TestMixedIsABatchExactlyWhenTheInnerAgentIs(t *testing.T) {
	g := open(t, "kiothi", "")
	if _, ok := NewMixed(g, Greedy{g}, 0.1).(agent.Batch); ok {
		t.Error("mixed:greedy is a batch agent")
	}
}

func TestMixedClosesTheInnerAgent(t *testing.T) {
	g := open(t, "kiothi", "")
	closed := false
	m := NewMixed(g, last{g, &closed, nil}, 0.1)
	if err := m.(interface{ Close() error }).Close(); err == nil || !closed {
		t.Errorf("closed is %v, error %v", closed, err)
	}
	if err := NewMixed(g, Greedy{g}, 0.1).(interface{ Close() error }).Close(); err != nil {
		t.Error(err)
	}
}

func TestMixedIsWrittenAroundAnotherSpec(t *testing.T) {
	g := open(t, "kiothi", "")
	kinds := WithMixed(append(Kinds(), agent.Kind{
		Name: "deep", Options: []agent.Option{{Name: "depth"}, {Name: "hash"}},
		New: func(_ mancala.Game, spec agent.Spec) (agent.Agent, error) {
			if len(spec.Settings) != 2 {
				t.Errorf("the inner spec %q has the settings %v", spec.Text, spec.Settings)
			}
			return nil, nil
		},
	}))
	for _, text := range []string{"mixed:greedy", "mixed:greedy,eps=0.5", "mixed:deep:depth=6,,hash=2,eps=1"} {
		if _, err := kinds.Open(g, text); err != nil {
			t.Errorf("Open(%q): %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"mixed":              "mixed needs an argument",
		"mixed:nobody":       `unknown agent "nobody"`,
		"mixed:mixed:greedy": `cannot be mixed itself`,
		"mixed:greedy,eps=x": `option eps: "x" is not a number`,
	} {
		if _, err := kinds.Open(g, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%q) = %v, want %q", text, err, want)
		}
	}
}
