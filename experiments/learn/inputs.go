//go:build unix

// This file is what a network may be shown of a position instead of the features of package features.

package main

import (
	"slices"

	shown "kiothi/agent/features"
	"kiothi/env/mancala"
)

// inputs writes what a network sees of a position that is not over, size numbers.
type inputs struct {
	size   int
	encode func(dst []float32, s *mancala.State)
}

// Of Kiothi's features the first are its pits: steps of a thermometer for each, the count and the mark.
const (
	pits  = 20
	steps = 6
	pit   = steps + 2
)

// features are those of package features.
func features(game mancala.Game) inputs {
	encoder := encoderOf(game)
	return inputs{encoder.Size(), encoder.Encode}
}

func encoderOf(game mancala.Game) shown.Encoder {
	encoder, err := shown.New(game)
	if err != nil {
		panic("learn: " + err.Error()) // Kiothi has one
	}
	return encoder
}

// groupOf returns the group of each feature.
func groupOf(encoder shown.Encoder) (groups []string) {
	for _, g := range encoder.Groups() {
		groups = append(groups, slices.Repeat([]string{g.Name}, g.Size)...)
	}
	return groups
}

// those are the features that are kept.
func those(game mancala.Game, keep func(feature int, group string) bool) inputs {
	encoder := encoderOf(game)
	var kept []int
	for i, group := range groupOf(encoder) {
		if keep(i, group) {
			kept = append(kept, i)
		}
	}
	all := make([]float32, encoder.Size())
	return inputs{len(kept), func(dst []float32, s *mancala.State) {
		encoder.Encode(all, s)
		for i, feature := range kept {
			dst[i] = all[feature]
		}
	}}
}

// without leaves groups out.
func without(groups ...string) func(mancala.Game) inputs {
	return func(game mancala.Game) inputs {
		return those(game, func(_ int, group string) bool { return !slices.Contains(groups, group) })
	}
}

// withoutMarks leaves the marks out, but for what reach and threats tell of them.
func withoutMarks(game mancala.Game) inputs {
	return those(game, func(i int, group string) bool { return group != "pits" || i%pit != pit-1 })
}

// countsAlone has one number for the seeds of a pit.
func countsAlone(game mancala.Game) inputs {
	return those(game, func(i int, group string) bool {
		return group != "reach" && group != "threats" && (group != "pits" || i%pit >= steps)
	})
}

// oneHot has a feature for each small count instead of the thermometer, in which all up to the count are set.
func oneHot(reach bool) func(mancala.Game) inputs {
	return func(game mancala.Game) inputs {
		in := features(game)
		if !reach {
			in = without("reach", "threats")(game)
		}
		return inputs{in.size, func(dst []float32, s *mancala.State) {
			in.encode(dst, s)
			for i := range pits {
				thermometer := dst[i*pit:][:steps]
				for n := range steps - 1 {
					thermometer[n] -= thermometer[n+1]
				}
			}
		}}
	}
}

// withRelays adds what each sowing of 1 to 6 seeds captures when it is played to its end, and whether it is legal: of the player to
// move, and of the enemy, were it the enemy's turn.
func withRelays(game mancala.Game) inputs {
	const (
		width  = 10
		pickup = 6
		side   = 2 * width * pickup
		scale  = 8 // seeds, as those of reach
	)
	in := features(game)
	var legal []mancala.Action
	return inputs{in.size + 2*side, func(dst []float32, s *mancala.State) {
		in.encode(dst, s)
		relays := dst[in.size : in.size+2*side]
		clear(relays)
		if s.Phase != mancala.Sow {
			return
		}
		for i, player := range []mancala.Player{s.Player, s.Player.Other()} {
			turn := *s
			turn.Player = player
			legal = game.AppendLegal(legal[:0], &turn)
			for _, a := range legal {
				from, seeds := int(a)/mancala.MaxSeeds, int(a)%mancala.MaxSeeds+1
				if seeds > pickup {
					continue
				}
				after := turn
				played := mancala.MustPlay(game, &after, a)
				cells := relays[i*side+2*(from*pickup+seeds-1):]
				cells[0], cells[1] = float32(played.Captured[player])/scale, 1
			}
		}
	}}
}
