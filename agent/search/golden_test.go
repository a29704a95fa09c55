package search

import (
	"math"
	"testing"
)

// The trees of this file were worked out by hand from the equations, with c_visit = c_scale = 1, so that
// σ(q) = (1 + max N)·(q+1)/2, and c_puct = 1.

func handConfig(kind Kind) *Config {
	c := Default()
	c.Kind, c.Considered, c.CVisit, c.CScale, c.CPUCT = kind, 2, 1, 1, 1
	return &c
}

func wantResult(t *testing.T, tree *Tree, best int, policy1, value float64) {
	t.Helper()
	if got := tree.Best(); int(got) != best {
		t.Errorf("best action %d, want %d", got, best)
	}
	_, policy := tree.AppendPolicy(nil, nil)
	if got := float64(policy[1]); math.Abs(got-policy1) > 1e-4 || math.Abs(float64(policy[0])+got-1) > 1e-6 {
		t.Errorf("policy %v, want %v for action 1 and the rest for action 0", policy, policy1)
	}
	if got := float64(tree.Value()); math.Abs(got-value) > 1e-6 {
		t.Errorf("value %v, want %v", got, value)
	}
}

// Four simulations halve two actions in one phase: each is visited twice. Action 0 leads to the opponent, whose -0.2 is
// our +0.2; action 1 leads to ourselves again, whose 0.4 stays 0.4. The second visits find the two ends, -1 and +1.
func TestGumbelFourSimulations(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(Gumbel), sign)
	g.search(tree, 0, 4)
	wantEdges(t, tree, 0, []int32{2, 2}, []float64{0.2 - 1, 0.4 + 1})
	wantEdges(t, tree, 1, []int32{1, 0}, []float64{1, 0})
	wantEdges(t, tree, 2, []int32{1, 0}, []float64{1, 0})
	// 0 + 3·0.3 = 0.9 against -ln 3 + 3·0.85 = 1.4514.
	wantResult(t, tree, 1, 1/(1+math.Exp(0.9-1.4514)), (0-0.8+1.4)/5)
}

// Eight simulations: the fifth to eighth choose below the root by π'(a) - N(a)/(1+ΣN). In place 2 the mixed value is
// (0.4 + 1)/2 = 0.7, π' = softmax(2, 1.7), and 0.574-1/2 < 0.426: action 1. In place 1 it is (-0.2 + 1)/2 = 0.4,
// π' = softmax(2, 1.4), and 0.646-1/2 < 0.354: action 1. The seventh is close at the root, 1.5333 against 1.5014, and
// chooses 0.750-1/3 in place 1; the eighth 0.818-1/3 in place 2.
func TestGumbelEightSimulations(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(Gumbel), sign)
	g.search(tree, 0, 8)
	wantEdges(t, tree, 0, []int32{4, 4}, []float64{-1.7, 1.9})
	wantEdges(t, tree, 1, []int32{2, 1}, []float64{2, -0.1})
	wantEdges(t, tree, 2, []int32{2, 1}, []float64{2, -0.5})
	wantResult(t, tree, 1, 1/(1+math.Exp(1.4375-2.58889)), (0-1.7+1.9)/9)
}

// PUCT, five simulations: 0.75 against 0.25; 0.730 against 0.454; 0.033 against 0.166; 0.1 against 0.65; 0.159 against
// 0.886, and in place 2 then 1.354 against 1.407.
func TestPUCTFiveSimulations(t *testing.T) {
	g := table{places: toy}
	tree := NewTree(g, handConfig(PUCT), sign)
	g.search(tree, 0, 5)
	wantEdges(t, tree, 0, []int32{2, 3}, []float64{-0.8, 0.9})
	wantEdges(t, tree, 1, []int32{1, 0}, []float64{1, 0})
	wantEdges(t, tree, 2, []int32{1, 1}, []float64{1, -0.5})
	wantResult(t, tree, 1, 3.0/5, (0-0.8+0.9)/6)
}

// The schedules as the reference gives them: with 16 simulations over 4 actions two phases of 8, with 20 over 16 one visit
// each and then the best half.
func TestSequentialHalvingSchedule(t *testing.T) {
	for _, c := range []struct {
		considered, simulations int
		want                    []int32
	}{
		{2, 4, []int32{0, 0, 1, 1}},
		{4, 16, []int32{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5}},
		{3, 7, []int32{0, 0, 0, 1, 1, 2, 2}},
		{16, 20, []int32{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
		{1, 3, []int32{0, 1, 2}},
		{5, 2, []int32{0, 0}},
		{4, 0, nil},
	} {
		got := appendSchedule(nil, c.considered, c.simulations)
		if len(got) != len(c.want) {
			t.Errorf("%d considered, %d simulations: %v, want %v", c.considered, c.simulations, got, c.want)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%d considered, %d simulations: %v, want %v", c.considered, c.simulations, got, c.want)
				break
			}
		}
	}
}
