package riokadalis

import (
	"fmt"
	"strconv"

	"kiothi/env/mancala"
)

// This file is the texts of positions and moves (rules, sections 4.2 and 5).

// Format returns a position's text.
func (g *Game) Format(s *mancala.State) string { return g.board.Format(s) }

// Parse reads a position. Any hole may be closed, although in a competition only the leftmost ones of one player are.
func (g *Game) Parse(position string) (mancala.State, error) {
	s, err := g.board.Parse(position)
	if err != nil {
		return mancala.State{}, err
	}
	s.End = g.end(&s)
	return s, nil
}

// ActionText returns the letter of the hole that an action lifts, or the id of an action that does not exist.
func (g *Game) ActionText(s *mancala.State, a mancala.Action) string {
	if a < 0 || int(a) >= g.rules.Holes {
		return strconv.Itoa(int(a))
	}
	return string(mancala.PitName(mancala.Absolute(s.Player, int(a), g.rules.Holes), g.rules.Holes))
}

// ParseAction reads the letter of an own hole.
func (g *Game) ParseAction(s *mancala.State, text string) (mancala.Action, error) {
	first := mancala.PitName(mancala.Absolute(s.Player, 0, g.rules.Holes), g.rules.Holes)
	if len(text) == 1 {
		if pit, ok := mancala.PitByName(rune(text[0]), g.rules.Holes); ok {
			if r := mancala.Relative(s.Player, pit, g.rules.Holes); r < g.rules.Holes {
				return mancala.Action(r), nil
			}
			return 0, fmt.Errorf("hole %s is not %s's: expected one of %c to %c", text, s.Player, first, first+byte(g.rules.Holes)-1)
		}
	}
	return 0, fmt.Errorf("there is no hole %q: expected one of %c to %c", text, first, first+byte(g.rules.Holes)-1)
}

// ParseTurn reads the letter of a hole that may be lifted: a turn is one action.
func (g *Game) ParseTurn(s *mancala.State, text string) ([]mancala.Action, error) {
	a, err := g.ParseAction(s, text)
	if err != nil {
		return nil, err
	}
	if s.Over() || s.Rows[s.Player].At(int(a)) == 0 {
		return nil, g.refuse(s, a)
	}
	return []mancala.Action{a}, nil
}

// TurnText returns the text of a turn, which is that of its only action.
func (g *Game) TurnText(s *mancala.State, turn []mancala.Action) string {
	if len(turn) != 1 {
		return fmt.Sprint(turn)
	}
	return g.ActionText(s, turn[0])
}
