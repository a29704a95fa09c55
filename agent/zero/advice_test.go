package zero

import (
	"context"
	"errors"
	"math"
	"testing"

	"kiothi/agent"
	"kiothi/agent/margin"
	"kiothi/agent/network/weights"
	"kiothi/env/mancala"
)

func TestAdviceIsWhatThePlayerWouldPlayAndAPossibleGame(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		p := newPlayer(t, g, newWeights(t, g, 1), quick())
		for _, adviser := range []agent.Adviser{p, NewPolicy(p, 0)} {
			for _, s := range states(t, g, 12, 7, all) {
				advice, err := adviser.Advise(t.Context(), &s)
				if err != nil {
					t.Fatal(err)
				}
				want, err := adviser.Choose(t.Context(), &s, newRand(1))
				if err != nil {
					t.Fatal(err)
				}
				if len(advice.Line) == 0 || advice.Line[0] != want {
					t.Errorf("%s: advises %v, plays %d", g.Format(&s), advice.Line, want)
				}
				next := s
				for _, a := range advice.Line {
					if _, err := g.Play(&next, a); err != nil {
						t.Fatalf("%s: the line %v cannot be played: %v", g.Format(&s), advice.Line, err)
					}
				}
				chances := []float64{advice.Win, advice.Draw, advice.Loss}
				sum := 0.0
				for _, c := range chances {
					if c < 0 || c > 1 {
						t.Errorf("chances %v", chances)
					}
					sum += c
				}
				if math.Abs(sum-1) > 1e-6 || math.Abs(advice.Margin) > float64(g.Seeds()) {
					t.Errorf("chances %v add up to %v; expected margin %v of %d seeds", chances, sum, advice.Margin, g.Seeds())
				}
			}
		}
	}
}

// The chances of margins are what win, draw, loss and expected margin summarise, and the policy weighs the legal actions.
func TestAdviceTellsMarginsAndAPolicy(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		g := openGame(t, name, "")
		p := newPlayer(t, g, newWeights(t, g, 1), quick())
		for _, adviser := range []agent.Adviser{p, NewPolicy(p, 0)} {
			for _, s := range states(t, g, 12, 7, all) {
				advice, err := adviser.Advise(t.Context(), &s)
				if err != nil {
					t.Fatal(err)
				}
				var sum margin.Summary
				last, total := -1000, 0.0
				for _, m := range advice.Margins {
					if m.Margin <= last || m.Chance <= 0 {
						t.Fatalf("%s: margins %v", g.Format(&s), advice.Margins)
					}
					last = m.Margin
					total += m.Chance
					sum.Margin += m.Chance * float64(m.Margin)
					switch {
					case m.Margin > 0:
						sum.Win += m.Chance
					case m.Margin < 0:
						sum.Loss += m.Chance
					default:
						sum.Draw += m.Chance
					}
				}
				const near = 1e-6
				agree := math.Abs(sum.Win-advice.Win) < near && math.Abs(sum.Draw-advice.Draw) < near && math.Abs(sum.Loss-advice.Loss) < near
				if _, raw := adviser.(*Policy); raw {
					agree = agree && math.Abs(sum.Margin-advice.Margin) < near
				}
				if math.Abs(total-1) > near || !agree {
					t.Errorf("%s: the margins, %v in all, come to %+v, the advice is %+v", g.Format(&s), total, sum, advice)
				}
				legal := g.AppendLegal(nil, &s)
				shares := 0.0
				for _, share := range advice.Policy {
					shares += share
				}
				if len(advice.Policy) != len(legal) || math.Abs(shares-1) > 1e-5 {
					t.Errorf("%s: a policy %v for the actions %v", g.Format(&s), advice.Policy, legal)
				}
			}
		}
	}
}

// With the utility of a win, the value of the chosen action is its chance to win less its chance to lose.
func TestAdviceAgreesWithTheSearch(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	c := quick()
	c.Simulations, c.Search.Proofs = 40, false
	p := newPlayer(t, g, newWeights(t, g, 2), c)
	for _, s := range states(t, g, 10, 8, choices) {
		advice, err := p.Advise(t.Context(), &s)
		if err != nil {
			t.Fatal(err)
		}
		e := p.idle[0].evaluator
		sum, n := 0.0, 0
		for at, visits := range p.idle[0].trees[0].Behind() {
			value := margin.Utility{}.Of(mancala.Margin(g, at, at.Player), margin.Scale{Max: 48})
			if !at.Over() {
				e.Put(0, at)
				if err := e.Evaluate(1); err != nil {
					t.Fatal(err)
				}
				value = float64(e.Value(0))
			}
			// Whoever has more than half of the stones has won, whatever the network says.
			own, enemy := 2*int(at.Stores[at.Player]), 2*int(at.Stores[at.Player.Other()])
			switch {
			case own > at.Total():
				value = 1
			case enemy > at.Total():
				value = -1
			}
			if at.Player != s.Player {
				value = -value
			}
			sum, n = sum+float64(visits)*value, n+visits
		}
		if got, want := advice.Win-advice.Loss, sum/float64(n); math.Abs(got-want) > 1e-5 {
			t.Errorf("a win less a loss is %v, the search's value %v", got, want)
		}
	}
}

// A won game is certain, from either side.
func TestAdviceBeforeTheEndIsTheResult(t *testing.T) {
	g := openGame(t, "rio-kadalis", "")
	p := newPlayer(t, g, newWeights(t, g, 1), quick())
	s, err := g.Parse("1,0,0,0,0,0/0,0,0,0,0,0 - 30-17 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s      mancala.State
		win    float64
		margin float64
	}{{s, 1, 14}, {func() mancala.State { s := s; s.Stores = [2]uint8{17, 30}; return s }(), 0, -12}} {
		advice, err := p.Advise(t.Context(), &c.s)
		if err != nil {
			t.Fatal(err)
		}
		if advice.Win != c.win || advice.Loss != 1-c.win || advice.Margin != c.margin {
			t.Errorf("%s: %+v, want a chance of %v and a margin of %v", g.Format(&c.s), advice, c.win, c.margin)
		}
	}
}

func TestAdviceStopsWithItsContextAndTellsABrokenNetwork(t *testing.T) {
	g := openGame(t, "kiothi", "")
	s := states(t, g, 1, 5, choices)[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := newPlayer(t, g, newWeights(t, g, 1), quick())
	broken := newPlayer(t, g, brokenWeights(t, g), quick())
	for _, adviser := range []agent.Adviser{p, NewPolicy(p, 0)} {
		if _, err := adviser.Advise(ctx, &s); !errors.Is(err, context.Canceled) {
			t.Errorf("the error is %v, want the context's", err)
		}
	}
	for _, adviser := range []agent.Adviser{broken, NewPolicy(broken, 0)} {
		_, err := adviser.Advise(t.Context(), &s)
		if notFinite := (*weights.NotFiniteError)(nil); !errors.As(err, &notFinite) {
			t.Errorf("the error is %v, want the network's", err)
		}
	}
}
