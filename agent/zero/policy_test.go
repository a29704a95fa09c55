package zero

import (
	"math"
	"testing"

	"kiothi/agent/margin"
	"kiothi/env/mancala"
)

// logits returns the network's logits for a position.
func logits(t *testing.T, p *Player, s *mancala.State) []float32 {
	t.Helper()
	e, err := newEvaluator(p.game, p.network, margin.Utility{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	e.Put(0, s)
	if err := e.Evaluate(1); err != nil {
		t.Fatal(err)
	}
	return append([]float32(nil), e.Policy(0)...)
}

func TestAPolicyPlaysTheMostLikelyLegalAction(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		p := newPlayer(t, g, newWeights(t, g, 1), quick())
		positions := states(t, g, 21, 7, all)
		got := make([]mancala.Action, len(positions))
		if err := NewPolicy(p, 0).ChooseBatch(t.Context(), positions, sources(len(positions)), got); err != nil {
			t.Fatal(err)
		}
		for i := range positions {
			l := logits(t, p, &positions[i])
			legal := g.AppendLegal(nil, &positions[i])
			want := legal[0]
			for _, a := range legal {
				if l[a] > l[want] {
					want = a
				}
			}
			if got[i] != want {
				t.Errorf("%s: action %d in %s, want %d", name, got[i], g.Format(&positions[i]), want)
			}
			alone, err := NewPolicy(p, 0).Choose(t.Context(), &positions[i], newRand(9))
			if err != nil || alone != want {
				t.Errorf("%s: alone action %d, %v; want %d", name, alone, err, want)
			}
		}
	}
}

// Each action's share of many draws is its probability to the power 1/temperature, up to five standard deviations.
func TestAPolicyDrawsAtItsTemperature(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	p := newPlayer(t, g, newWeights(t, g, 1), quick())
	s := g.Start()
	legal, l := g.AppendLegal(nil, &s), logits(t, p, &s)
	const draws = 4000
	for _, temperature := range []float64{0.5, 1, 3} {
		sum := 0.0
		for _, a := range legal {
			sum += math.Exp(float64(l[a]) / temperature)
		}
		positions, actions := make([]mancala.State, draws), make([]mancala.Action, draws)
		for i := range positions {
			positions[i] = s
		}
		if err := NewPolicy(p, temperature).ChooseBatch(t.Context(), positions, sources(draws), actions); err != nil {
			t.Fatal(err)
		}
		count := map[mancala.Action]int{}
		for _, a := range actions {
			count[a]++
		}
		for _, a := range legal {
			share := math.Exp(float64(l[a])/temperature) / sum
			want, deviation := draws*share, math.Sqrt(draws*share*(1-share))
			if got := float64(count[a]); math.Abs(got-want) > 5*deviation+1 {
				t.Errorf("temperature %v: action %d drawn %v times, want %.0f", temperature, a, got, want)
			}
		}
	}
}

// A game's draws come from its own source, so that they do not depend on the other games of a batch.
func TestAPolicysDrawDependsOnItsSourceAlone(t *testing.T) {
	g := openGame(t, "kiothi", "")
	p := NewPolicy(newPlayer(t, g, newWeights(t, g, 1), quick()), 1)
	positions := states(t, g, 20, 8, all)
	got := make([]mancala.Action, len(positions))
	if err := p.ChooseBatch(t.Context(), positions, sources(len(positions)), got); err != nil {
		t.Fatal(err)
	}
	for i, rng := range sources(len(positions)) {
		if alone, err := p.Choose(t.Context(), &positions[i], rng); err != nil || alone != got[i] {
			t.Errorf("position %d: action %d alone, %v; %d in a batch", i, alone, err, got[i])
		}
	}
}
