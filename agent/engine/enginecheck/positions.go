package enginecheck

import (
	"context"
	"math/rand/v2"
	"slices"

	"kiothi/agent/scripted"
	"kiothi/env/mancala"
)

// This file plays random games for the positions that an engine is asked about.

// A game's positions, each with the player to move at the beginning of a turn, or within one.
type positions struct {
	whole []mancala.State // at the beginning of a turn, in their order
	half  []mancala.State // within an opening turn
	end   mancala.State
}

// play plays a random game.
func play(g mancala.Game, seed uint64) positions {
	var p positions
	rng := rand.New(rand.NewPCG(seed, 0))
	random := scripted.Random{Game: g}
	s := g.Start()
	for last := s.Player.Other(); !s.Over(); {
		if s.Player != last {
			p.whole = append(p.whole, s)
			last = s.Player
		} else {
			p.half = append(p.half, s)
		}
		a, err := random.Choose(context.Background(), &s, rng)
		if err == nil {
			_, err = g.Play(&s, a)
		}
		if err != nil {
			panic("enginecheck: the engine refuses an action that it listed as legal: " + err.Error())
		}
	}
	p.end = s
	return p
}

// some returns the first, the last and some positions between, in their order.
func some(all []mancala.State, most int) []mancala.State {
	if len(all) <= most {
		return all
	}
	chosen := make([]mancala.State, most)
	for i := range chosen {
		chosen[i] = all[i*(len(all)-1)/(most-1)]
	}
	return slices.CompactFunc(chosen, func(a, b mancala.State) bool { return a == b })
}
