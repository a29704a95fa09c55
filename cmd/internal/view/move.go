package view

import (
	"encoding/json"
	"strconv"
	"strings"

	"kiothi/agent/engine/protocol"
	"kiothi/env/mancala"
)

// This file is a move as the caller says it.

// longestMove is the length of the longest text that is taken for a move, in bytes. An opening turn that is written step by
// step takes three for each of sixty seeds and two pits.
const longestMove = 200

// A Move is a text of the rules, or the number of an action.
type Move struct {
	text   string
	action mancala.Action
	number bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Move) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &m.text)
	}
	m.number = true
	if err := json.Unmarshal(text, &m.action); err != nil {
		return Argument("move", "move %s: expected a text such as \"e3\", or the number of an action", text)
	}
	return nil
}

// String returns the move as it was said.
func (m *Move) String() string {
	switch {
	case m == nil:
		return "nothing"
	case m.number:
		return strconv.Itoa(int(m.action))
	}
	return m.text
}

// Actions returns the actions of a move in a state: of a text, one turn or a part of one, in one word or in several. Those of a
// text are legal; a number is for the engine to judge.
func (m *Move) Actions(g mancala.Game, s *mancala.State) ([]mancala.Action, error) {
	switch {
	case m == nil:
		return nil, Argument("move", "expected a move: a text such as \"e3\", or the number of an action")
	case m.number:
		return []mancala.Action{m.action}, nil
	case len(m.text) > longestMove:
		return nil, Argument("move", "move: a text of %d bytes is none", len(m.text))
	}
	var all []mancala.Action
	now := *s
	for i, word := range strings.Split(m.text, " ") {
		if i > 0 && protocol.TurnDone(&now, s.Player) {
			return nil, Argument("move", "move %q: expected one turn, found %q after it", m.text, word)
		}
		actions, err := g.ParseTurn(&now, word)
		if err != nil {
			return nil, &ArgumentError{Field: "move", Err: err}
		}
		for _, a := range actions {
			if _, err := g.Play(&now, a); err != nil {
				return nil, err
			}
		}
		all = append(all, actions...)
	}
	return all, nil
}
