package trace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"kiothi/env/mancala"
)

// This file is the batch: a game a line in, its states or its error a line out.

// MaxLine is the longest line of a batch, in bytes with its end. It holds a game of two million actions; a longer line is answered
// with an error and skipped, so that no input can exhaust the memory.
const MaxLine = 16 << 20

// An Opener opens a game by its name under a rule set, as text.
type Opener func(game, rules string) (mancala.Game, error)

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
		line, long, readErr := nextLine(in)
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

// nextLine reads up to a line feed or the end, without the white space around the line. A line longer than MaxLine is
// read to its end and reported as long.
func nextLine(in *bufio.Reader) (line []byte, long bool, err error) {
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

// A player plays lines. It keeps the game opened last, because neighbouring lines are mostly of one game.
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
	l, hasPosition, err := readLine(line)
	if err != nil {
		return nil, err
	}
	if p.opened == nil || l.Game != p.game || l.Rules != p.rules {
		if p.opened, err = p.open(l.Game, l.Rules); err != nil {
			return nil, err
		}
		p.game, p.rules = l.Game, l.Rules
	}
	start := p.opened.Start()
	if hasPosition {
		if start, err = p.opened.Parse(l.Position); err != nil {
			return nil, err
		}
	}
	steps, err := Play(p.opened, start, l.Actions)
	if last := steps[len(steps)-1]; err == nil && l.Truncated && last.Over {
		return nil, fmt.Errorf("the game is marked as truncated, but it is over (%s)", last.Reason)
	}
	return steps, err
}
