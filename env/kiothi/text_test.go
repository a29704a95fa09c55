package kiothi_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
)

// This file tests the texts of moves, positions and rule sets, on examples and by fuzzing.

// mustNew opens a game.
func mustNew(tb testing.TB, rules string) *kiothi.Game {
	tb.Helper()
	g, err := kiothi.New(rules)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func TestParseTurnRefuses(t *testing.T) {
	const start = "0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0"
	const lifted = "0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0"
	const sowing = "0,0,3,0,0,2,0,0,0,0/1,0,0,0,0,0,0,0,0,0 - 0-0 S sow 0"
	for _, c := range []struct{ position, text, want string }{
		{start, "", "expected an action, such as e3, e, +e, = or >c"},
		{start, "+", "expected an action"},
		{start, "+ef", "expected one pit after the +"},
		{start, ">c2", "expected one pit after the >"},
		{start, ">+c", "expected one pit after the >"},
		{start, "+E", "pit E is not South's"},
		{start, "+k", `there is no pit 'k', they are a to j and A to J`},
		{start, "e", "nothing is sown before both players have made their opening turns"},
		{start, ":a10", "expected the lifted pits before the colon"},
		{start, "eh:", "10 seeds must still be placed"},
		{start, "eh:a9", "1 seed must still be placed"},
		{start, "eh:a11", "places more seeds than it lifts"},
		{start, "eh:a3a7", "each once"},
		{start, "eh:J5a5", "in order"},
		{start, "eh:a3b", `"b": the number of seeds: "" is not a whole number`},
		{start, "eh:a0b10", "0 is not from 1 to 60"},
		{start, "eh:a03b7", `"03" is not a whole number`},
		{start, "eh:3a", "there is no pit '3'"},
		{start, "eh:k10", "there is no pit 'k'"},
		{start, "ek:a10", "there is no pit 'k'"},
		{start, "he:a10", "pits are lifted from left to right"},
		{start, "ehi:a15", "the 10 seeds in hand must be placed first"},
		{start, "e:a5", "lifting cannot stop at 1 lifted pits"},
		{start, "ee:a5", "e is not to the right of e"},
		{start, "aj:a5", "pit a is empty"},
		{start, "é", "there is no pit 'é', they are a to j and A to J"},
		{start, "+é", "there is no pit 'é'"},
		{start, "eé:a10", "there is no pit 'é'"},
		{start, "eh:a5é5", "there is no pit 'é'"},
		{start, "\xff3", "there is no pit '\uFFFD'"},
		{start, "help", `the number of seeds after pit h: "elp" is not a whole number`},
		{lifted, "h:a10", "none begins here"},
		{sowing, "c3:a1", "none begins here"},
		{sowing, "c3", "the first lap may not end in an occupied own pit"},
		{sowing, "c", "the first lap may not end in an occupied own pit"},
		{sowing, "a", "pit a is empty"},
		{sowing, "c0", "0 is not from 1 to 60"},
		{sowing, "c61", "61 is not from 1 to 60"},
		{sowing, "c-1", "not from 1 to 60"},
		{sowing, "c 1", "not a whole number"},
		{sowing, "A1", "pit A is not South's"},
	} {
		g := mustNew(t, "")
		s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if turn, err := g.ParseTurn(&s, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q at %s: found %v, %v, expected an error that says %q", c.text, c.position, turn, err, c.want)
		}
	}
}

func TestTurnText(t *testing.T) {
	for _, c := range []struct {
		rules, position, text string
		want                  []mancala.Action
	}{
		{"", "", "eh:a3c2J5", []mancala.Action{604, 607, 611, 611, 611, 613, 613, 630, 630, 630, 630, 630}},
		{"mancala-world,lifts=0+1", "", "e:J5", []mancala.Action{604, 630, 630, 630, 630, 630}},
		{"mancala-world,lifts=1+2", "", "j:a5", []mancala.Action{609, 610, 611, 611, 611, 611, 611}},
		{"wikipedia-it", "", "=", []mancala.Action{610}},
		{"", "0,0,3,0,0,2,0,0,0,0/1,0,0,0,0,0,0,0,0,0 - 0-0 S sow 0", "f2", []mancala.Action{301}},
		{"", "0,0,3,0,0,2,0,0,0,0/1,0,0,0,0,0,0,0,0,2 - 0-0 N sow 0", "J2", []mancala.Action{541}},
		{"", "0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0", "+h", []mancala.Action{607}},
		{"", "0,0,0,0,0,0,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S place(10) 0", ">B", []mancala.Action{622}},
	} {
		g := mustNew(t, c.rules)
		s := g.Start()
		if c.position != "" {
			var err error
			if s, err = g.Parse(c.position); err != nil {
				t.Fatal(err)
			}
		}
		got, err := g.ParseTurn(&s, c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q reads as %v, %v, expected %v", c.rules, c.text, got, err, c.want)
		}
		if text := g.TurnText(&s, c.want); text != c.text {
			t.Errorf("%s: %v prints as %q, expected %q", c.rules, c.want, text, c.text)
		}
	}
}

// An unfinished opening turn has no text of its own, so it is written action by action.
func TestTurnTextOfActionsWithinATurn(t *testing.T) {
	g := mustNew(t, "")
	s, err := g.Parse("0,0,0,0,0,0,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S place(2) 0")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.TurnText(&s, []mancala.Action{611, 630}), ">a >J"; got != want {
		t.Errorf("found %q, expected %q", got, want)
	}
}

// fuzzRules are rule sets that differ in every option that texts depend on.
var fuzzRules = []string{
	"mancala-world", "wikipedia-it", "mancala-world,lifts=0", "mancala-world-25,lifts=0+1+2,pickup=all",
	"mancala-world,start=1x10,lifts=1,protection=unmoved", "mancala-world,lifts=1+2,no_capture_limit=1",
}

func FuzzPosition(f *testing.F) {
	games := make([]*kiothi.Game, len(fuzzRules))
	for i, rules := range fuzzRules {
		games[i] = mustNew(f, rules)
		s := games[i].Start()
		f.Add(uint8(i), games[i].Format(&s))
	}
	for _, position := range []string{
		"0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0",
		"0,0,0,0,0,0,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S place(10) 0",
		"3,0,2,0,0,5,5,0,5,5/0,0,0,0,0,5,5,5,5,14 - 0-0 N place(1):J 0",
		"9,0,0,0,0,0,0,0,0,11/5,0,0,0,0,0,0,0,0,0 ajAJ 3-4 N sow 100",
	} {
		f.Add(uint8(0), position)
	}
	f.Fuzz(func(t *testing.T, which uint8, position string) {
		g := games[int(which)%len(games)]
		s, err := g.Parse(position)
		if err != nil {
			return
		}
		if back := g.Format(&s); back != position {
			t.Fatalf("%q prints back as %q", position, back)
		}
		enginetest.From(t, g, s, rand.New(rand.NewPCG(uint64(which), 0)), 3)
	})
}

func FuzzMove(f *testing.F) {
	positions := []string{
		"0,0,0,0,5,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift 0",
		"0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0",
		"3,0,2,0,0,5,5,0,5,5/0,0,0,0,0,5,0,5,5,14 - 0-0 N place(3):J 0",
		"9,0,3,0,0,0,0,0,0,11/5,0,0,0,0,0,0,0,0,0 ajAJ 3-4 S sow 9",
		"9,0,3,0,0,0,0,0,0,0/5,2,0,0,0,0,20,0,0,0 ajAJ 3-4 N sow 9",
	}
	g := mustNew(f, "mancala-world,lifts=0+1+2")
	for i := range positions {
		for _, text := range []string{"e3", "E3", "c", "+e", "=", ">c", ">J", "eh:a3c2J5", "e:J5"} {
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		s, err := g.Parse(positions[int(which)%len(positions)])
		if err != nil {
			t.Fatal(err)
		}
		if a, err := g.ParseAction(&s, text); err == nil {
			back := g.ActionText(&s, a)
			if again, err := g.ParseAction(&s, back); err != nil || again != a {
				t.Errorf("action %q prints back as %q, which reads as %d, %v, not %d", text, back, again, err, a)
			}
			if whole := len(text) == 1 && text != "="; back != text && !whole {
				t.Errorf("action %q prints back as %q", text, back)
			}
		}
		turn, err := g.ParseTurn(&s, text)
		if err != nil {
			return
		}
		back := g.TurnText(&s, turn)
		if whole := len(text) == 1 && text != "="; back != text && !whole {
			t.Errorf("turn %q prints back as %q", text, back)
		}
		if again, err := g.ParseTurn(&s, back); err != nil || !slices.Equal(again, turn) {
			t.Errorf("turn %q prints back as %q, which reads as %v, %v, not %v", text, back, again, err, turn)
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, rules := range append(fuzzRules, "", "mancala-world,bonus=run,start=4x6,lifts=2+0,first_lap=off,no_capture_limit=200") {
		f.Add(rules)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := kiothi.New(text)
		if err != nil {
			return
		}
		again, err := kiothi.New(g.Rules())
		if err != nil || again.Rules() != g.Rules() || again.RuleSet() != g.RuleSet() {
			t.Errorf("%q is written %q, which reads back as %v, %v", text, g.Rules(), again, err)
		}
		if s := g.Start(); s.Over() || s.Total() != g.Seeds() {
			t.Errorf("%q starts with %+v", text, s)
		}
	})
}
