package oracle

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kiothi/agent/scripted"
	"kiothi/env/choice"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file draws the positions that are asked about.

// A Source says where positions come from.
type Source int

// The sources.
const (
	// Uniform draws from all positions of the table, with a fresh clock and stores that leave the game open.
	Uniform Source = iota
	// Play draws from games between players that take what they can and move at random one time in five: one position of
	// each game, among those that the table knows.
	Play
)

// SourceNames lists the words that ParseSource reads.
var SourceNames = []string{"uniform", "play"}

// String returns the source's word.
func (s Source) String() string { return SourceNames[s] }

// ParseSource reads a source by its word.
func ParseSource(text string) (Source, error) {
	if i := slices.Index(SourceNames, text); i >= 0 {
		return Source(i), nil
	}
	return 0, choice.Unknown("source of positions", text, SourceNames)
}

// A position is one that is asked about, and what the table says.
type position struct {
	state   mancala.State
	legal   []mancala.Action
	margins []int // the final margin for the player to move after each legal action, with best play by both
	best    int   // the largest of them
}

// tries is how many draws there are for each position that is asked for.
const tries = 200

// draw draws positions in which it matters what is played, as not all moves have the same margin. It returns the number of
// draws too.
func draw(ctx context.Context, g mancala.Game, t Table, o Options) (drawn []position, draws int, err error) {
	for ; len(drawn) < o.Positions; draws++ {
		if draws == tries*o.Positions {
			return nil, draws, fmt.Errorf("of %d draws from %s only %d of %d were positions in which it matters what is played; "+
				"use a larger table, fewer positions, or another source", draws, o.Source, len(drawn), o.Positions)
		}
		if ctx.Err() != nil {
			return nil, draws, ctx.Err()
		}
		rng := seed.Rand(o.Seed, seed.Opening, uint64(draws))
		s, ok := mancala.State{}, true
		if o.Source == Uniform {
			s = t.Draw(rng)
		} else {
			s, ok = fromGame(ctx, g, t, rng)
		}
		if !ok {
			continue
		}
		if p, ok := judge(g, t, s); ok && slices.Min(p.margins) < p.best {
			drawn = append(drawn, p)
		}
	}
	return drawn, draws, nil
}

// fromGame plays a game and returns one of its positions that the table knows, each with the same chance.
func fromGame(ctx context.Context, g mancala.Game, t Table, rng *rand.Rand) (found mancala.State, ok bool) {
	player := scripted.NewMixed(g, scripted.Greedy{Game: g}, 0.2)
	s := g.Start()
	known := 0
	for !s.Over() {
		turn := scripted.SampleOpening(g, &s, rng)
		if len(turn) == 0 {
			a, err := player.Choose(ctx, &s, rng)
			if err != nil {
				return found, false
			}
			turn = []mancala.Action{a}
		}
		for _, a := range turn {
			mancala.MustPlay(g, &s, a)
		}
		if _, ok := t.Probe(&s); ok && !s.Over() {
			if known++; rng.IntN(known) == 0 {
				found = s
			}
		}
	}
	return found, known > 0
}

// judge finds what each move is worth. It is false where the game is over and where the table does not know it all.
func judge(g mancala.Game, t Table, s mancala.State) (p position, ok bool) {
	p.state = s
	p.legal = g.AppendLegal(nil, &s)
	for _, a := range p.legal {
		after := s
		mancala.MustPlay(g, &after, a)
		m, known := mancala.Margin(g, &after, after.Player), true
		if !after.Over() {
			m, known = t.Probe(&after)
		}
		if !known {
			return p, false
		}
		p.margins = append(p.margins, -m)
	}
	if len(p.margins) == 0 {
		return p, false
	}
	p.best = slices.Max(p.margins)
	return p, true
}
