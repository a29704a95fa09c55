package enginetest

import (
	"strings"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// TestParseCases checks that a file of cases that does not say what it should is refused, instead of passing unread.
func TestParseCases(t *testing.T) {
	cases, err := parseCases("# a comment\n\ncase one\nrules standard\nposition P\nplay a\nexpect over no\n\n\ncase two\nrefused x\n")
	if err != nil || len(cases) != 2 {
		t.Fatalf("found %d cases, %v", len(cases), err)
	}
	if c := cases[0]; c.title != "one" || c.rules != "standard" || c.position != "P" || len(c.steps) != 2 || c.line != 3 {
		t.Errorf("found %+v", c)
	}
	for text, want := range map[string]string{
		"rules standard\n":                   `line 1: expected a blank line and then a title`,
		"case\nexpect over no\n":             `line 1: expected a blank line and then a title`,
		"case a\nexpect over no\ncase b\n":   `line 3: expected rules, position, play, expect or refused, found "case"`,
		"case a\nexpects over no\n":          `line 2: expected rules, position, play, expect or refused, found "expects"`,
		"case a\nplay b\n":                   `the case "a" expects nothing`,
		"case a\nexpect over no\n\nplay b\n": `line 4: expected a blank line and then a title`,
	} {
		if _, err := parseCases(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found error %v, expected one that says %q", text, err, want)
		}
	}
}

// TestExpectationsCanFail checks each expectation with what is so and with what is not.
func TestExpectationsCanFail(t *testing.T) {
	g, err := riokadalis.New("standard")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.Parse("0,2,3,0,0,0/1,0,0,0,0,0 - 20-22 S sow 5")
	if err != nil {
		t.Fatal(err)
	}
	run := caseRun{game: g, state: s}
	if err := run.play("b A"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ holds, fails string }{
		{"position 0,0,0,1,0,0/0,1,0,0,0,0 - 24-22 S sow 1", "position 0,0,0,1,0,0/0,1,0,0,0,0 - 24-22 S sow 2"},
		{"pits 0,0,0,1,0,0/0,1,0,0,0,0", "pits 0,0,0,1,0,0/0,0,1,0,0,0"},
		{"marks -", "marks a"},
		{"side S", "side N"},
		{"phase sow", "phase lift"},
		{"clock 1", "clock 0"},
		{"stores 24-22", "stores 22-24"},
		{"captured 0-0", "captured 4-0"},
		{"laps 1", "laps 2"},
		{"cut no", "cut yes"},
		{"over no", "over stuck"},
		{"legal d", "legal a"},
		{"only d", "only"},
		{"illegal a the hole is empty", "illegal a the hole is closed"},
		{"illegal 6 no such action", "illegal d the hole is empty"},
		{"laps 1", "lap 1"},
		{"illegal b empty", "illegal b"},
	} {
		if err := run.expect(c.holds); err != nil {
			t.Errorf("%q should hold: %v", c.holds, err)
		}
		if err := run.expect(c.fails); err == nil {
			t.Errorf("%q should fail", c.fails)
		}
	}
}

// TestCasePlaysTurnsActionsAndIDs plays the same hole in each way to say it.
func TestCasePlaysTurnsActionsAndIDs(t *testing.T) {
	g, err := riokadalis.New("standard")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"b", "1"} {
		run := caseRun{game: g, state: g.Start()}
		if err := run.play(text); err != nil || run.state.Player != mancala.North {
			t.Errorf("%q: %v", text, err)
		}
	}
	run := caseRun{game: g, state: g.Start()}
	for _, text := range []string{"B", "6", "?"} {
		if err := run.play(text); err == nil {
			t.Errorf("%q was played", text)
		}
	}
}
