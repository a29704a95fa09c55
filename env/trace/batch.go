package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the batch: a game a line in, its states or its error a line out.

// MaxLine is the longest line of a batch, in bytes with its end. It holds a game of two million actions; a longer line is answered
// with an error and skipped, so that no input can exhaust the memory.
const MaxLine = 16 << 20

// An Opener opens a game by its name under a rule set, as text.
type Opener func(game, rules string) (mancala.Game, error)

// A job is one line of a batch.
type job struct {
	game, rules string
	position    string
	start       bool // no position is given: play from the start
	actions     []mancala.Action
	truncated   bool // the game was cut short
	maxRounds   int  // of the competition that begins here; 0 is none
	note        string
}

// A failure is the answer to a line that cannot be played to its end.
type failure struct {
	Error string `json:"error"`
	Ply   int    `json:"ply"` // actions played before the failing one
}

// Batch answers each line of r, {"game":…,"rules":…,"position":…,"actions":[…]}, with a line on w: the JSON array of the
// game's steps, or {"error":…,"ply":…} when the line cannot be read or holds an illegal action. Without rules, the
// game's default set is played, and without a position, the game from its start. "truncated":true marks a game that was
// cut short, which must not be over after its actions, "max_rounds" the first round of a competition, and a "note" is for
// people. Blank lines are skipped. Each answer is written before the next line is read. Batch returns the number of lines that
// failed, and an error when r cannot be read or w not be written.
func Batch(r io.Reader, w io.Writer, open Opener) (failed int, err error) {
	in, out := bufio.NewReaderSize(r, 64<<10), bufio.NewWriterSize(w, 64<<10)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // the text of an action may hold a ">"
	player := &player{open: open}
	for number := 1; ; number++ {
		line, long, readErr := readLine(in)
		if readErr != nil && readErr != io.EOF {
			return failed, fmt.Errorf("reading line %d of the batch: %w", number, readErr)
		}
		var answer any
		if long {
			answer = failure{Error: fmt.Sprintf("the line is longer than %d bytes", MaxLine)}
		} else if len(line) > 0 {
			answer = player.play(line)
		}
		if _, ok := answer.(failure); ok {
			failed++
		}
		if answer != nil {
			err := encoder.Encode(answer)
			if err == nil {
				err = out.Flush()
			}
			if err != nil {
				return failed, fmt.Errorf("writing the answer to line %d of the batch: %w", number, err)
			}
		}
		if readErr == io.EOF {
			return failed, nil
		}
	}
}

// readLine reads up to a line feed or the end, without the white space around the line. A line longer than MaxLine is
// read to its end and reported as long.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > MaxLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSpace(line), long, err
		}
	}
}

// A player plays jobs. It keeps the game opened last, because neighbouring lines are mostly of one game.
type player struct {
	open        Opener
	game, rules string
	opened      mancala.Game
}

// play returns the answer to a line: the steps, or a failure.
func (p *player) play(line []byte) any {
	steps, err := p.steps(line)
	if err == nil {
		return steps
	}
	answer := failure{Error: shortened(err.Error())}
	var illegal *Error
	if errors.As(err, &illegal) {
		answer.Ply = illegal.Ply
	}
	return answer
}

// shortened leaves out the middle of a long error, one that shows what a line holds, such as a position of megabytes. What is
// wrong is said before or after it.
func shortened(text string) string {
	const half = 500 // bytes
	if len(text) <= 2*half {
		return text
	}
	return strings.ToValidUTF8(text[:half]+" ... "+text[len(text)-half:], "?")
}

// steps reads a line and plays its game.
func (p *player) steps(line []byte) ([]Step, error) {
	job, err := parseJob(line)
	if err != nil {
		return nil, err
	}
	if p.opened == nil || job.game != p.game || job.rules != p.rules {
		if p.opened, err = p.open(job.game, job.rules); err != nil {
			return nil, err
		}
		p.game, p.rules = job.game, job.rules
	}
	start := p.opened.Start()
	if !job.start {
		if start, err = p.opened.Parse(job.position); err != nil {
			return nil, err
		}
	}
	steps, err := Play(p.opened, start, job.actions)
	if last := steps[len(steps)-1]; err == nil && job.truncated && last.Over {
		return nil, fmt.Errorf("the game is marked as truncated, but it is over (%s)", last.Reason)
	}
	return steps, err
}

// parseJob reads a line. Unlike encoding/json alone, it takes the names of the fields literally and refuses unknown ones,
// nulls, and a field that is given twice, so that a slip of the hand is not taken for something that was not meant.
func parseJob(line []byte) (job, error) {
	j := job{start: true}
	var actions []actionID
	fields := []struct {
		name     string
		required bool
		expected string
		into     any
	}{
		{"game", true, "a string", &j.game},
		{"rules", false, "a string", &j.rules},
		{"position", false, "a string", &j.position},
		{"actions", true, "an array of action ids", &actions},
		{"truncated", false, "a truth value", &j.truncated},
		{"max_rounds", false, "a whole number", &j.maxRounds},
		{"note", false, "a string", &j.note},
	}
	given, err := readFields(line)
	if err != nil {
		return j, err
	}
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.name
		value, ok := given[field.name]
		if !ok {
			if field.required {
				return j, fmt.Errorf("the field %q is missing", field.name)
			}
			continue
		}
		if string(value) == "null" {
			return j, fmt.Errorf("the field %q is null: leave it out or give it a value", field.name)
		}
		if err := json.Unmarshal(value, field.into); err != nil {
			if mistyped := (*json.UnmarshalTypeError)(nil); errors.As(err, &mistyped) {
				err = fmt.Errorf("found %s, expected %s", kindOf(value), field.expected)
			}
			return j, fmt.Errorf("the field %q: %w", field.name, err)
		}
		delete(given, field.name)
		j.start = j.start && field.name != "position"
	}
	if len(given) > 0 {
		return j, choice.Unknown("field", slices.Min(slices.Collect(maps.Keys(given))), names)
	}
	if j.maxRounds < 0 {
		return j, fmt.Errorf("the field %q: found %d, expected the number of rounds of a competition", "max_rounds", j.maxRounds)
	}
	j.actions = make([]mancala.Action, len(actions))
	for i, a := range actions {
		j.actions[i] = mancala.Action(a)
	}
	return j, nil
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
