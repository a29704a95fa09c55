package search

import (
	"math"
	"testing"
)

// An action that nothing was tried of yet counts as a mean one, but for what is proven of it.
func TestPUCTRatesWhatIsNotVisitedWithinItsBounds(t *testing.T) {
	for _, c := range []struct {
		of   bounds
		want int
	}{
		{bounds{-1, 1}, 0},    // the mean, 0.4, is more than 0.3
		{bounds{-1, -0.5}, 1}, // it cannot be
		{unbounded, 0},
	} {
		config := Default()
		config.CPUCT = 1e-9
		tree := &Tree{config: &config, edges: []edge{
			{child: unvisited, prior: 0.5, bounds: c.of},
			{child: 1, visits: 1, sum: 0.3, prior: 0.5, bounds: bounds{-1, 1}},
		}}
		n := &node{count: 2, total: 1, value: 0.5, bounds: bounds{float32(math.Inf(-1)), float32(math.Inf(1))}}
		if got := tree.selectPUCT(n); got != c.want {
			t.Errorf("with the bounds %v, action %d is chosen, want %d", c.of, got, c.want)
		}
	}
}
