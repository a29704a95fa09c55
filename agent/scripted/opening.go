package scripted

import (
	"math/rand/v2"
	"slices"

	"kiothi/env/mancala"
)

// This file plays the opening at random: a whole turn at once, and action by action.

// SampleOpening returns the actions that complete the opening turn of the player to move in s, drawn at random: each way
// to lift pits is equally likely, and each lifted seed falls into any of the legal pits with the same probability,
// independently of the others. It returns none when s is in no opening turn.
func SampleOpening(g mancala.Game, s *mancala.State, rng *rand.Rand) []mancala.Action {
	state := *s
	var turn []mancala.Action
	play := func(a mancala.Action) {
		mancala.MustPlay(g, &state, a)
		turn = append(turn, a)
	}
	for lifting(&state, s.Player) {
		play(liftAction(g, &state, g.AppendLegal(nil, &state), rng))
	}
	if state.Player != s.Player || state.Phase != mancala.Place {
		return turn
	}
	// Each seed draws its pit on its own; in order, the draws are legal: the pits from the last one on stay open.
	pits := g.AppendLegal(nil, &state)
	placed := make([]mancala.Action, state.Hand)
	for i := range placed {
		placed[i] = pits[rng.IntN(len(pits))]
	}
	slices.Sort(placed)
	for _, a := range placed {
		play(a)
	}
	return turn
}

// openingAction draws one action of an opening turn, without memory of the earlier ones: over a whole turn, each way to
// lift pits is equally likely, and after it each distinct way to place the seeds. (Seeds that fall independently, as in
// SampleOpening, cannot be drawn one by one from the state alone: the chance that a further seed falls into the last pit
// depends on how many fell there before.)
func openingAction(g mancala.Game, s *mancala.State, legal []mancala.Action, rng *rand.Rand) mancala.Action {
	if s.Phase == mancala.Lift {
		return liftAction(g, s, legal, rng)
	}
	// With n seeds in hand and m pits left, a share n/(n+m-1) of the C(n+m-1, n) ways to place them uses the first pit.
	n, first := int(s.Hand), 0
	for m := len(legal); m > 1 && rng.IntN(n+m-1) >= n; m-- {
		first++
	}
	return legal[first]
}

// liftAction draws one action of the lifting so that each complete lifting is equally likely: an action weighs as much as
// there are liftings that go on with it.
func liftAction(g mancala.Game, s *mancala.State, legal []mancala.Action, rng *rand.Rand) mancala.Action {
	ways := make([]int, len(legal))
	total := 0
	for i, a := range legal {
		next := *s
		mancala.MustPlay(g, &next, a)
		ways[i] = liftings(g, &next, s.Player)
		total += ways[i]
	}
	draw := rng.IntN(total)
	for i := range legal {
		if draw -= ways[i]; draw < 0 {
			return legal[i]
		}
	}
	panic("scripted: the draw is over the total")
}

// liftings counts the ways in which player p can complete the lifting from s, 1 when it is complete.
func liftings(g mancala.Game, s *mancala.State, p mancala.Player) int {
	if !lifting(s, p) {
		return 1
	}
	total := 0
	for _, a := range g.AppendLegal(nil, s) {
		next := *s
		mancala.MustPlay(g, &next, a)
		total += liftings(g, &next, p)
	}
	return total
}

// lifting reports whether player p is still to lift in s.
func lifting(s *mancala.State, p mancala.Player) bool {
	return s.Player == p && s.Phase == mancala.Lift && !s.Over()
}
