package enginetest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kiothi/env/mancala"
)

// This file runs cases written by hand. A case is a block of lines, blocks are separated by blank lines, and a line that
// begins with # is a comment:
//
//	case 3.2 Binikh: a last stone that makes four wins them for the mover
//	rules standard
//	position 0,3,0,0,0,0/1,0,0,0,0,0 - 20-24 S sow 7
//	play b
//	expect pits 0,0,1,1,1,0/1,0,0,0,0,0
//	expect captured 0-0
//
// The title says which sentence of the rules the case is about. Without rules the game's default set is played, and
// without a position the game from its start. Lines that play and expect follow in any number and order. play takes
// texts of turns or of single actions, or action ids. What can be expected:
//
//	pits, marks, side, phase, clock TEXT   that field of the position
//	position TEXT                          the whole position
//	stores S-N                             the stores, final when the game is over
//	captured S-N, laps N, cut yes|no       what the turn played last did
//	over stuck|exhausted|no                whether and why the game is over
//	legal A B …                            these actions are legal
//	only A B …                             these actions and no others are legal
//	illegal A REASON                       the action is refused, for a reason that contains REASON
//
// A case may end with a line "refused TEXT" in place of any play: then its rules or its position are not accepted, with
// an error that contains TEXT.

// A testCase is one block.
type testCase struct {
	line                   int // of its title
	title, rules, position string
	steps                  []caseStep
}

// A caseStep is a line that plays or expects.
type caseStep struct {
	line       int
	verb, rest string // "play", "expect" or "refused", and what follows
}

// Cases runs every case of the files that match pattern and returns how many there are. Titles are unique.
func Cases(t *testing.T, open Opener, pattern string) int {
	titles := map[string]bool{}
	for _, path := range files(t, pattern) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := parseCases(string(data))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, c := range cases {
			if titles[c.title] {
				t.Errorf("%s:%d: a second case has the title %q", path, c.line, c.title)
			}
			titles[c.title] = true
			t.Run(c.title, func(t *testing.T) { runCase(t, open, filepath.Base(path), &c) })
		}
	}
	return len(titles)
}

// parseCases reads a file of cases.
func parseCases(text string) ([]testCase, error) {
	var cases []testCase
	inside := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		switch {
		case line == "":
			inside = false
		case line[0] == '#':
		case verb == "case" && rest != "" && !inside:
			cases = append(cases, testCase{line: i + 1, title: rest})
			inside = true
		case !inside:
			return nil, fmt.Errorf("line %d: expected a blank line and then a title, \"case …\"", i+1)
		default:
			c := &cases[len(cases)-1]
			switch verb {
			case "rules":
				c.rules = rest
			case "position":
				c.position = rest
			case "play", "expect", "refused":
				c.steps = append(c.steps, caseStep{i + 1, verb, rest})
			default:
				return nil, fmt.Errorf("line %d: expected rules, position, play, expect or refused, found %q", i+1, verb)
			}
		}
	}
	for _, c := range cases {
		if !slices.ContainsFunc(c.steps, func(s caseStep) bool { return s.verb != "play" }) {
			return nil, fmt.Errorf("line %d: the case %q expects nothing", c.line, c.title)
		}
	}
	return cases, nil
}

// A caseRun is a case while it runs.
type caseRun struct {
	game  mancala.Game
	state mancala.State
	turn  mancala.Turn // what the turn played last did
}

// runCase runs one case.
func runCase(t *testing.T, open Opener, file string, c *testCase) {
	g, err := open(c.rules)
	run := caseRun{game: g}
	if err == nil {
		if run.state = g.Start(); c.position != "" {
			run.state, err = g.Parse(c.position)
		}
	}
	if last := c.steps[len(c.steps)-1]; last.verb == "refused" {
		if len(c.steps) > 1 || err == nil || !strings.Contains(err.Error(), last.rest) {
			t.Fatalf("%s:%d: expected a refusal that says %q, found: %v", file, last.line, last.rest, err)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s:%d: %v", file, c.line, err)
	}
	if text := g.Format(&run.state); c.position != "" && text != c.position {
		t.Errorf("%s:%d: the position prints back as %q", file, c.line, text)
	}
	for _, step := range c.steps {
		do := run.play
		if step.verb == "expect" {
			do = run.expect
		}
		if err := do(step.rest); err != nil {
			t.Fatalf("%s:%d: %s %s: %v\nposition: %s", file, step.line, step.verb, step.rest, err, g.Format(&run.state))
		}
	}
}

// play plays texts of turns and single actions, or ids, from both chairs.
func (r *caseRun) play(texts string) error {
	for text := range strings.FieldsSeq(texts) {
		actions, err := r.actions(text)
		if err != nil {
			return err
		}
		r.turn = mancala.Turn{}
		for _, a := range actions {
			turn, err := playBothSides(r.game, &r.state, a)
			if err != nil {
				return err
			}
			r.turn = turn
		}
	}
	return nil
}

// actions reads the text of a turn, of an action, or an id.
func (r *caseRun) actions(text string) ([]mancala.Action, error) {
	if id, err := strconv.Atoi(text); err == nil {
		return []mancala.Action{mancala.Action(id)}, nil
	}
	return r.game.ParseTurn(&r.state, text)
}

// action reads the text of an action, or an id.
func (r *caseRun) action(text string) (mancala.Action, error) {
	if id, err := strconv.Atoi(text); err == nil {
		return mancala.Action(id), nil
	}
	return r.game.ParseAction(&r.state, text)
}

// expect checks one expectation.
func (r *caseRun) expect(text string) error {
	what, want, _ := strings.Cut(text, " ")
	want = strings.TrimSpace(want)
	switch what {
	case "legal", "only":
		return r.expectLegal(strings.Fields(want), what == "only")
	case "illegal":
		action, reason, _ := strings.Cut(want, " ")
		return r.expectIllegal(action, strings.TrimSpace(reason))
	}
	got, err := r.value(what)
	if err == nil && got != want {
		err = fmt.Errorf("found %s", got)
	}
	return err
}

// value returns what a case can expect, as text.
func (r *caseRun) value(what string) (string, error) {
	position := r.game.Format(&r.state)
	fields := strings.Split(position, " ")
	switch what {
	case "position":
		return position, nil
	case "pits", "marks", "side", "phase", "clock":
		index := map[string]int{"pits": 0, "marks": 1, "side": 3, "phase": 4, "clock": 5}
		return fields[index[what]], nil
	case "stores":
		final := r.game.Final(&r.state)
		return fmt.Sprintf("%d-%d", final[0], final[1]), nil
	case "captured":
		return fmt.Sprintf("%d-%d", r.turn.Captured[0], r.turn.Captured[1]), nil
	case "laps":
		return strconv.Itoa(int(r.turn.Laps)), nil
	case "cut":
		return map[bool]string{true: "yes", false: "no"}[r.turn.Cut], nil
	case "over":
		if !r.state.Over() {
			return "no", nil
		}
		return r.state.End.String(), nil
	}
	return "", fmt.Errorf("nothing is called %q", what)
}

// expectLegal checks that actions are legal, and with only, that no others are.
func (r *caseRun) expectLegal(texts []string, only bool) error {
	legal := r.game.AppendLegal(nil, &r.state)
	var listed []string
	for _, a := range legal {
		listed = append(listed, r.game.ActionText(&r.state, a))
	}
	for _, text := range texts {
		a, err := r.action(text)
		if err != nil {
			return err
		}
		if !slices.Contains(legal, a) {
			return fmt.Errorf("%s is not legal; legal are %v", text, listed)
		}
	}
	if only && len(texts) != len(legal) {
		return fmt.Errorf("legal are %v", listed)
	}
	return nil
}

// expectIllegal checks that an action is refused for a reason, and that this changes nothing.
func (r *caseRun) expectIllegal(text, reason string) error {
	a, err := r.action(text)
	if err != nil {
		return err
	}
	s := r.state
	_, err = playBothSides(r.game, &s, a)
	var illegal *mancala.IllegalError
	if !errors.As(err, &illegal) {
		return fmt.Errorf("found error %v, expected an *IllegalError", err)
	}
	if reason == "" || !strings.Contains(illegal.Reason, reason) {
		return fmt.Errorf("the reason is %q", illegal.Reason)
	}
	return nil
}
