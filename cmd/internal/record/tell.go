package record

import (
	"fmt"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file says in words what was played and how it ended.

// Outcome says what the turn did beyond moving seeds, each part after a comma, such as ", 3 laps, wins 4".
func (t *Turn) Outcome() string {
	text := ""
	if t.Effects.Laps > 1 {
		text += fmt.Sprintf(", %d laps", t.Effects.Laps)
	}
	if n := t.Effects.Captured[t.Mover]; n > 0 {
		text += fmt.Sprintf(", wins %d", n)
	}
	if n := t.Effects.Captured[t.Mover.Other()]; n > 0 {
		text += fmt.Sprintf(", gives %d away", n)
	}
	if t.Effects.Cut {
		text += ", cut at the lap limit"
	}
	return text
}

// Warrior reports whether a game of Kiothi was won by exactly two seeds, which the Meru count double (rules, section 2.5). Rio
// Kadalis has no such victory.
func Warrior(g mancala.Game, s *mancala.State) bool {
	if _, rio := g.(*riokadalis.Game); rio || !s.Over() {
		return false
	}
	m := mancala.Margin(g, s, mancala.South)
	return m == 2 || m == -2
}

// Warrior reports whether the game ended in a warrior's victory.
func (r *Record) Warrior() bool {
	s := r.State()
	return Warrior(r.game, &s)
}

// Standing says how a competition stands: its round, what the players own, and the end when it has come. It is empty for a
// single game.
func (r *Record) Standing() string { return r.now.standing() }

// StandingBefore says what Standing did before the last turn, for those who still show that turn.
func (r *Record) StandingBefore() string {
	if len(r.turns) == 0 {
		return r.Standing()
	}
	return r.turns[len(r.turns)-1].before.standing()
}

func (p *place) standing() string {
	match := &p.match
	if match.Game() == nil {
		return ""
	}
	owned := match.Holdings()
	text := fmt.Sprintf("Round %d of at most %d: South owns %d stones, North %d", match.Round(), match.MaxRounds(), owned[0], owned[1])
	if match.End() == riokadalis.Undecided {
		return text + "."
	}
	result := "a draw"
	if winner, ok := match.Winner(); ok {
		result = winner.String() + " wins"
	}
	return fmt.Sprintf("%s. The competition is over (%s): %s.", text, match.End(), result)
}
