package replay

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/env/mancala"
)

func TestQuantiseByHand(t *testing.T) {
	for _, c := range []struct {
		name   string
		legal  []mancala.Action
		policy []float32
		want   []Entry
	}{
		{"certain", []mancala.Action{7}, []float32{1}, []Entry{{7, Unit}}},
		{"no part", []mancala.Action{1, 2, 3}, []float32{0, 1, 0}, []Entry{{2, Unit}}},
		{"the lower action gets the odd part", []mancala.Action{4, 9}, []float32{0.5, 0.5}, []Entry{{4, 32768}, {9, 32767}}},
		{"too small a part is none", []mancala.Action{0, 1}, []float32{1e-6, 1 - 1e-6}, []Entry{{1, Unit}}},
		{"what lost most is rounded up", []mancala.Action{0, 1}, []float32{1e-5, 1 - 1e-5}, []Entry{{0, 1}, {1, Unit - 1}}},
		{"a sum a little off is made one", []mancala.Action{0, 65535}, []float32{0.2502, 0.7506}, []Entry{{0, 16384}, {65535, 49151}}},
	} {
		got, err := quantise(nil, c.legal, c.policy)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestQuantisedWeightsSumToUnitAndAreNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		legal := make([]mancala.Action, 1+rng.IntN(200))
		for i := range legal {
			legal[i] = mancala.Action(3 * i)
		}
		policy := randomPolicy(rng, len(legal))
		entries, err := quantise(nil, legal, policy)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, e := range entries {
			sum += int(e.Weight)
			if p := policy[e.Action/3]; math.Abs(float64(e.Probability()-p)) > 2.0/Unit {
				t.Fatalf("action %d has probability %v, want about %v", e.Action, e.Probability(), p)
			}
		}
		if sum != Unit {
			t.Fatalf("the weights sum to %d, want %d", sum, Unit)
		}
	}
}

func TestQuantiseRefusesWhatIsNoPolicy(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	before := []Entry{{1, Unit}}
	for _, c := range []struct {
		legal  []mancala.Action
		policy []float32
		word   string
	}{
		{[]mancala.Action{1, 2}, []float32{nan, 1}, "NaN"},
		{[]mancala.Action{1, 2}, []float32{inf, 1}, "Inf"},
		{[]mancala.Action{1, 2}, []float32{-0.5, 1.5}, "-0.5"},
		{[]mancala.Action{1, 2}, []float32{0.5, 0.4}, "sum"},
		{[]mancala.Action{1, 2}, []float32{0, 0}, "sum"},
		{[]mancala.Action{1, 2}, []float32{1}, "1 probabilities for 2"},
		{nil, []float32{}, "0 probabilities"},
		{[]mancala.Action{2, 1}, []float32{0.5, 0.5}, "ascending"},
		{[]mancala.Action{1, 1}, []float32{0.5, 0.5}, "ascending"},
		{[]mancala.Action{-1, 1}, []float32{0.5, 0.5}, "ascending"},
		{[]mancala.Action{1, 65536}, []float32{0.5, 0.5}, "ascending"},
	} {
		got, err := quantise(before, c.legal, c.policy)
		if err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("quantise(%v, %v) returned %v, want an error with %q", c.legal, c.policy, err, c.word)
		}
		if len(got) != 1 {
			t.Errorf("quantise(%v, %v) appended to dst in spite of the error", c.legal, c.policy)
		}
	}
}
