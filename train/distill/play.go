// This file plays one game of alpha-beta against itself, and writes down what the search says of each position.

package distill

import (
	"context"
	"math/rand/v2"

	"kiothi/agent/alphabeta"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/replay"
)

// A recorder plays games. Several goroutines may use one.
type recorder struct {
	game   mancala.Game
	player *alphabeta.Player
	*GamesOptions
}

// seedOf returns the seed of game number of all games.
func (r *recorder) seedOf(number int) uint64 { return seed.Mix(r.Seed, seed.Distill, uint64(number)) }

// id returns the id of a game: its file's number, and its own in the file.
func (r *recorder) id(number int) replay.ID {
	return replay.ID{Stream: uint64(number / r.Shard), Number: uint64(number % r.Shard)}
}

// record plays game number of all games.
func (r *recorder) record(ctx context.Context, number int) (*replay.Game, error) {
	mixed := r.seedOf(number)
	source := new(rand.PCG)
	seed.Reseed(source, mixed)
	rng := rand.New(source)

	g := new(replay.Game)
	g.Reset(r.id(number), mixed)
	s := r.game.Start()
	if err := r.open(ctx, g, &s, rng); err != nil {
		return nil, err
	}
	for first := rng.IntN(r.First + 1); !s.Over(); first-- {
		found, err := r.player.Analyse(ctx, &s)
		if err != nil {
			return nil, err
		}
		action, flags := found.Best, replay.Flags(0)
		if first > 0 || rng.Float64() < r.Random {
			legal := r.game.AppendLegal(make([]mancala.Action, 0, mancala.MaxSeeds), &s)
			action, flags = legal[rng.IntN(len(legal))], replay.Random
		}
		if err := r.play(g, &s, action, valueOf(&found), flags); err != nil {
			return nil, err
		}
	}
	g.Finish(r.game, &s)
	return g, nil
}

// open plays the opening turns, if the game has any: both players plan theirs, or each is drawn at random, half of these
// improved by the evaluation.
func (r *recorder) open(ctx context.Context, g *replay.Game, s *mancala.State, rng *rand.Rand) error {
	planned := rng.Float64() < r.Planned
	for s.Opening > 0 && !s.Over() {
		var turn []mancala.Action
		if planned {
			var err error
			if turn, err = r.player.PlanTurn(ctx, s, rng); err != nil {
				return err
			}
		} else {
			turn = r.player.DrawTurn(ctx, s, rng, rng.IntN(2) == 0)
		}
		for _, a := range turn {
			if err := r.play(g, s, a, 0, replay.Random); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// play plays an action and records it.
func (r *recorder) play(g *replay.Game, s *mancala.State, a mancala.Action, value float32, flags replay.Flags) error {
	if err := g.Append(a, value, flags, nil, nil); err != nil {
		return err
	}
	_, err := r.game.Play(s, a)
	return err
}

// A record's value is the search's score in hundreds of seeds, which stays below certain; a result that is known is ±certain.
const (
	scoreUnit = 100
	certain   = 1
	uncertain = 0.999 // the greatest value of a score that is no certain result
)

// valueOf returns the value to record for what a search found.
func valueOf(found *alphabeta.Analysis) float32 {
	switch {
	case found.Certain && found.Score > 0:
		return certain
	case found.Certain && found.Score < 0:
		return -certain
	}
	return float32(min(max(found.Score/scoreUnit, -uncertain), uncertain))
}
