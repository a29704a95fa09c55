package replay

import (
	"math"
	"strings"
	"testing"

	"kiothi/env/mancala"
)

func TestCheckTakesGamesByTheRules(t *testing.T) {
	for _, g := range games(t, 0, 50) {
		if err := g.Check(toy{}); err != nil {
			t.Error(err)
		}
		if err := play(t, g.Seed, 3).Check(toy{}); err != nil {
			t.Errorf("unfinished: %v", err)
		}
	}
}

func TestCheckTakesAnotherStart(t *testing.T) {
	g := &Game{Start: "1,0,0/0,0,1 - 5-7 S sow 0"}
	if err := g.Append(0, 0, 0, nil, nil); err != nil {
		t.Fatal(err)
	}
	last, err := toy{}.Parse("0,0,0/0,0,1 - 6-7 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	g.Finish(toy{}, &last)
	if err := g.Check(toy{}); err != nil {
		t.Error(err)
	}
	g.Start = "1,0,0"
	if err := g.Check(toy{}); err == nil || !strings.Contains(err.Error(), "game 0/0") {
		t.Errorf("Check of a start that is no position returned %v", err)
	}
}

func TestCheckNamesTheGameThePlyAndWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change func(g *Game)
		words  []string
	}{
		"illegal action":        {func(g *Game) { g.Plies[1].Action = 3 }, []string{"ply 1", "illegal action 3"}},
		"action after the end":  {func(g *Game) { g.Plies = append(g.Plies, Ply{end: uint32(len(g.policy))}) }, []string{"after the end"}},
		"value not a number":    {func(g *Game) { g.Plies[2].Value = float32(math.NaN()) }, []string{"ply 2", "NaN"}},
		"value infinite":        {func(g *Game) { g.Plies[2].Value = float32(math.Inf(-1)) }, []string{"ply 2", "-Inf"}},
		"value too large":       {func(g *Game) { g.Plies[2].Value = 1.5 }, []string{"ply 2", "1.5"}},
		"unknown flag":          {func(g *Game) { g.Plies[2].Flags |= 4 }, []string{"ply 2", "flags"}},
		"flag without a policy": {func(g *Game) { g.Plies[0].Flags = PolicyTarget; g.Plies[0].end = 0 }, []string{"ply 0", "policy of 0 actions"}},
		"policy without a flag": {func(g *Game) { g.Plies[0].Flags = 0; g.Plies[0].end = 1 }, []string{"ply 0", "policy of 1 actions"}},
		"weight off the mask":   {func(g *Game) { lastTarget(g)[0].Action = 3 }, []string{"action 3", "legal"}},
		"sum":                   {func(g *Game) { lastTarget(g)[0].Weight-- }, []string{"sum to 65534"}},
		"order":                 {func(g *Game) { p := wideTarget(g); p[0], p[1] = p[1], p[0] }, []string{"ascending"}},
		"end":                   {func(g *Game) { g.End = mancala.Exhausted }, []string{`found the end "exhausted", expected "stuck"`}},
		"unfinished":            {func(g *Game) { g.End = mancala.Running }, []string{`found the end "", expected "stuck"`}},
		"cut short":             {func(g *Game) { g.Plies = g.Plies[:3] }, []string{"after ply 2", `found the end "stuck", expected ""`}},
		"final stores":          {func(g *Game) { g.Final[0]++ }, []string{"final stores"}},
		"resume":                {func(g *Game) { g.Resume = []byte{1} }, []string{"resume"}},
	} {
		g := play(t, 5, whole)
		c.change(g)
		err := g.Check(toy{})
		if err == nil {
			t.Errorf("%s: Check took it", name)
			continue
		}
		for _, word := range append(c.words, "game 1/5", "ply") {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: the error has no %q: %v", name, word, err)
			}
		}
	}
}

// lastTarget returns the last policy of a game, and wideTarget one with two actions or more.
func lastTarget(g *Game) []Entry { return target(g, 1) }
func wideTarget(g *Game) []Entry { return target(g, 2) }

func target(g *Game, actions int) []Entry {
	for i := len(g.Plies) - 1; i >= 0; i-- {
		if policy := g.Policy(i); len(policy) >= actions {
			return policy
		}
	}
	panic("the game has no such policy")
}

func TestAppendLeavesTheGameAsItWasAfterAnError(t *testing.T) {
	g := play(t, 5, 3)
	plies, entries := len(g.Plies), len(g.policy)
	for _, err := range []error{
		g.Append(1, 0, 0, []mancala.Action{0, 1}, []float32{0.5, 0.4}),
		g.Append(65536, 0, 0, nil, nil),
		g.Append(-1, 0, 0, nil, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), "game 1/5, ply 3") {
			t.Errorf("Append returned %v, want an error that names the game and the ply", err)
		}
	}
	if len(g.Plies) != plies || len(g.policy) != entries {
		t.Error("Append changed the game in spite of the error")
	}
}

func TestResetKeepsNothingButMemory(t *testing.T) {
	g := play(t, 5, whole)
	g.Reset(ID{1, 2}, 3)
	if g.ID != (ID{1, 2}) || g.Seed != 3 || len(g.Plies)+len(g.policy)+len(g.Resume) != 0 || g.End != 0 || g.Final != [2]uint8{} || g.Start != "" {
		t.Errorf("after Reset the game is %+v", g)
	}
}
