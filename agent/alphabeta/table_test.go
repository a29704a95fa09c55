package alphabeta

import (
	"math/rand/v2"
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

func TestTheTableKeepsWhatIsStoredWithinItsSize(t *testing.T) {
	tab := newTable(1)
	if got := len(tab.buckets) * bucketSize * 16; got != 1<<20 {
		t.Errorf("a table of 1 MiB has %d bytes", got)
	}
	for _, score := range []int32{0, 1, -1, decided(60), decided(-60)} {
		for _, a := range []mancala.Action{noAction, 0, 630} {
			tab.clear()
			tab.store(99, a, score, MaxDepth, atLeast)
			e := tab.find(99)
			if e == nil || e.score() != score || e.action() != a || e.depth() != MaxDepth || e.bound() != atLeast {
				t.Errorf("score %d with action %d comes back as %+v", score, a, e)
			}
		}
	}
	tab.store(99, noAction, 5, 3, atMost)
	if e := tab.find(99); e == nil || e.action() != 630 {
		t.Error("a result without an action has lost the one known before")
	}
}

func TestAFullBucketLosesItsShallowestEntry(t *testing.T) {
	tab := newTable(1)
	step := uint64(len(tab.buckets))
	for i := range uint64(bucketSize + 1) {
		depth := []int{5, 2, 9, 7, 4}[i]
		tab.store(1+i*step, 0, 0, depth, exact)
	}
	for i := range uint64(bucketSize + 1) {
		if found := tab.find(1+i*step) != nil; found != (i != 1) {
			t.Errorf("entry %d: found is %v", i, found)
		}
	}
}

func TestAClearedTableIsEmptyHoweverOften(t *testing.T) {
	tab := newTable(1)
	for i := range 1<<16 + 10 {
		tab.store(7, 0, 0, 1, exact)
		tab.clear()
		if tab.find(7) != nil {
			t.Fatalf("an entry outlives clearing %d", i)
		}
	}
}

// TestKeysTellPositionsApart walks through many positions. Keys are equal exactly where positions are, up to the clock
// where it cannot matter and to what is not of the phase Sow.
func TestKeysTellPositionsApart(t *testing.T) {
	for _, game := range games.Names() {
		g := open(t, game, "")
		rng := rand.New(rand.NewPCG(1, 1))
		from := uint16(g.ClockLimit() - MaxDepth)
		known := map[uint64]mancala.State{}
		for len(known) < 50_000 {
			s := sowing(t, g, rng, 0)
			for !s.Over() {
				same := s
				if same.Clock < from {
					same.Clock = 0
				}
				key := keyOf(&s, from)
				if other, ok := known[key]; ok && other != same {
					t.Fatalf("%s: %s and %s have the same key", game, g.Format(&other), g.Format(&same))
				}
				if keyOf(&same, from) != key {
					t.Fatalf("%s: the clock changes the key of %s", game, g.Format(&s))
				}
				known[key] = same
				legal := g.AppendLegal(nil, &s)
				play(t, g, &s, legal[rng.IntN(len(legal))])
			}
		}
	}
}

func TestEveryPartOfAPositionIsInItsKey(t *testing.T) {
	s := mancala.State{Rows: [2]mancala.Row{5, 9}, Marks: 3, Stores: [2]uint8{7, 8}, Clock: 50}
	key := keyOf(&s, 36)
	for name, change := range map[string]func(*mancala.State){
		"South's row": func(s *mancala.State) { s.Rows[0]++ },
		"North's row": func(s *mancala.State) { s.Rows[1]++ },
		"the rows":    func(s *mancala.State) { s.Rows[0], s.Rows[1] = s.Rows[1], s.Rows[0] },
		"the marks":   func(s *mancala.State) { s.Marks ^= 1 << 19 },
		"closed pits": func(s *mancala.State) { s.Closed = 1 },
		"the stores":  func(s *mancala.State) { s.Stores = [2]uint8{8, 7} },
		"the player":  func(s *mancala.State) { s.Player = mancala.North },
		"the clock":   func(s *mancala.State) { s.Clock++ },
	} {
		changed := s
		change(&changed)
		if keyOf(&changed, 36) == key {
			t.Errorf("%s is not in the key", name)
		}
	}
}
