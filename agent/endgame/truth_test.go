package endgame_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"kiothi/agent/endgame"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file compares tables with a plain search of all lines of play, which knows nothing of layers and numbers.

// A solver finds results by trying everything. It remembers each position with its clock.
type solver struct {
	game mancala.Game
	seen map[mancala.State]int
}

// margin returns the final margin of the player to move when both play best for it.
func (v *solver) margin(s mancala.State) int {
	if s.Over() {
		return mancala.Margin(v.game, &s, s.Player)
	}
	if s.Player == mancala.North {
		s = s.Swapped(v.game.Width())
	}
	stores := int(s.Stores[0]) - int(s.Stores[1])
	s.Stores = [2]uint8{}
	if m, ok := v.seen[s]; ok {
		return stores + m
	}
	best := -2 * mancala.MaxSeeds
	for _, a := range v.game.AppendLegal(nil, &s) {
		after := s
		if _, err := v.game.Play(&after, a); err != nil {
			panic(err)
		}
		best = max(best, -v.margin(after))
	}
	v.seen[s] = best
	return stores + best
}

// best returns a best move.
func (v *solver) best(s mancala.State) mancala.Action {
	best, most := mancala.Action(0), -4*mancala.MaxSeeds
	for _, a := range v.game.AppendLegal(nil, &s) {
		after := s
		if _, err := v.game.Play(&after, a); err != nil {
			panic(err)
		}
		if m := -v.margin(after); m > most {
			best, most = a, m
		}
	}
	return best
}

// truthCases are games small enough to be searched as a whole.
var truthCases = []struct {
	game, rules string
	stones      int
	options     endgame.Options
}{
	{"rio-kadalis", "standard", 4, endgame.Options{}},
	{"rio-kadalis", "standard,no_capture_limit=9", 5, endgame.Options{AllTotals: true}},
	{"rio-kadalis", "standard,no_capture_limit=3", 8, endgame.Options{}},
	{"rio-kadalis", "five-holes", 4, endgame.Options{AllTotals: true}},
	{"rio-kadalis", "five-holes,no_capture_limit=6,lap_limit=2", 8, endgame.Options{}},
	{"rio-kadalis", "clockwise,no_capture_limit=25", 4, endgame.Options{}},
	{"kiothi", "mancala-world", 2, endgame.Options{Marked: 2}},
	{"kiothi", "mancala-world,no_capture_limit=14", 4, endgame.Options{Marked: 2}},
	{"kiothi", "mancala-world,no_capture_limit=1", 4, endgame.Options{Marked: 3}},
	{"kiothi", "mancala-world,no_capture_limit=2", 5, endgame.Options{}},
	{"kiothi", "mancala-world-eu,lone_capture=on,bonus=run,no_capture_limit=5", 4, endgame.Options{Marked: 3}},
	{"kiothi", "mancala-world-de,crossing=on,first_lap=off,no_capture_limit=4", 4, endgame.Options{Marked: 3}},
	{"kiothi", "mancala-world,pickup=all,no_capture_limit=5", 4, endgame.Options{Marked: 3}}, // stuck with seeds at home
}

func TestTheTableIsWhatTryingEverythingFinds(t *testing.T) {
	for _, c := range truthCases {
		t.Run(c.game+" "+c.rules, func(t *testing.T) {
			t.Parallel()
			g, table := build(t, c.game, c.rules, c.stones, c.options)
			truth := &solver{g, map[mancala.State]int{}}
			for n := 0; n <= c.stones; n++ {
				if c.game == "rio-kadalis" && n%4 != 0 && !c.options.AllTotals {
					continue
				}
				boards(g, n, n <= c.options.Marked, func(s mancala.State) { compare(t, g, table, truth, s) })
				if t.Failed() {
					return
				}
			}
			if len(truth.seen) == 0 {
				t.Error("no position was compared")
			}
		})
	}
}

// compare compares a position at all clocks. The table must know the result of a clock exactly if it is also that of all
// clocks before.
func compare(t *testing.T, g mancala.Game, table *endgame.Table, truth *solver, s mancala.State) {
	t.Helper()
	known := true
	fresh := truth.margin(s)
	for clock := range g.ClockLimit() + 1 {
		at := s
		at.Clock = uint16(clock)
		at.End = mancala.Running
		at, err := g.Parse(g.Format(&at)) // finds out whether the game is over
		if err != nil {
			t.Fatal(err)
		}
		want := truth.margin(at)
		known = known && want == fresh
		if got, ok := table.Probe(&at); ok != known || ok && got != want {
			t.Errorf("%s: Probe says %d, %v; the result is %d, with a fresh clock %d, so the table should say it: %v",
				g.Format(&at), got, ok, want, fresh, known)
			return
		}
	}
}

// boards calls f for each position with n seeds on the board, South to move, with all sets of marks on pits with seeds if
// marked is set. Unlike the table's, the numbering is plain: pit by pit.
func boards(g mancala.Game, n int, marked bool, f func(mancala.State)) {
	width := g.Width()
	var fill func(s mancala.State, pit, left int)
	fill = func(s mancala.State, pit, left int) {
		if pit == 2*width {
			if left == 0 {
				settled, err := g.Parse(g.Format(&s))
				if err != nil {
					panic(err)
				}
				f(settled)
			}
			return
		}
		for k := 0; k <= left; k++ {
			next := s
			next.Rows[pit/width] = next.Rows[pit/width].With(pit%width, k)
			fill(next, pit+1, left-k)
			if marked && k > 0 {
				next.Marks |= 1 << pit
				fill(next, pit+1, left-k)
			}
		}
	}
	fill(mancala.State{Last: mancala.NoPit}, 0, n)
}

// build builds a table.
func build(t testing.TB, game, rules string, stones int, o endgame.Options) (mancala.Game, *endgame.Table) {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	table, err := endgame.Build(context.Background(), g, stones, o)
	if err != nil {
		t.Fatal(err)
	}
	return g, table
}

// scatter returns a position with n seeds thrown into the pits, either player to move; with marks, half of the occupied
// pits are protected.
func scatter(t testing.TB, g mancala.Game, n int, marked bool, rng *rand.Rand) mancala.State {
	t.Helper()
	s := mancala.State{Last: mancala.NoPit, Player: mancala.Player(rng.IntN(2))}
	for range n {
		pit := rng.IntN(2 * g.Width())
		row := &s.Rows[pit/g.Width()]
		*row = row.With(pit%g.Width(), row.At(pit%g.Width())+1)
		if marked && rng.IntN(2) == 0 {
			s.Marks |= 1 << pit
		}
	}
	s, err := g.Parse(g.Format(&s))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// largerCases are tables whose positions are too many to try everything.
var largerCases = []struct {
	game, rules string
	stones      int
	marked      int
}{
	{"rio-kadalis", "standard", 8, 0},
	{"rio-kadalis", "clockwise", 8, 0},
	{"rio-kadalis", "five-holes", 12, 0},
	{"kiothi", "mancala-world", 6, 4},
	{"kiothi", "mancala-world-de,pickup=all", 6, 4},
	{"kiothi", "mancala-world-eu,lone_capture=on", 6, 4},
}

func TestAResultIsThatOfTheBestMove(t *testing.T) {
	for _, c := range largerCases {
		t.Run(c.game+" "+c.rules, func(t *testing.T) {
			t.Parallel()
			g, table := build(t, c.game, c.rules, c.stones, endgame.Options{Marked: c.marked})
			rng := rand.New(rand.NewPCG(1, 2))
			for range 2000 {
				n := c.stones - 4*rng.IntN(2)
				s := scatter(t, g, n, n <= c.marked, rng)
				got, ok := table.Probe(&s)
				if !ok {
					t.Fatalf("%s is not in the table", g.Format(&s))
				}
				want := -2 * mancala.MaxSeeds
				if s.Over() {
					want = mancala.Margin(g, &s, s.Player)
				}
				for _, a := range g.AppendLegal(nil, &s) {
					after := s
					if _, err := g.Play(&after, a); err != nil {
						t.Fatal(err)
					}
					m, ok := table.Probe(&after)
					if !ok {
						t.Fatalf("%s, which follows %s, is not known", g.Format(&after), g.Format(&s))
					}
					want = max(want, -m)
				}
				if got != want {
					t.Errorf("%s: Probe says %d, but the best move gets %d", g.Format(&s), got, want)
				}
			}
		})
	}
}

func TestWhoFollowsTheTableGetsItsResultWhateverTheOtherPlays(t *testing.T) {
	for _, c := range largerCases {
		t.Run(c.game+" "+c.rules, func(t *testing.T) {
			t.Parallel()
			g, table := build(t, c.game, c.rules, c.stones, endgame.Options{Marked: c.marked})
			rng := rand.New(rand.NewPCG(3, 4))
			truth := &solver{g, map[mancala.State]int{}}
			gifts, searched := 0, 0
			for range 600 {
				s := scatter(t, g, c.stones, c.stones <= c.marked, rng)
				player := s.Player
				promised, ok := table.Probe(&s)
				if !ok {
					t.Fatalf("%s is not in the table", g.Format(&s))
				}
				start := s
				for !s.Over() {
					legal := g.AppendLegal(nil, &s)
					a := legal[rng.IntN(len(legal))]
					// The other player follows the table half of the time, and moves at random else.
					if s.Player == player || rng.IntN(2) == 0 {
						if best, ok := table.Best(&s); ok {
							a = best
						} else if s.Player == player {
							a = truth.best(s)
							searched++
						}
					}
					if _, err := g.Play(&s, a); err != nil {
						t.Fatal(err)
					}
				}
				if got := mancala.Margin(g, &s, player); got < promised {
					t.Errorf("%s: got %d, promised %d", g.Format(&start), got, promised)
				} else if got > promised {
					gifts++
				}
			}
			if gifts == 0 {
				t.Error("random replies never cost the other player anything")
			}
			if searched > 60 {
				t.Errorf("the table did not know a move %d times, expected hardly ever", searched)
			}
		})
	}
}
