package zero

import (
	"math"
	"strings"
	"testing"

	"kiothi/agent/bot"
	"kiothi/agent/margin"
)

func TestAnEvaluatorRefusesANetworkOfAnotherGame(t *testing.T) {
	kiothi, rio := openGame(t, "kiothi", ""), openGame(t, "rio-kadalis", "")
	_, err := newEvaluator(kiothi, bot.NewNetwork(newWeights(t, rio, 1)), margin.Utility{}, 4)
	if want := "kiothi needs 367, 631, 61"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("the error is %v, want one with %q", err, want)
	}
	if _, err := NewPlayer(kiothi, newWeights(t, rio, 1), quick()); err == nil {
		t.Error("a player accepts the network")
	}
}

// The value is the mean utility of the margins under the network's own distribution.
func TestTheValueIsTheExpectedUtility(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		w := newWeights(t, g, 1)
		scale, err := margin.Of(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range []margin.Utility{{}, {MarginShare: 0.5}, {Warrior: 10}} {
			e, err := newEvaluator(g, bot.NewNetwork(w), u, 6)
			if err != nil {
				t.Fatal(err)
			}
			positions := states(t, g, e.Batch(), 1, all)
			for i := range positions {
				e.Put(i, &positions[i])
			}
			if err := e.Evaluate(len(positions)); err != nil {
				t.Fatal(err)
			}
			for i := range positions {
				sum, want := 0.0, 0.0
				for bin, logit := range e.Margin(i) {
					p := math.Exp(float64(logit))
					sum += p
					want += p * u.Of(scale.Margin(bin), scale)
				}
				if got := float64(e.Value(i)); math.Abs(got-want/sum) > 1e-5 {
					t.Errorf("%s, %+v: value %v, want %v", name, u, got, want/sum)
				}
				if len(e.Policy(i)) != g.Actions() {
					t.Errorf("%s: a policy of %d logits, want %d", name, len(e.Policy(i)), g.Actions())
				}
			}
		}
	}
}

func TestConfigOfFollowsTheGame(t *testing.T) {
	for name, want := range map[string][3]int{"kiothi": {367, 631, 61}, "rio-kadalis": {235, 6, 49}} {
		c, err := ConfigOf(openGame(t, name, ""), 32, 1, 16)
		if got := [3]int{c.Inputs, c.Actions, c.Bins}; err != nil || got != want {
			t.Errorf("%s: inputs, actions, bins %v, %v; want %v", name, got, err, want)
		}
	}
	if _, err := ConfigOf(openGame(t, "kiothi", ""), 0, 1, 16); err == nil {
		t.Error("a width of 0 is accepted")
	}
}
