package kiothi_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/mancala/enginetest"
)

// This file compares the engine with the plain one, and checks what every engine must keep, under random rule sets.

// randomRules returns the text of a rule set with each option drawn at random.
func randomRules(rng *rand.Rand) string {
	one := func(values ...string) string { return values[rng.IntN(len(values))] }
	text := one(kiothi.Book.SetNames()...)
	for _, option := range [][]string{
		{"start", "5x6", "4x6", "6x5", "3x10", "10x3", "15x2", "30x1", "1x2"},
		{"lifts", "0", "1", "2", "0+1", "0+2", "1+2", "0+1+2"},
		{"pickup", "any", "all"}, {"first_lap", "on", "off"}, {"protection", "nki", "unmoved"},
		{"crossing", "on", "off"}, {"lone_capture", "on", "off"}, {"bonus", "three", "run"},
		{"bonus_needs_capture", "on", "off"}, {"bonus_fresh", "on", "off"},
		{"no_capture_limit", "1", "7", "40", "300"}, {"lap_limit", "1", "2", "3", "5", "1000", "10000"},
	} {
		text += "," + option[0] + "=" + one(option[1:]...)
	}
	return text
}

// randomState returns a sowing position with the seeds in few pits or in many, and random marks and clock.
func randomState(g *kiothi.Game, rng *rand.Rand) mancala.State {
	s := mancala.State{Player: mancala.Player(rng.IntN(2)), Last: mancala.NoPit}
	pits := 1 + rng.IntN(2*width)
	total := rng.IntN(g.Seeds() + 1)
	first := rng.IntN(2 * width)
	for range total {
		i := (first + rng.IntN(pits)*7) % (2 * width) // 7 has no factor in common with 2*width
		row := &s.Rows[i/width]
		*row = row.With(i%width, row.At(i%width)+1)
	}
	s.Marks = rng.Uint32() & rng.Uint32() & (1<<(2*width) - 1)
	if rng.IntN(4) == 0 {
		s.Marks = 0
	}
	south := rng.IntN(g.Seeds() - total + 1)
	s.Stores = [2]uint8{uint8(south), uint8(g.Seeds() - total - south)}
	if rng.IntN(4) == 0 {
		s.Clock = uint16(rng.IntN(g.ClockLimit() + 1))
	}
	s, err := g.Parse(g.Format(&s)) // finds out whether the game is over
	if err != nil {
		panic(err)
	}
	return s
}

// comparePlain compares a sowing position and each turn from it with the plain engine.
func comparePlain(g *kiothi.Game, s *mancala.State) error {
	rules := g.RuleSet()
	plain := plainOf(s)
	end, final := plain.end(&rules)
	if s.End != end || g.Final(s) != final {
		return fmt.Errorf("the game's end is %q with stores %v, plain %q with %v", s.End, g.Final(s), end, final)
	}
	var want []mancala.Action
	if end == mancala.Running {
		want = plain.legal(&rules, nil)
	}
	legal := g.AppendLegal(nil, s)
	if !slices.Equal(legal, want) {
		return fmt.Errorf("legal are %v, plain %v", legal, want)
	}
	for _, a := range legal {
		after, plain := *s, plainOf(s)
		turn, err := g.Play(&after, a)
		if err != nil {
			return err
		}
		plainTurn := plain.play(&rules, plain.player*width+int(a)/60, int(a)%60+1)
		wantTurn := mancala.Turn{
			Laps: int32(plainTurn.laps), Cut: plainTurn.cut,
			Captured: [2]uint8{uint8(plainTurn.captured[0]), uint8(plainTurn.captured[1])},
		}
		if turn != wantTurn {
			return fmt.Errorf("%s does %+v, plain %+v", g.ActionText(s, a), turn, wantTurn)
		}
		wantEnd, wantFinal := plain.end(&rules)
		if want := plain.state(wantEnd); after != want || g.Final(&after) != wantFinal {
			return fmt.Errorf("%s leads to %s %s %v, plain to %s %s %v", g.ActionText(s, a),
				g.Format(&after), after.End, g.Final(&after), g.Format(&want), want.End, wantFinal)
		}
	}
	return nil
}

func TestPlainEngineAgrees(t *testing.T) {
	sets := 400
	if testing.Short() {
		sets = 60
	}
	rng := rand.New(rand.NewPCG(5, 6))
	turns, big, cut, sides := 0, 0, 0, [3]int{}
	for i := range sets {
		text := randomRules(rng)
		if i < len(kiothi.Book.Sets) {
			text = kiothi.Book.Sets[i].Name
		}
		g, err := kiothi.New(text)
		if err != nil && strings.Contains(err.Error(), "cannot be played") {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			s := randomState(g, rng)
			for range 12 {
				if err := comparePlain(g, &s); err != nil {
					t.Fatalf("%s: %s: %v", text, g.Format(&s), err)
				}
				sides[s.End]++
				if s.Over() {
					break
				}
				for r := range width {
					if s.Rows[s.Player].At(r) >= 20 {
						big++
					}
				}
				legal := g.AppendLegal(nil, &s)
				turn, err := g.Play(&s, legal[rng.IntN(len(legal))])
				if err != nil {
					t.Fatal(err)
				}
				turns++
				if turn.Cut {
					cut++
				}
			}
		}
	}
	// The comparison is worth what it meets.
	if turns < 20*sets || big < sets || cut < sets || sides[mancala.Stuck] < sets || sides[mancala.Exhausted] < sets {
		t.Errorf("met only %d turns, %d pits of 20 seeds, %d cuts, ends %v", turns, big, cut, sides)
	}
	t.Logf("met %d turns, %d pits of 20 seeds, %d cuts, ends %v", turns, big, cut, sides)
}

func TestProperties(t *testing.T) {
	rules := append(kiothi.Book.SetNames(), fuzzRules...)
	rng := rand.New(rand.NewPCG(7, 8))
	for len(rules) < 30 {
		text := randomRules(rng)
		if _, err := kiothi.New(text); err == nil {
			rules = append(rules, text)
		}
	}
	for _, text := range rules {
		t.Run(text, func(t *testing.T) {
			g := mustNew(t, text)
			enginetest.Games(t, g, 9, 2)
			for range 40 {
				enginetest.From(t, g, randomState(g, rng), rng, 10)
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	for _, set := range kiothi.Book.Sets {
		g := mustNew(t, set.Name)
		enginetest.NoAllocation(t, g, g.Start(), 1)
	}
}

// TestOpeningTurnsAreDistinct checks that an opening turn can be played in exactly one way: under lifts=0+1+2, with one
// seed in each of three pits, there are one turn that lifts nothing, three that place one seed in 20 pits, and three that
// place two seeds in one of the 20·21/2 ways.
func TestOpeningTurnsAreDistinct(t *testing.T) {
	g := mustNew(t, "mancala-world,start=1x3,lifts=0+1+2")
	start := g.Start()
	turns := map[string]bool{}
	var walk func(s mancala.State, turn []mancala.Action)
	walk = func(s mancala.State, turn []mancala.Action) {
		if s.Player != start.Player {
			text := g.TurnText(&start, turn)
			if turns[text] {
				t.Errorf("%s can be played in two ways", text)
			}
			turns[text] = true
			return
		}
		for _, a := range g.AppendLegal(nil, &s) {
			next := s
			if _, err := g.Play(&next, a); err != nil {
				t.Fatal(err)
			}
			walk(next, append(slices.Clone(turn), a))
		}
	}
	walk(start, nil)
	if want := 1 + 3*20 + 3*20*21/2; len(turns) != want {
		t.Errorf("there are %d opening turns, expected %d", len(turns), want)
	}
}

// TestRandomTurn checks that random turns are legal, do what Play does, and are drawn equally often.
func TestRandomTurn(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	source := rand.NewPCG(12, 13)
	const draws = 20000
	for range 60 {
		text := randomRules(rng)
		g, err := kiothi.New(text)
		if err != nil {
			continue
		}
		s := randomState(g, rng)
		if s.Over() {
			continue
		}
		legal := g.AppendLegal(nil, &s)
		drawn := map[mancala.Action]int{}
		for range draws {
			got, want := s, s
			a, turn := g.RandomTurn(&got, source)
			wantTurn, err := g.Play(&want, a)
			if err != nil || got != want || turn != wantTurn {
				t.Fatalf("%s %s: action %d: drawn %+v %+v, played %+v %+v, %v", text, g.Format(&s), a, got, turn, want, wantTurn, err)
			}
			drawn[a]++
		}
		// The squared deviations, each over the expected number, add up to about n-1, give or take the root of 2n.
		sum, expected := 0.0, draws/float64(len(legal))
		for _, a := range legal {
			d := float64(drawn[a]) - expected
			sum += d * d / expected
		}
		if n := float64(len(legal)); sum > n+8*math.Sqrt(2*n) {
			t.Errorf("%s %s: turns are not drawn equally often: %v", text, g.Format(&s), drawn)
		}
	}
}
