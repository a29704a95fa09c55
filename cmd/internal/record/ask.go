package record

import (
	"context"
	"fmt"
	"strings"

	"kiothi/agent"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file asks agents: for the turn to play here, and what they think of the position.

// A Seat is a player at the board.
type Seat struct {
	Name  string
	Agent agent.Agent // nil: whoever sits at the keyboard
}

// Human reports whether nobody but a human decides for the seat.
func (s *Seat) Human() bool { return s.Agent == nil }

// Ask returns a question to an agent: what it would play where the record stands now, up to where the other player is to
// move. The answer can be awaited elsewhere while the record changes. Chance is drawn from the run's seed, so that the same
// position in the same game gets the same answer.
func (r *Record) Ask(seat Seat, run uint64) func(context.Context) ([]mancala.Action, error) {
	g, s, game, ply := r.game, r.State(), uint64(r.Round()-1), uint64(r.Plies())
	return func(ctx context.Context) ([]mancala.Action, error) {
		// Whoever plays a whole turn may plan it as one. What an agent remembers of earlier turns would not survive an undo.
		chooser := agent.Start(seat.Agent)
		defer agent.End(seat.Agent, chooser)
		player, next := s.Player, s
		var actions []mancala.Action
		for !next.Over() && next.Player == player {
			rng := seed.Rand(run, seed.Match, game, uint64(player), ply+uint64(len(actions)))
			action, err := chooser.Choose(ctx, &next, rng)
			if err == nil {
				_, err = g.Play(&next, action)
			}
			if err != nil {
				return nil, fmt.Errorf("agent %s as %s at position %q: %w", seat.Name, player, g.Format(&next), err)
			}
			actions = append(actions, action)
		}
		return actions, nil
	}
}

// longestLine is the number of turns of a principal variation that are told.
const longestLine = 8

// Describe says in two lines what an agent makes of a state: its chances and margin for the player to move, and the line
// that it expects.
func Describe(g mancala.Game, s mancala.State, advice *agent.Advice) (chances, line string) {
	chances = fmt.Sprintf("%s wins %.0f%%, draws %.0f%%, loses %.0f%%; expected margin %+.1f",
		s.Player, 100*advice.Win, 100*advice.Draw, 100*advice.Loss, advice.Margin)
	var turns []string
	for rest := advice.Line; len(rest) > 0 && len(turns) < longestLine; {
		before, n := s, 0
		for n < len(rest) && s.Player == before.Player && !s.Over() {
			if _, err := g.Play(&s, rest[n]); err != nil {
				return chances, fmt.Sprintf("best line: broken (%v)", err)
			}
			n++
		}
		if n == 0 {
			break
		}
		text := g.TurnText(&before, rest[:n])
		if s.Player == before.Player && !s.Over() {
			text += "..." // the search ends in the middle of an opening turn
		}
		turns = append(turns, text)
		rest = rest[n:]
	}
	return chances, "best line: " + strings.Join(turns, " ")
}
