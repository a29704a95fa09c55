package features

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kiothi/env/games"
	"kiothi/env/mancala"
)

func open(t testing.TB, game, rules string) (mancala.Game, Encoder) {
	t.Helper()
	g, err := games.Open(game, rules)
	if err != nil {
		t.Fatal(err)
	}
	e, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	return g, e
}

// randomStates calls visit for the states of random games that are not over.
func randomStates(t *testing.T, g mancala.Game, count int, visit func(s mancala.State)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	for range count {
		for s := g.Start(); !s.Over(); {
			visit(s)
			legal := g.AppendLegal(nil, &s)
			if _, err := g.Play(&s, legal[rng.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var ruleSets = []struct{ game, rules string }{
	{"kiothi", ""}, {"kiothi", "wikipedia-it"}, {"kiothi", "mancala-world,start=3x10,lifts=0"},
	{"rio-kadalis", ""}, {"rio-kadalis", "five-holes"}, {"rio-kadalis", "clockwise"},
}

func TestEveryFeatureIsWrittenAndTheSeatsLookAlike(t *testing.T) {
	for _, r := range ruleSets {
		g, e := open(t, r.game, r.rules)
		total := 0
		for _, group := range e.Groups() {
			total += group.Size
		}
		if total != e.Size() {
			t.Errorf("%s: groups of %d features, but %d in all", r.game, total, e.Size())
		}
		a, b := make([]float32, e.Size()), make([]float32, e.Size())
		randomStates(t, g, 5, func(s mancala.State) {
			for i := range a {
				a[i], b[i] = 9, -9
			}
			e.Encode(a, &s)
			swapped := s.Swapped(g.Width())
			e.Encode(b, &swapped)
			if !slices.Equal(a, b) {
				t.Fatalf("%s: the sides differ in %s", r.game, g.Format(&s))
			}
			for i, v := range a {
				if !(v >= -4 && v <= 8) {
					t.Fatalf("%s: feature %d is %v in %s", r.game, i, v, g.Format(&s))
				}
			}
		})
	}
}

// group returns the features of one group.
func group(t *testing.T, g mancala.Game, e Encoder, position, name string) []float32 {
	t.Helper()
	s, err := g.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	all := make([]float32, e.Size())
	e.Encode(all, &s)
	at := 0
	for _, group := range e.Groups() {
		if group.Name == name {
			return all[at : at+group.Size]
		}
		at += group.Size
	}
	t.Fatalf("no group %q", name)
	return nil
}

func TestKiothiPits(t *testing.T) {
	g, e := open(t, "kiothi", "")
	pits := group(t, g, e, "0,3,0,0,0,0,0,0,0,0/0,0,0,0,0,0,0,0,0,12 bJ 10-5 S sow 0", "pits")
	if got, want := pits[kiothiPit:2*kiothiPit], []float32{1, 1, 1, 0, 0, 0, 0.3, 1}; !slices.Equal(got, want) {
		t.Errorf("pit b with 3 seeds, marked: %v, want %v", got, want)
	}
	if got, want := pits[19*kiothiPit:], []float32{1, 1, 1, 1, 1, 1, 1.2, 1}; !slices.Equal(got, want) {
		t.Errorf("pit J with 12 seeds, marked: %v, want %v", got, want)
	}
}

// c with 2 seeds reaches d and e; e is empty and faces F with 4 seeds, so that two seeds from c, or the one from d, capture
// 5; d is occupied.
func TestKiothiReach(t *testing.T) {
	g, e := open(t, "kiothi", "")
	const position = "0,0,2,1,0,0,0,0,0,0/0,0,0,0,0,4,0,0,0,0 - 0-0 S sow 0"
	reach := group(t, g, e, position, "reach")
	for pit := range 10 {
		for pickup := 1; pickup <= kiothiPickup; pickup++ {
			want := float32(0)
			if pit == 2 && pickup == 2 || pit == 3 && pickup == 1 {
				want = 5.0 / 8
			}
			if got := reach[pit*kiothiPickup+pickup-1]; got != want {
				t.Errorf("pit %d, pickup %d: %v, want %v", pit, pickup, got, want)
			}
		}
	}
	targets := reach[10*kiothiPickup:]
	if targets[2*4] != 5.0/8 || targets[2*4+1] != 2.0/4 {
		t.Errorf("pit e: ready %v, reaching %v; want 5/8 and 2/4", targets[2*4], targets[2*4+1])
	}
	// F sows one seed to G, which faces d with 1 seed, or two to H, which faces c with 2. G to J are within its reach.
	const targetsAt = 10 * kiothiPickup
	threats := map[int]float32{
		5*kiothiPickup + 0: 2.0 / 8, 5*kiothiPickup + 1: 3.0 / 8,
		targetsAt + 2*6: 2.0 / 8, targetsAt + 2*7: 3.0 / 8,
		targetsAt + 2*6 + 1: 1.0 / 4, targetsAt + 2*7 + 1: 1.0 / 4, targetsAt + 2*8 + 1: 1.0 / 4, targetsAt + 2*9 + 1: 1.0 / 4,
	}
	for i, v := range group(t, g, e, position, "threats") {
		if v != threats[i] {
			t.Errorf("threat %d: %v, want %v", i, v, threats[i])
		}
	}
	marked := group(t, g, e, "0,0,2,1,0,0,0,0,0,0/0,0,0,0,0,4,0,0,0,0 F 0-0 S sow 0", "reach")
	for i, v := range marked[:10*kiothiPickup] {
		if v != 0 {
			t.Errorf("a marked pit can be captured from: feature %d is %v", i, v)
		}
	}
}

// f holds 3 stones and sows A, B, C: A had 3, which makes a four on the way for North; C had 3, which makes a binikh.
func TestRioKadalisReach(t *testing.T) {
	g, e := open(t, "rio-kadalis", "")
	reach := group(t, g, e, "0,0,0,0,1,3/3,1,3,0,0,0 - 20-10 S sow 0", "reach")
	want := map[int][]float32{
		4: {1, 0, 0, 0},   // e's one stone makes four in f
		5: {1, 0, 0, 0.5}, // f: see above
		6: {0, 1, 0, 0},   // A's three end in D, which is empty; B 2 and C 4 on the way
		7: {1, 0, 0, 0},   // B's one stone makes four in C
		8: {0, 1, 0, 0},   // C's three end in F, empty
	}
	want[6] = []float32{0, 1, 0.5, 0}
	for hole := range 12 {
		got := reach[hole*rioReach : (hole+1)*rioReach]
		expected, ok := want[hole]
		if !ok {
			expected = make([]float32, rioReach)
		}
		if !slices.Equal(got, expected) {
			t.Errorf("hole %d: %v, want %v", hole, got, expected)
		}
	}
	clockwise, e := open(t, "rio-kadalis", "clockwise")
	reach = group(t, clockwise, e, "3,1,0,0,0,0/0,0,0,0,0,0 - 20-10 S sow 0", "reach")
	if got, want := reach[rioReach:2*rioReach], []float32{1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("clockwise, b's stone makes four in a: %v, want %v", got, want)
	}
}

func TestRioKadalisPassesOverClosedHoles(t *testing.T) {
	g, e := open(t, "rio-kadalis", "")
	reach := group(t, g, e, "x,0,0,0,0,2/x,0,3,0,0,0 - 20-10 S sow 0", "reach")
	if got, want := reach[5*rioReach:6*rioReach], []float32{1, 0, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("f's two stones pass over A into B and C: %v, want %v", got, want)
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, position := range []struct{ game, text string }{
		{"kiothi", "0,3,1,0,0,2,7,0,4,5/2,0,1,0,6,0,3,0,0,5 iJ 10-11 S sow 3"},
		{"rio-kadalis", "4,0,5,5,1,6/1,5,0,6,2,1 - 4-8 N sow 2"},
	} {
		b.Run(position.game, func(b *testing.B) {
			g, e := open(b, position.game, "")
			s, err := g.Parse(position.text)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float32, e.Size())
			b.ReportAllocs()
			for b.Loop() {
				e.Encode(dst, &s)
			}
		})
	}
}
