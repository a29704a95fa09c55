package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the line of a batch, for programs that keep games in files as well, and how it is read.

// A Line is a game as a batch reads it. Its JSON form is a line of a batch.
type Line struct {
	Game     string           `json:"game"`
	Rules    string           `json:"rules,omitempty"`    // empty: the game's default set
	Position string           `json:"position,omitempty"` // empty: the game's start
	Actions  []mancala.Action `json:"actions"`
	// Truncated says that the game was cut short: it is an error in the line of a game that is over.
	Truncated bool `json:"truncated,omitempty"`
	// MaxRounds says, in the line of a competition's first round, how many rounds it has at most. 0 says nothing.
	MaxRounds int `json:"max_rounds,omitempty"`
	// Note is for people, such as who played; it has no part in the game.
	Note string `json:"note,omitempty"`
}

// ParseLine reads a line as Batch does, with the same errors. Whether there is such a game, and whether its actions are
// legal, is left open.
func ParseLine(line []byte) (Line, error) {
	if len(line) == 0 {
		return Line{}, fmt.Errorf("the line is not a JSON object such as %s: it is empty", example)
	}
	l, hasPosition, err := readLine(line)
	if err != nil {
		return Line{}, err
	}
	if hasPosition && l.Position == "" {
		return Line{}, fmt.Errorf("the field %q is empty: leave it out or give it a position", "position")
	}
	return l, nil
}

// readLine reads a line, and tells whether a position is given, which may be empty. Unlike encoding/json alone, it takes the
// names of the fields literally and refuses unknown ones, nulls, and a field that is given twice, so that a slip of the hand
// is not taken for something that was not meant.
func readLine(text []byte) (l Line, hasPosition bool, err error) {
	var actions []actionID
	fields := []struct {
		name     string
		required bool
		expected string
		into     any
	}{
		{"game", true, "a string", &l.Game},
		{"rules", false, "a string", &l.Rules},
		{"position", false, "a string", &l.Position},
		{"actions", true, "an array of action ids", &actions},
		{"truncated", false, "a truth value", &l.Truncated},
		{"max_rounds", false, "a whole number", &l.MaxRounds},
		{"note", false, "a string", &l.Note},
	}
	given, err := readFields(text)
	if err != nil {
		return Line{}, false, err
	}
	_, hasPosition = given["position"]
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.name
		value, ok := given[field.name]
		if !ok {
			if field.required {
				return Line{}, false, fmt.Errorf("the field %q is missing", field.name)
			}
			continue
		}
		if string(value) == "null" {
			return Line{}, false, fmt.Errorf("the field %q is null: leave it out or give it a value", field.name)
		}
		if err := json.Unmarshal(value, field.into); err != nil {
			if mistyped := (*json.UnmarshalTypeError)(nil); errors.As(err, &mistyped) {
				err = fmt.Errorf("found %s, expected %s", kindOf(value), field.expected)
			}
			return Line{}, false, fmt.Errorf("the field %q: %w", field.name, err)
		}
		delete(given, field.name)
	}
	if len(given) > 0 {
		return Line{}, false, choice.Unknown("field", slices.Min(slices.Collect(maps.Keys(given))), names)
	}
	if l.MaxRounds < 0 {
		return Line{}, false, fmt.Errorf("the field %q: found %d, expected the number of rounds of a competition", "max_rounds", l.MaxRounds)
	}
	l.Actions = make([]mancala.Action, len(actions))
	for i, a := range actions {
		l.Actions[i] = mancala.Action(a)
	}
	return l, hasPosition, nil
}

// example is what an error about a line shows.
const example = `{"game":"kiothi","rules":"mancala-world","actions":[604]}`

// readFields takes a JSON object apart.
func readFields(line []byte) (map[string]json.RawMessage, error) {
	var whole json.RawMessage // checked as a whole, so that the tokens below cannot fail
	if err := json.Unmarshal(line, &whole); err != nil {
		return nil, fmt.Errorf("the line is not a JSON object such as %s: %w", example, err)
	}
	if line[0] != '{' {
		return nil, fmt.Errorf("the line is not a JSON object such as %s: found %s", example, kindOf(line))
	}
	tokens := json.NewDecoder(bytes.NewReader(line))
	if _, err := tokens.Token(); err != nil { // the opening brace
		return nil, err
	}
	given := map[string]json.RawMessage{}
	for tokens.More() {
		token, err := tokens.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string) // a key of an object
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("the field %q is given twice", choice.Cut(name))
		}
		var value json.RawMessage
		if err := tokens.Decode(&value); err != nil {
			return nil, err
		}
		given[name] = value
	}
	return given, nil
}

// kindOf says what a JSON value is.
func kindOf(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a number"
}

// An actionID is an action as a batch holds it: a whole number. (Into a plain number, encoding/json reads null as 0.)
type actionID mancala.Action

// UnmarshalJSON implements json.Unmarshaler.
func (a *actionID) UnmarshalJSON(text []byte) error {
	id, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil {
		return fmt.Errorf("found %.40s, expected an action id, a whole number such as 604", text)
	}
	*a = actionID(id)
	return nil
}
