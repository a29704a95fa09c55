package trace_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/choice"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/trace"
)

// open opens Rio Kadalis, as a program would that knows only this game.
func open(game, rules string) (mancala.Game, error) {
	if game != "rio-kadalis" {
		return nil, choice.Unknown("game", game, []string{"rio-kadalis"})
	}
	g, err := riokadalis.New(rules)
	if err != nil {
		return nil, err
	}
	return g, nil
}

// start returns a game and a state.
func start(t *testing.T, position string) (mancala.Game, mancala.State) {
	t.Helper()
	g, err := open("rio-kadalis", "standard")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	return g, s
}

func TestPlayDescribesEveryState(t *testing.T) {
	g, s := start(t, "0,0,0,0,2,0/3,0,0,0,0,0 - 20-23 S sow 7")
	steps, err := trace.Play(g, s, []mancala.Action{4, 0})
	var illegal *trace.Error
	if !errors.As(err, &illegal) {
		t.Fatalf("an illegal action gives error %v", err)
	}
	want := []trace.Step{
		{Position: "0,0,0,0,2,0/3,0,0,0,0,0 - 20-23 S sow 7", Legal: []mancala.Action{4}, Stores: [2]int{20, 23}},
		{
			Ply: 1, Position: "0,0,0,0,0,1/0,0,0,0,0,0 - 24-23 N sow 0", Player: mancala.North, Legal: []mancala.Action{},
			Over: true, Reason: "stuck", Stores: [2]int{25, 23}, Laps: 1, Captured: [2]int{4, 0},
		},
	}
	if diff := cmp.Diff(want, steps); diff != "" {
		t.Errorf("(-expected +played):\n%s", diff)
	}
}

func TestStepJSON(t *testing.T) {
	g, s := start(t, "0,0,0,0,0,1/0,0,0,0,0,0 - 24-23 N sow 0")
	steps, err := trace.Play(g, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(steps)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"ply":0,"position":"0,0,0,0,0,1/0,0,0,0,0,0 - 24-23 N sow 0","player":1,"legal":[],"over":true,` +
		`"reason":"stuck","stores":[25,23],"laps":0,"captured":[0,0],"cut":false}]`
	if string(text) != want {
		t.Errorf("found    %s\nexpected %s", text, want)
	}
}

func TestErrorNamesPlyActionTextAndReason(t *testing.T) {
	g, s := start(t, "1,0,1,0,0,0/1,0,0,0,0,0 - 22-23 S sow 0")
	steps, err := trace.Play(g, s, []mancala.Action{0, 0, 0})
	if len(steps) != 3 {
		t.Errorf("found %d steps before the illegal action, expected 3", len(steps))
	}
	var e *trace.Error
	if !errors.As(err, &e) || e.Ply != 2 || e.Action != 0 || e.Text != "a" || e.Reason != "the hole is empty" {
		t.Fatalf("found error %#v", err)
	}
	if got, want := err.Error(), "ply 2: illegal action 0 (a): the hole is empty"; got != want {
		t.Errorf("the error reads %q, expected %q", got, want)
	}
	var illegal *mancala.IllegalError
	if !errors.As(err, &illegal) || illegal.Action != 0 {
		t.Errorf("the engine's error is not within %v", err)
	}
}
