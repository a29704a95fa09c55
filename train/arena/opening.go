package arena

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kiothi/agent/scripted"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file draws the openings of a tournament.

// An opening is how a pair of games begins.
type opening struct {
	actions []mancala.Action
	state   mancala.State // after the actions
	turns   int
	given   bool // state is a given position
}

// openingTries is how often an opening is drawn again because it ended the game or was played before.
const openingTries = 200

// Playable refuses a game of which random openings leave nothing to play, so that no match can begin from them.
func Playable(g mancala.Game) error {
	_, err := drawOpenings(context.Background(), g, Options{Games: 2})
	return err
}

// drawOpenings draws an opening for each pair of games of a match. An opening comes back only when hardly any other is left, and
// then all may.
func drawOpenings(ctx context.Context, g mancala.Game, o Options) ([]opening, error) {
	openings := make([]opening, o.Games/2)
	switch o.Openings {
	case OwnOpenings:
		for i := range openings {
			openings[i].state = g.Start()
		}
		return openings, nil
	case GivenOpenings:
		for i := range openings {
			openings[i] = opening{state: o.Positions[i%len(o.Positions)], given: true}
		}
		return openings, nil
	}
	seen := map[mancala.State]bool{}
	for pair := range openings {
		if ctx.Err() != nil {
			return nil, stopped(ctx)
		}
		rng := seed.Rand(o.Seed, seed.Opening, uint64(pair))
		found, fresh := false, false
		for try := 0; try < openingTries && !fresh; try++ {
			drawn := drawOpening(g, rng)
			if !drawn.state.Over() {
				openings[pair], found, fresh = drawn, true, !seen[drawn.state]
			}
		}
		if !found {
			return nil, fmt.Errorf("%s %s: none of %d random openings left a game to play", g.Name(), g.Rules(), openingTries)
		}
		if !fresh {
			clear(seen)
		}
		seen[openings[pair].state] = true
	}
	return openings, nil
}

// drawOpening draws both players' opening turns, or some plies of a game that has none.
func drawOpening(g mancala.Game, rng *rand.Rand) opening {
	o := opening{state: g.Start()}
	play := func(actions ...mancala.Action) {
		for _, a := range actions {
			mancala.MustPlay(g, &o.state, a)
		}
		o.actions = append(o.actions, actions...)
		o.turns++
	}
	if o.state.Opening == 0 {
		for range RandomPlies {
			if legal := g.AppendLegal(nil, &o.state); len(legal) > 0 {
				play(legal[rng.IntN(len(legal))])
			}
		}
		return o
	}
	for o.state.Opening > 0 && !o.state.Over() {
		play(scripted.SampleOpening(g, &o.state, rng)...)
	}
	return o
}
