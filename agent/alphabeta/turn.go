package alphabeta

import (
	"math/rand/v2"
	"slices"

	"kiothi/agent/scripted"
	"kiothi/env/mancala"
)

// This file is single opening turns: drawn at random, compared, and played after a model.

// heaps is the largest number of pits among which a drawn turn heaps its seeds up.
const heaps = 4

// drawTurn returns the actions of a complete opening turn of the player to move. One in five spreads its seeds as
// scripted.SampleOpening does, so that hardly any are alike; the others share them out among one to four pits, as strong
// openings do and even spreading hardly ever does. Half of these pits are the player's own, a quarter by chance.
func drawTurn(g mancala.Game, s *mancala.State, rng *rand.Rand) []mancala.Action {
	turn := scripted.SampleOpening(g, s, rng)
	n := rng.IntN(heaps + 1)
	at, placing := 0, *s
	for at < len(turn) && placing.Phase == mancala.Lift {
		mancala.MustPlay(g, &placing, turn[at])
		at++
	}
	if n == 0 || at == len(turn) {
		return turn
	}
	legal := g.AppendLegal(nil, &placing)
	var pits [heaps]mancala.Action
	for i := range n {
		pits[i] = legal[rng.IntN(len(legal))]
		if rng.IntN(2) == 0 {
			pits[i] = legal[rng.IntN((len(legal)+1)/2)]
		}
	}
	for i := at; i < len(turn); i++ {
		turn[i] = pits[rng.IntN(n)]
	}
	slices.Sort(turn[at:])
	return turn
}

// distance returns how many actions of a turn are not in another one. Both are in ascending order.
func distance(a, b []mancala.Action) int {
	n := 0
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) > 0 && b[0] == x {
			b = b[1:]
		} else {
			n++
		}
	}
	return n
}

// playModel plays an opening turn after the model of one that was meant for another position: where a pit cannot be lifted
// it lifts another, and where there are more or fewer seeds to place it places them in the same proportions.
func playModel(g mancala.Game, state *mancala.State, model []mancala.Action) {
	var buffer [2*mancala.MaxWidth + 1]mancala.Action
	mover, at := state.Player, 0
	for state.Player == mover && state.Phase == mancala.Lift && !state.Over() {
		legal := g.AppendLegal(buffer[:0], state)
		a := legal[0]
		for _, wanted := range model {
			if slices.Contains(legal, wanted) {
				a = wanted
				break
			}
		}
		mancala.MustPlay(g, state, a)
	}
	if state.Player != mover || state.Phase != mancala.Place {
		return
	}
	lowest := g.AppendLegal(buffer[:0], state)[0]
	for at < len(model) && model[at] < lowest {
		at++
	}
	places, hand := model[at:], int(state.Hand)
	for i := range hand {
		a := lowest
		if len(places) > 0 {
			a = places[i*len(places)/hand]
		}
		mancala.MustPlay(g, state, a)
	}
}
