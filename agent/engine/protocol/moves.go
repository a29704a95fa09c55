package protocol

import (
	"fmt"
	"slices"
	"strings"

	"kiothi/env/mancala"
)

// This file is positions and turns. A turn is a word in the text of the rules, section 4. What remains of an opening turn
// that is half done is the texts of its single actions, a word each.

// Position returns the command that sets a position.
func Position(g mancala.Game, s *mancala.State) string {
	if start := g.Start(); *s == start {
		return "position startpos"
	}
	return "position pos " + g.Format(s)
}

// positionFields is the number of words in the text of a position.
const positionFields = 6

// ParsePosition reads what stands after position.
func ParsePosition(g mancala.Game, words []string) (mancala.State, error) {
	if len(words) == 0 {
		return mancala.State{}, fmt.Errorf("position: expected startpos, or pos and a position, found nothing")
	}
	var s mancala.State
	rest := words[1:]
	switch words[0] {
	case "startpos":
		s = g.Start()
	case "pos":
		end := slices.Index(rest, "moves")
		if end < 0 {
			end = len(rest)
		}
		if end > positionFields { // without all the words in the error
			return mancala.State{}, fmt.Errorf("position: found %d words after pos, expected the %d of a position, and then moves", end, positionFields)
		}
		var err error
		if s, err = g.Parse(strings.Join(rest[:end], " ")); err != nil {
			return mancala.State{}, err
		}
		rest = rest[end:]
	default:
		return mancala.State{}, fmt.Errorf("position: expected startpos or pos, found %s", Shown(words[0]))
	}
	if len(rest) == 0 {
		return s, nil
	}
	if rest[0] != "moves" {
		return mancala.State{}, fmt.Errorf("position: expected moves or nothing more, found %s", Shown(rest[0]))
	}
	for i, word := range rest[1:] {
		if _, err := play(g, &s, word); err != nil {
			return mancala.State{}, fmt.Errorf("position: move %d: %w", i+1, err)
		}
	}
	return s, nil
}

// play plays a word of text, a turn or a single action, and returns its actions. When it cannot, the state is undefined.
func play(g mancala.Game, s *mancala.State, word string) ([]mancala.Action, error) {
	const longestTurn = 200 // bytes; an opening turn names each pit once
	if len(word) > longestTurn {
		return nil, fmt.Errorf("%s is no move", Shown(word))
	}
	if s.Over() {
		return nil, fmt.Errorf("%s: the game is over", Shown(word))
	}
	actions, err := g.ParseTurn(s, word)
	if err != nil {
		return nil, err
	}
	for _, a := range actions {
		if _, err := g.Play(s, a); err != nil {
			return nil, err
		}
	}
	return actions, nil
}

// ParseTurn reads the words of a bestmove: a whole turn from s, or what remains of one that is half done. It returns its
// actions, which are legal and end the turn.
func ParseTurn(g mancala.Game, s *mancala.State, words []string) ([]mancala.Action, error) {
	if len(words) == 0 {
		return nil, fmt.Errorf("expected a turn, found nothing")
	}
	after := *s
	var turn []mancala.Action
	for i, word := range words {
		if i > 0 && TurnDone(&after, s.Player) {
			return nil, fmt.Errorf("expected one turn, found %s after it", Shown(word))
		}
		actions, err := play(g, &after, word)
		if err != nil {
			return nil, err
		}
		turn = append(turn, actions...)
	}
	if !TurnDone(&after, s.Player) {
		return nil, fmt.Errorf("expected a whole turn, found a part: it leads to %q, in which %s must go on", g.Format(&after), after.Player)
	}
	return turn, nil
}

// TurnDone reports whether a player's turn is over in s.
func TurnDone(s *mancala.State, p mancala.Player) bool { return s.Over() || s.Player != p }

// Line writes actions from s as turns, as far as they are legal; of a last turn that is not complete, it leaves out what
// there is.
func Line(g mancala.Game, s *mancala.State, actions []mancala.Action) []string {
	var turns []string
	now := *s
	for begin := 0; begin < len(actions) && !now.Over(); {
		before, end := now, begin
		for end < len(actions) && !TurnDone(&now, before.Player) {
			if _, err := g.Play(&now, actions[end]); err != nil {
				return turns
			}
			end++
		}
		if !TurnDone(&now, before.Player) {
			return turns
		}
		turns = append(turns, g.TurnText(&before, actions[begin:end]))
		begin = end
	}
	return turns
}

// Result returns the answer to query result.
func Result(g mancala.Game, s *mancala.State) string {
	switch margin := mancala.Margin(g, s, mancala.South); {
	case !s.Over():
		return "none"
	case margin > 0:
		return "p1win"
	case margin < 0:
		return "p2win"
	}
	return "draw"
}
