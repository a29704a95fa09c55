package riokadalis_test

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is a plain engine that sows stone by stone, as the rules say it, and compares the real one with it.

// A plainRound is a round as one would lay it out on a table.
type plainRound struct {
	rules  riokadalis.Rules
	holes  []int // by absolute index
	closed []bool
	stores [2]int
	player int
	clock  int
	end    string
}

// newPlainRound copies a state.
func newPlainRound(rules riokadalis.Rules, s *mancala.State) *plainRound {
	r := &plainRound{rules: rules, holes: make([]int, 2*rules.Holes), closed: make([]bool, 2*rules.Holes)}
	r.set(s)
	return r
}

// set copies a state into a round of the same rules.
func (r *plainRound) set(s *mancala.State) {
	for i := range r.holes {
		r.holes[i] = s.Rows[i/r.rules.Holes].At(i % r.rules.Holes)
		r.closed[i] = s.Closed>>i&1 != 0
	}
	r.stores = [2]int{int(s.Stores[0]), int(s.Stores[1])}
	r.player, r.clock, r.end = int(s.Player), int(s.Clock), s.End.String()
}

// state returns the round as a state, for comparison.
func (r *plainRound) state() mancala.State {
	s := mancala.State{Last: mancala.NoPit, Player: mancala.Player(r.player), Clock: uint16(r.clock)}
	for i, n := range r.holes {
		side := i / r.rules.Holes
		s.Rows[side] = s.Rows[side].With(i%r.rules.Holes, n)
		if r.closed[i] {
			s.Closed |= 1 << i
		}
	}
	s.Stores = [2]uint8{uint8(r.stores[0]), uint8(r.stores[1])}
	s.End = map[string]mancala.Reason{"": mancala.Running, "stuck": mancala.Stuck, "exhausted": mancala.Exhausted}[r.end]
	return s
}

// legal appends the occupied own holes.
func (r *plainRound) legal(dst []int) []int {
	for i := 0; i < r.rules.Holes && r.end == ""; i++ {
		if r.holes[r.player*r.rules.Holes+i] > 0 {
			dst = append(dst, i)
		}
	}
	return dst
}

// next returns the hole that the stone after one in hole i falls in.
func (r *plainRound) next(i int) int {
	for {
		if r.rules.Clockwise {
			i--
		} else {
			i++
		}
		i = (i + len(r.holes)) % len(r.holes)
		if !r.closed[i] {
			return i
		}
	}
}

// play plays a turn.
func (r *plainRound) play(hole int) (laps int, captured [2]int, cut bool) {
	before := r.stores
	at := r.player*r.rules.Holes + hole
	for over := false; !over; {
		laps++
		hand := r.holes[at]
		r.holes[at] = 0
		for ; hand > 0; hand-- {
			at = r.next(at)
			r.holes[at]++
			if hand > 1 && r.holes[at] == 4 { // a four formed on the way
				r.holes[at] = 0
				r.stores[at/r.rules.Holes] += 4
			}
		}
		switch {
		case r.holes[at] == 4: // binikh
			r.holes[at] = 0
			r.stores[r.player] += 4
			over = true
		case r.holes[at] == 1:
			over = true
		case laps == r.rules.LapLimit:
			cut, over = true, true
		}
	}
	captured = [2]int{r.stores[0] - before[0], r.stores[1] - before[1]}
	r.player = 1 - r.player
	r.clock++
	if captured != [2]int{} {
		r.clock = 0
	}
	home := 0
	for i := range r.rules.Holes {
		home += r.holes[r.player*r.rules.Holes+i]
	}
	if home == 0 {
		r.end = "stuck"
	} else if r.clock >= r.rules.NoCaptureLimit {
		r.end = "exhausted"
	}
	return laps, captured, cut
}

// rulesText lists rule sets that differ in every option.
var rulesText = []string{
	"standard", "five-holes", "clockwise", "five-holes,direction=clockwise,lap_limit=4", "standard,no_capture_limit=12",
	"five-holes,lap_limit=33", "clockwise,lap_limit=1", "five-holes,lap_limit=1000",
}

// mustParseRules reads a rule set.
func mustParseRules(tb testing.TB, text string) riokadalis.Rules {
	tb.Helper()
	rules, _, err := riokadalis.Book.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return rules
}

// mustNew opens a game.
func mustNew(tb testing.TB, rules string) *riokadalis.Game {
	tb.Helper()
	g, err := riokadalis.New(rules)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// randomState throws stones on a board: few or many, in heaps or spread, with closed holes in one state of two.
func randomState(g *riokadalis.Game, rng *rand.Rand) mancala.State {
	s := mancala.State{Last: mancala.NoPit, Player: mancala.Player(rng.IntN(2))}
	if rng.IntN(2) == 0 {
		s.Closed = rng.Uint32() & rng.Uint32() & (1<<(2*g.Width()) - 1)
	}
	heap := 1 + rng.IntN(30)
	left := rng.IntN(g.Seeds() + 1)
	for tries := 0; left > 0 && tries < 100; tries++ {
		i := rng.IntN(2 * g.Width())
		if s.Closed>>i&1 != 0 {
			continue
		}
		n := min(left, 1+rng.IntN(heap))
		side := i / g.Width()
		s.Rows[side] = s.Rows[side].With(i%g.Width(), s.Rows[side].At(i%g.Width())+n)
		left -= n
	}
	s.Stores[0] = uint8(rng.IntN(left + 1))
	s.Stores[1] = uint8(left) - s.Stores[0]
	s.Clock = uint16(rng.IntN(g.ClockLimit()))
	// Reading the position back says whether it is over.
	s, err := g.Parse(g.Format(&s))
	if err != nil {
		panic(err)
	}
	return s
}

// TestPlainEngineAgrees compares every turn of random games from random states.
func TestPlainEngineAgrees(t *testing.T) {
	games := 4000
	if testing.Short() {
		games = 400
	}
	for _, text := range rulesText {
		t.Run(text, func(t *testing.T) {
			g, rules := mustNew(t, text), mustParseRules(t, text)
			rng := rand.New(rand.NewPCG(1, 2))
			var cuts, closed, heaps int
			for range games {
				s := randomState(g, rng)
				for plies := 0; !s.Over() && plies < 40; plies++ {
					plain := newPlainRound(rules, &s)
					before := s
					legal := plain.legal(nil)
					hole := legal[rng.IntN(len(legal))]
					laps, captured, cut := plain.play(hole)
					turn, err := g.Play(&s, mancala.Action(hole))
					if err != nil {
						t.Fatalf("%s: %v", g.Format(&before), err)
					}
					want := mancala.Turn{Laps: int32(laps), Captured: [2]uint8{uint8(captured[0]), uint8(captured[1])}, Cut: cut}
					if wantState := plain.state(); s != wantState || turn != want {
						t.Fatalf("%s, hole %d:\nplain  %s %+v\nplayed %s %+v", g.Format(&before), hole,
							g.Format(&wantState), want, g.Format(&s), turn)
					}
					if cut {
						cuts++
					}
					if s.Closed != 0 {
						closed++
					}
					if before.Rows[before.Player].At(hole) > 2*g.Width() {
						heaps++
					}
				}
			}
			if cuts == 0 || closed == 0 || heaps == 0 {
				t.Errorf("compared %d cuts, %d turns with closed holes and %d heaps that go round: nothing proved of some", cuts, closed, heaps)
			}
		})
	}
}
