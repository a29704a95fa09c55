package kiothi

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"kiothi/env/mancala"
)

// This file is the texts of actions and whole turns (rules, section 4.1).

// ActionText returns the text of an action, such as "e3", "+e", "=" or ">c", with the letters of the board as it is
// written for both players. An id that does not exist is written as a number.
func (g *Game) ActionText(s *mancala.State, a mancala.Action) string {
	switch {
	case a < 0 || a >= actions:
		return strconv.Itoa(int(a))
	case a < FirstLift:
		return pitName(s, int(a/SowStride)) + strconv.Itoa(int(a%SowStride)+1)
	case a < StopLifting:
		return "+" + pitName(s, int(a-FirstLift))
	case a == StopLifting:
		return "="
	}
	return ">" + pitName(s, int(a-FirstPlace))
}

// ParseAction reads the text of an action, legal or not. A letter alone sows the whole pit.
func (g *Game) ParseAction(s *mancala.State, text string) (mancala.Action, error) {
	rest := text
	placing, lifting := strings.HasPrefix(text, ">"), strings.HasPrefix(text, "+")
	if placing || lifting {
		rest = text[1:]
	}
	switch {
	case text == "=":
		return StopLifting, nil
	case rest == "":
		return 0, fmt.Errorf("move %q: expected an action, such as e3, e, +e, = or >c", text)
	case rest != text && utf8.RuneCountInString(rest) != 1:
		return 0, fmt.Errorf("move %q: expected one pit after the %c", text, text[0])
	}
	r, number, err := cutPit(s, rest)
	switch {
	case err != nil:
		return 0, fmt.Errorf("move %q: %w", text, err)
	case placing:
		return FirstPlace + mancala.Action(r), nil
	case r >= width:
		return 0, fmt.Errorf("move %q: pit %c is not %s's", text, rest[0], s.Player)
	case lifting:
		return FirstLift + mancala.Action(r), nil
	}
	k := s.Rows[s.Player&1].At(r)
	switch {
	case number != "":
		if k, err = mancala.Number(number, 1, mancala.MaxSeeds); err != nil {
			return 0, fmt.Errorf("move %q: the number of seeds after pit %c: %w", text, rest[0], err)
		}
	case k == 0:
		return 0, fmt.Errorf("move %q: pit %s is empty", text, rest)
	}
	return mancala.Action(SowStride*r + k - 1), nil
}

// cutPit returns the pit whose letter a text begins with, by the index that the player to move counts it with, and the
// rest of the text. The text is not empty.
func cutPit(s *mancala.State, text string) (r int, rest string, err error) {
	letter, size := utf8.DecodeRuneInString(text)
	pit, ok := mancala.PitByName(letter, width)
	if !ok {
		return 0, "", fmt.Errorf("there is no pit %q, they are a to j and A to J", letter)
	}
	return mancala.Relative(s.Player&1, pit, width), text[size:], nil
}

// TurnText returns the text of a whole turn that starts in s: an opening turn as the lifted pits, a colon, and the pits
// that receive seeds with their numbers, such as "eh:a3c2J5". Anything else than a whole turn is written action by action.
func (g *Game) TurnText(s *mancala.State, turn []mancala.Action) string {
	if len(turn) == 1 || s.Phase != mancala.Lift || s.Lifted != 0 {
		texts := make([]string, len(turn))
		for i, a := range turn {
			texts[i] = g.ActionText(s, a)
		}
		return strings.Join(texts, " ")
	}
	var lifts, places strings.Builder
	var placed [2 * width]int
	for _, a := range turn {
		switch {
		case a >= FirstPlace && a < actions:
			placed[a-FirstPlace]++
		case a >= FirstLift && a < StopLifting:
			lifts.WriteString(pitName(s, int(a-FirstLift)))
		}
	}
	for r, n := range placed {
		if n > 0 {
			places.WriteString(pitName(s, r) + strconv.Itoa(n))
		}
	}
	return lifts.String() + ":" + places.String()
}

// ParseTurn reads the text of a whole turn, or of a single action, and returns its actions in order. They are legal.
func (g *Game) ParseTurn(s *mancala.State, text string) ([]mancala.Action, error) {
	turn, err := g.turnActions(s, text)
	if err != nil {
		return nil, err
	}
	after := *s
	for _, a := range turn {
		if after.Player != s.Player {
			return nil, fmt.Errorf("turn %q: it places more seeds than it lifts", text)
		}
		if _, err := g.Play(&after, a); err != nil {
			return nil, err
		}
	}
	if strings.Contains(text, ":") && after.Player == s.Player {
		return nil, fmt.Errorf("turn %q: %s must still be placed", text, seeds(int(after.Hand)))
	}
	return turn, nil
}

// turnActions reads a turn without asking whether it is legal.
func (g *Game) turnActions(s *mancala.State, text string) ([]mancala.Action, error) {
	lifts, places, whole := strings.Cut(text, ":")
	if !whole {
		a, err := g.ParseAction(s, text)
		return []mancala.Action{a}, err
	}
	if s.Phase != mancala.Lift || s.Lifted != 0 {
		return nil, fmt.Errorf("turn %q: a turn with a colon is a whole opening turn, but none begins here", text)
	}
	if lifts == "" {
		return nil, fmt.Errorf("turn %q: expected the lifted pits before the colon", text)
	}
	var turn []mancala.Action
	for _, letter := range lifts {
		a, err := g.ParseAction(s, "+"+string(letter))
		if err != nil {
			return nil, fmt.Errorf("turn %q: %w", text, err)
		}
		turn = append(turn, a)
	}
	if len(turn) < g.rules.Lifts.Max() {
		turn = append(turn, StopLifting)
	}
	for places != "" {
		_, end := utf8.DecodeRuneInString(places)
		for end < len(places) && places[end] >= '0' && places[end] <= '9' {
			end++
		}
		a, n, err := parsePlaces(s, places[:end])
		if err != nil {
			return nil, fmt.Errorf("turn %q: %q: %w", text, places[:end], err)
		}
		if turn[len(turn)-1] >= a {
			return nil, fmt.Errorf("turn %q: %q: pits receive seeds in order, counter-clockwise from the own leftmost pit, each once", text, places[:end])
		}
		for range n {
			turn = append(turn, a)
		}
		places = places[end:]
	}
	return turn, nil
}

// parsePlaces reads a pit and the number of seeds that it receives, such as "J5".
func parsePlaces(s *mancala.State, text string) (a mancala.Action, n int, err error) {
	r, number, err := cutPit(s, text)
	if err != nil {
		return 0, 0, err
	}
	if n, err = mancala.Number(number, 1, mancala.MaxSeeds); err != nil {
		return 0, 0, fmt.Errorf("the number of seeds: %w", err)
	}
	return FirstPlace + mancala.Action(r), n, nil
}
