package uct

import (
	"context"
	"math/rand/v2"
	"testing"

	"kiothi/agent"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// pretended knows a result, and an action, wherever the clock stands at 1 or more.
type pretended struct {
	margin int // for the player to move
	action mancala.Action
}

func (p pretended) Probe(s *mancala.State) (int, bool) { return p.margin, s.Clock > 0 }

func (p pretended) Best(s *mancala.State) (mancala.Action, bool) { return p.action, s.Clock > 0 }

func TestKnownEndGamesEndSimulationsAndArePlayed(t *testing.T) {
	g, err := games.Open("rio-kadalis", "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(g, Config{Simulations: 50, Endgames: pretended{margin: -3, action: 4}})
	if err != nil {
		t.Fatal(err)
	}
	// The first turn without a capture is said to win, for both players.
	south, err := g.Parse("2,0,0,0,0,1/1,0,0,0,0,0 - 22-22 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []mancala.State{south, south.Swapped(6)} {
		found, err := p.Analyse(t.Context(), &s, rand.New(rand.NewPCG(1, 2)))
		if err != nil || found.Value != 1 {
			t.Errorf("%s: the value is %v, %v, expected a sure win", g.Format(&s), found.Value, err)
		}
	}
	known, err := g.Parse("2,1,1,1,1,1/1,0,0,0,0,0 - 20-20 S sow 3")
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range map[string]agent.Agent{"the agent": p, "a player of one game": p.Start()} {
		if got, err := a.Choose(context.Background(), &known, rand.New(rand.NewPCG(1, 2))); got != 4 || err != nil {
			t.Errorf("%s plays %d, %v, expected what is known", name, got, err)
		}
	}
}
