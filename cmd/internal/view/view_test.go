package view

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kiothi/agent/scripted"
	"kiothi/agent/zero"
	"kiothi/env/mancala"

	_ "kiothi/models" // a network
)

// setup reads a Setup.
func setup(t *testing.T, text string) *Setup {
	t.Helper()
	var s Setup
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestAnErrorSaysInWhichFieldItIs(t *testing.T) {
	for text, field := range map[string]string{
		`{"game":"chess"}`:                 "game",
		`{"game":"kiothi","rules":"none"}`: "rules",
		`{"game":"kiothi","rules":"` + strings.Repeat("x", 1001) + `"}`: "rules",
		`{"game":"kiothi","position":"none"}`:                           "position",
		`{"game":"kiothi","position":"1/3 none"}`:                       "position",
		`{"game":"kiothi","rounds":2}`:                                  "rounds",
		`{"game":"rio-kadalis","moves":["a","z"]}`:                      "moves[1]",
		`{"game":"rio-kadalis","moves":[17]}`:                           "moves[0]",
	} {
		_, err := setup(t, text).Begin(t.Context())
		if said := (*ArgumentError)(nil); !errors.As(err, &said) || said.Where() != field {
			t.Errorf("%s: the error is %v, want one of the field %s", text, err, field)
		}
	}
	_, err := setup(t, `{"game":"rio-kadalis","moves":[17]}`).Begin(t.Context())
	if illegal := (*mancala.IllegalError)(nil); !errors.As(err, &illegal) {
		t.Errorf("the error is %v, want an illegal move", err)
	}
}

func TestTheInfoSaysWhetherAPartOfAPitCanBeSown(t *testing.T) {
	for text, want := range map[string]bool{
		`{"game":"kiothi"}`: true, `{"game":"kiothi","rules":"wikipedia-it"}`: false, `{"game":"kiothi","rules":"mancala-world,pickup=all"}`: false,
		`{"game":"rio-kadalis"}`: false,
	} {
		begun, err := setup(t, text).Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := begun.Info().PartialPickup; got != want {
			t.Errorf("%s: a part of a pit: %v, want %v", text, got, want)
		}
	}
}

func TestAGameIsNotBegunWithoutAnEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := setup(t, `{"game":"rio-kadalis","moves":["a"]}`).Begin(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v, want the context's", err)
	}
}

func TestAMoveIsToldAsItWasSaid(t *testing.T) {
	s := setup(t, `{"moves":["eh:a3c2J5",604,null]}`)
	for i, want := range []string{"eh:a3c2J5", "604", "nothing"} {
		if got := s.Moves[i].String(); got != want {
			t.Errorf("it is told as %q, want %q", got, want)
		}
	}
}

// An analysis is a thought with the policy and the margins, where the agent knows them.
func TestAnAnalysisIsAThoughtAndMore(t *testing.T) {
	begun, err := setup(t, `{"game":"kiothi"}`).Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g, s := begun.Record.Game(), begun.Record.State()
	kinds := append(scripted.Kinds(), zero.Kinds()...)
	for spec, judges := range map[string]bool{"random": false, "policy:kiothi-quick": true, "zero:kiothi-quick,sims=16": true, "zero:kiothi-quick,movetime=5ms": true} {
		a, err := kinds.Open(g, spec)
		if err != nil {
			t.Fatal(err)
		}
		think := Thinker{Game: g, Agent: a, Spec: spec, State: s, Seed: 3}
		thought, err := think.Think(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		analysis, err := think.Analyse(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, timed := a.(*zero.Timed)
		if !timed && analysis.Text != thought.Text {
			t.Errorf("%s chooses %s, and when it is to say why, %s", spec, thought.Text, analysis.Text)
		}
		if (analysis.Policy != nil) != judges || (analysis.Margins != nil) != judges || (analysis.Chances != nil) != judges ||
			judges && (len(analysis.Policy) != len(begun.Legal()) || analysis.Policy[0].Text != begun.Legal()[0].Text) {
			t.Errorf("%s says %+v", spec, analysis)
		}
		if (thought.Chances != nil) != (judges && !timed) {
			t.Errorf("%s thinks %+v", spec, thought)
		}
	}
}
