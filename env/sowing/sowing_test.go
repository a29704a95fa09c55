package sowing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/games"
	"kiothi/env/games/gamestest"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
	"kiothi/env/sowing"
)

var open = gamestest.Open

// events returns what an action does.
func events(t testing.TB, g mancala.Game, s mancala.State, a mancala.Action) []sowing.Event {
	t.Helper()
	seq, err := sowing.Events(g, s, a)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(seq)
}

// check applies the events of an action and compares what they lead to with what the engine does.
func check(t *testing.T, g mancala.Game, before mancala.State, a mancala.Action) mancala.Turn {
	t.Helper()
	want := before
	turn, err := g.Play(&want, a)
	if err != nil {
		t.Fatal(err)
	}
	got := before
	laps, won := 0, [2]uint8{}
	for _, e := range events(t, g, before, a) {
		if e.Lap < laps {
			t.Fatalf("lap %d comes after lap %d", e.Lap, laps)
		}
		if e.Kind == sowing.Lift && before.Phase == mancala.Sow && e.Lap != laps+1 {
			t.Fatalf("a lift begins lap %d, expected %d", e.Lap, laps+1)
		}
		laps = e.Lap
		if e.Kind == sowing.Win {
			won[e.To] += uint8(e.Seeds)
		}
		e.Apply(&got, g.Width())
		if got.Total() != before.Total() {
			t.Fatalf("after %v of %d the board holds %d seeds, expected %d", e.Kind, e.Seeds, got.Total(), before.Total())
		}
	}
	if got.Rows != want.Rows || got.Marks != want.Marks || got.Stores != want.Stores || got.Hand != want.Hand {
		t.Fatalf("%s %s: %s in %q\nthe events lead to %q\nthe engine to    %q", g.Name(), g.Rules(), g.ActionText(&before, a), g.Format(&before), g.Format(&got), g.Format(&want))
	}
	if laps != int(turn.Laps) || won != turn.Captured {
		t.Fatalf("%s %s: %s in %q\nthe events have %d laps and win %v, the engine says %d and %v", g.Name(), g.Rules(), g.ActionText(&before, a), g.Format(&before), laps, won, turn.Laps, turn.Captured)
	}
	return turn
}

// walk plays at random and checks each action.
func walk(t *testing.T, g mancala.Game, s mancala.State, rng *rand.Rand, plies int) (captures, cuts int) {
	t.Helper()
	for ; plies > 0 && !s.Over(); plies-- {
		legal := g.AppendLegal(nil, &s)
		a := legal[rng.IntN(len(legal))]
		turn := check(t, g, s, a)
		if turn.Captured != [2]uint8{} {
			captures++
		}
		if turn.Cut {
			cuts++
		}
		if _, err := g.Play(&s, a); err != nil {
			t.Fatal(err)
		}
	}
	return captures, cuts
}

func TestEventsLeadWhereTheEngineGoesInKiothi(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	one := func(values ...string) string { return values[rng.IntN(len(values))] }
	var captures, cuts, opened int
	for i := range 400 {
		rules := kiothi.Book.SetNames()[i%len(kiothi.Book.Sets)]
		if i >= len(kiothi.Book.Sets) {
			for _, option := range [][]string{
				{"start", "5x6", "6x5", "3x10", "15x2", "30x1"}, {"lifts", "0", "2", "0+1", "0+1+2"},
				{"pickup", "any", "all"}, {"first_lap", "on", "off"}, {"protection", "nki", "unmoved"},
				{"crossing", "on", "off"}, {"lone_capture", "on", "off"}, {"bonus", "three", "run"},
				{"bonus_needs_capture", "on", "off"}, {"bonus_fresh", "on", "off"}, {"lap_limit", "1", "3", "1000"},
			} {
				rules += "," + option[0] + "=" + one(option[1:]...)
			}
		}
		g, err := kiothi.New(rules)
		if err != nil {
			continue // lifts that the start does not have
		}
		opened++
		c, k := walk(t, g, g.Start(), rng, 200)
		captures, cuts = captures+c, cuts+k
	}
	if opened < 300 || captures < 1000 || cuts < 1000 {
		t.Errorf("met %d rule sets, %d captures and %d cuts: too few to prove anything", opened, captures, cuts)
	}
}

// Under pickup=any the own leftmost pit is reached often, and with few marks the bonus is taken.
func TestEventsLeadWhereTheEngineGoesAtTheLeftmostPit(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	wins := map[int]int{}
	for _, rules := range []string{"mancala-world", "mancala-world-de", "mancala-world-eu", "wikipedia-it,pickup=any", "mancala-world,bonus=run"} {
		g := open(t, "kiothi", rules)
		for range 400 {
			// A seed in the second last enemy pit's way: a sowing of one from the enemy's last pit ends in the own leftmost.
			text := fmt.Sprintf("0,%d,0,0,0,0,0,0,0,%d/0,%d,0,0,0,0,%d,%d,%d,%d - 0-0 S sow 0",
				rng.IntN(3), 11+rng.IntN(3)*rng.IntN(2), rng.IntN(2), rng.IntN(4), rng.IntN(4), rng.IntN(4), rng.IntN(5))
			s, err := g.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			s.Marks = rng.Uint32() & rng.Uint32() & rng.Uint32() & (1<<20 - 1)
			for _, a := range g.AppendLegal(nil, &s) {
				check(t, g, s, a)
				n := 0
				for _, e := range events(t, g, s, a) {
					if e.Kind == sowing.Win {
						n++
					}
				}
				wins[n]++
			}
		}
	}
	if wins[2] == 0 || wins[5] == 0 {
		t.Errorf("captures from so many pits, own ones included: %v; want facing captures and whole bonuses among them", wins)
	}
}

func TestEventsLeadWhereTheEngineGoesInRioKadalis(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var captures, cuts, closed int
	for _, rules := range []string{"standard", "five-holes", "clockwise", "five-holes,direction=clockwise", "standard,lap_limit=3", "clockwise,lap_limit=1"} {
		g := open(t, "rio-kadalis", rules).(*riokadalis.Game)
		for range 20 {
			match, err := riokadalis.NewCompetition(g, 30)
			if err != nil {
				t.Fatal(err)
			}
			for match.End() == riokadalis.Undecided {
				s := match.State()
				if s.Over() {
					if err := match.Next(); err != nil {
						t.Fatal(err)
					}
					continue
				}
				if s.Closed != 0 {
					closed++
				}
				legal := g.AppendLegal(nil, &s)
				a := legal[rng.IntN(len(legal))]
				turn := check(t, g, s, a)
				if turn.Captured != [2]uint8{} {
					captures++
				}
				if turn.Cut {
					cuts++
				}
				if _, err := match.Play(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if captures < 1000 || cuts < 100 || closed < 1000 {
		t.Errorf("met %d captures, %d cuts and %d turns with closed holes: too few to prove anything", captures, cuts, closed)
	}
}

// tell writes events shortly: the pit lifted and its seeds, the pits that get one, and what is won.
func tell(g mancala.Game, list []sowing.Event) string {
	var b strings.Builder
	for _, e := range list {
		pit := mancala.PitName(e.Pit, g.Width())
		switch e.Kind {
		case sowing.Lift:
			fmt.Fprintf(&b, " %c%d:", pit, e.Seeds)
			if e.Unmark {
				b.WriteByte('*')
			}
		case sowing.Drop:
			b.WriteByte(pit)
		case sowing.Win:
			fmt.Fprintf(&b, "(%s wins %d of %c)", e.To, e.Seeds, pit)
		case sowing.Mark:
			fmt.Fprintf(&b, "*%c", pit)
		}
	}
	return strings.TrimSpace(b.String())
}

func TestASowingIsToldSeedBySeed(t *testing.T) {
	for _, c := range []struct{ game, position, move, want string }{
		{"kiothi", "0,0,0,0,1,0,0,0,0,1/0,0,0,0,5,3,0,0,0,0 - 0-0 S sow 0", "e", "e1:f(South wins 5 of E)(South wins 1 of f)"},
		{"kiothi", "0,0,0,0,2,0,0,0,0,1/3,0,0,3,0,5,0,0,0,0 ejA 0-0 S sow 0", "j", "j1:*A A4:*BCDE"},
		{"rio-kadalis", "0,3,1,0,0,0/3,0,0,0,0,1 - 20-20 S sow 0", "b", "b3:cde"},
		{"rio-kadalis", "0,0,0,3,3,2/3,0,0,0,0,1 - 20-16 S sow 0", "f", "f2:A(North wins 4 of A)B"},
		{"rio-kadalis", "0,0,0,3,3,1/3,0,0,0,0,1 - 20-16 S sow 0", "f", "f1:A(South wins 4 of A)"},
		{"kiothi", "0,0,0,0,0,5,5,5,5,5/0,0,0,0,5,5,5,5,5,5 - 0-0 S lift(5):e 0", "+f", "f5:"},
		{"kiothi", "0,0,0,0,0,0,0,0,0,1/0,0,0,0,0,1,0,0,0,1 - 0-0 N place(1):J 0", ">a", "a*a*j*F*J"},
	} {
		g := open(t, c.game, "")
		s, err := g.Parse(c.position)
		if err != nil {
			t.Fatal(err)
		}
		a, err := g.ParseAction(&s, c.move)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, tell(g, events(t, g, s, a))); diff != "" {
			t.Errorf("%s in %q (-want +got):\n%s", c.move, c.position, diff)
		}
	}
}

func TestAnEndlessRelayIsToldAsFarAsSomeoneListens(t *testing.T) {
	g := open(t, "rio-kadalis", "five-holes,lap_limit=1000000")
	rng := rand.New(rand.NewPCG(4, 4))
	for range 100 { // games
		for s := g.Start(); !s.Over(); {
			legal := g.AppendLegal(nil, &s)
			a := legal[rng.IntN(len(legal))]
			before := s
			if turn, err := g.Play(&s, a); err != nil {
				t.Fatal(err)
			} else if !turn.Cut {
				continue
			}
			seq, err := sowing.Events(g, before, a)
			if err != nil {
				t.Fatal(err)
			}
			heard := 0
			for range seq {
				if heard++; heard == 500 {
					break
				}
			}
			if heard != 500 {
				t.Errorf("heard %d events", heard)
			}
			return
		}
	}
	t.Error("met no endless relay")
}

func TestAnIllegalActionIsTheEnginesError(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		s := g.Start()
		if _, err := sowing.Events(g, s, -1); err == nil || !strings.Contains(err.Error(), "there is no such action") {
			t.Errorf("%s: the error is %v", game, err)
		}
	}
}
