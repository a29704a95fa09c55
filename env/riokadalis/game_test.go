package riokadalis_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
	"kiothi/env/riokadalis"
)

// open opens a game for the test kit.
func open(rules string) (mancala.Game, error) {
	g, err := riokadalis.New(rules)
	if err != nil {
		return nil, err
	}
	return g, nil
}

func TestRecordedGames(t *testing.T) {
	enginetest.Vectors(t, open, "testdata/vectors/rio-kadalis_*.jsonl")
}

func TestRecordedCounts(t *testing.T) {
	enginetest.Counts(t, open, "testdata/vectors/perft.jsonl")
}

func TestCases(t *testing.T) {
	if n := enginetest.Cases(t, open, "testdata/cases/*.txt"); n < 90 {
		t.Errorf("found %d cases, there were more", n)
	}
}

func TestProperties(t *testing.T) {
	for _, rules := range rulesText {
		t.Run(rules, func(t *testing.T) {
			g := mustNew(t, rules)
			enginetest.Games(t, g, 3, 40)
			rng := rand.New(rand.NewPCG(3, 4))
			for range 400 {
				enginetest.From(t, g, randomState(g, rng), rng, 20)
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	for _, rules := range rulesText {
		g := mustNew(t, rules)
		enginetest.NoAllocation(t, g, g.Start(), 7)
	}
	g := mustNew(t, "standard")
	for _, position := range []string{"x,x,4,4,4,4/4,4,4,4,4,4 - 0-8 N sow 0", "4,x,4,4,4,x/x,4,4,4,4,4 - 0-8 N sow 0"} {
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		enginetest.NoAllocation(t, g, s, 7)
	}
}

// TestRandomTurn checks that a random turn is a legal one, does what Play does, and is each as often as the others.
func TestRandomTurn(t *testing.T) {
	g := mustNew(t, "standard")
	rng := rand.NewPCG(8, 9)
	s, err := g.Parse("2,0,1,3,0,7/1,0,0,0,0,0 - 20-14 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	legal := g.AppendLegal(nil, &s)
	drawn := map[mancala.Action]int{}
	const draws = 40_000
	for range draws {
		got, want := s, s
		a, turn := g.RandomTurn(&got, rng)
		wantTurn, err := g.Play(&want, a)
		if err != nil || got != want || turn != wantTurn {
			t.Fatalf("action %d: drawn %s %+v, played %s %+v, %v", a, g.Format(&got), turn, g.Format(&want), wantTurn, err)
		}
		drawn[a]++
	}
	for _, a := range legal {
		if share := float64(drawn[a]) / draws; share < 0.23 || share > 0.27 { // 8 standard deviations
			t.Errorf("action %d is drawn in %.3f of all turns, expected a quarter", a, share)
		}
	}
}

// TestEndlessRelay checks that a relay that runs in a circle is cut as if it had been sown to the end, at every limit in
// a row of several circles. The circles of the open boards have 50 laps.
func TestEndlessRelay(t *testing.T) {
	endless := []struct{ rules, position, hole string }{
		{"five-holes", "1,0,2,1,0/1,2,0,1,0 - 12-20 N sow 15", "B"},
		{"five-holes", "0,1,0,1,0/1,0,1,3,1 - 20-12 N sow 0", "D"},
		{"five-holes", "0,1,0,1,3/1,0,1,0,1 - 16-16 S sow 0", "e"},
		{"standard", "x,x,x,x,x,2/x,x,x,x,x,x - 20-26 S sow 0", "f"},
	}
	for _, e := range endless {
		for limit := 1; limit < 300; limit++ {
			rules := fmt.Sprintf("%s,lap_limit=%d", e.rules, limit)
			g := mustNew(t, rules)
			s, err := g.Parse(e.position)
			if err != nil {
				t.Fatal(err)
			}
			a, err := g.ParseAction(&s, e.hole)
			if err != nil {
				t.Fatal(err)
			}
			plain := newPlainRound(mustParseRules(t, rules), &s)
			plain.play(int(a))
			turn, err := g.Play(&s, a)
			if err != nil {
				t.Fatal(err)
			}
			if want := plain.state(); s != want || int(turn.Laps) != limit || !turn.Cut {
				t.Fatalf("%s %s, lap_limit=%d: played %s %+v, plain %s", e.position, e.hole, limit, g.Format(&s), turn, g.Format(&want))
			}
		}
	}
}

func TestTurnTextsThatCannotBePlayed(t *testing.T) {
	g := mustNew(t, "standard")
	s, err := g.Parse("0,1,0,0,0,0/1,0,0,0,0,0 - 20-26 S sow 0")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":   `there is no hole "": expected one of a to f`,
		"g":  `there is no hole "g"`,
		"bb": `there is no hole "bb"`,
		"1":  `there is no hole "1"`,
		"A":  "hole A is not South's: expected one of a to f",
		"a":  "illegal action 0 (a): the hole is empty",
	} {
		_, err := g.ParseTurn(&s, text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found error %v, expected one that says %q", text, err, want)
		}
	}
	// The text of an illegal action is read, so that Play can say why it is illegal.
	if a, err := g.ParseAction(&s, "a"); err != nil || a != 0 {
		t.Errorf("a reads as action %d, %v", a, err)
	}
}

func FuzzPosition(f *testing.F) {
	for _, rules := range rulesText {
		g := mustNew(f, rules)
		s := g.Start()
		f.Add(rules, g.Format(&s))
	}
	f.Add("standard", "x,x,0,1,0,9/1,0,30,0,0,2 - 2-3 N sow 12")
	f.Add("clockwise", "x,x,x,x,x,2/x,x,x,x,x,x - 20-26 S sow 99")
	f.Fuzz(func(t *testing.T, rules, position string) {
		g, err := riokadalis.New(rules)
		if err != nil {
			return
		}
		s, err := g.Parse(position)
		if err != nil {
			return
		}
		if got := g.Format(&s); got != position {
			t.Fatalf("%q prints back as %q", position, got)
		}
		enginetest.From(t, g, s, rand.New(rand.NewPCG(1, 1)), 3)
	})
}

func FuzzMove(f *testing.F) {
	for _, text := range []string{"a", "f", "A", "F", "g", "", "aa", "=", "+a", "0", "é"} {
		f.Add(text, true)
		f.Add(text, false)
	}
	g := mustNew(f, "standard")
	f.Fuzz(func(t *testing.T, text string, south bool) {
		position := "0,3,0,1,2,0/0,1,x,0,4,0 - 10-10 N sow 3"
		if south {
			position = strings.Replace(position, "N", "S", 1)
		}
		s, err := g.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		a, err := g.ParseAction(&s, text)
		if err != nil {
			return
		}
		if got := g.ActionText(&s, a); got != text {
			t.Fatalf("%q is action %d, which prints back as %q", text, a, got)
		}
		turn, err := g.ParseTurn(&s, text)
		if legal := slices.Contains(g.AppendLegal(nil, &s), a); legal != (err == nil) {
			t.Fatalf("%q reads as a turn with error %v, and its being legal is %t", text, err, legal)
		}
		if err == nil && g.TurnText(&s, turn) != text {
			t.Fatalf("%q is the turn %v, which prints back as %q", text, turn, g.TurnText(&s, turn))
		}
	})
}

func FuzzRules(f *testing.F) {
	for _, rules := range rulesText {
		f.Add(rules)
	}
	for _, rules := range []string{"", "standard,", "five-holes,holes=6", "standard,lap_limit=1000000", ",holes=5", "standard,direction=clockwise,no_capture_limit=1"} {
		f.Add(rules)
	}
	f.Fuzz(func(t *testing.T, rules string) {
		g, err := riokadalis.New(rules)
		if err != nil {
			return
		}
		again, err := riokadalis.New(g.Rules())
		if err != nil {
			t.Fatalf("%q is %q, which is refused: %v", rules, g.Rules(), err)
		}
		if again.Rules() != g.Rules() {
			t.Fatalf("%q is %q, which is %q", rules, g.Rules(), again.Rules())
		}
		start := g.Start()
		if again.Start() != start || again.Seeds() != g.Seeds() || again.ClockLimit() != g.ClockLimit() {
			t.Fatalf("%q and %q are different games", rules, g.Rules())
		}
		enginetest.From(t, g, start, rand.New(rand.NewPCG(1, 1)), 3)
	})
}
