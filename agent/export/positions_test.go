package export

import (
	"slices"
	"testing"

	"kiothi/env/mancala"
)

// What is asked of the positions holds for every rule set, not only for the one that is exported today.
func TestPositionsAreOfAllSorts(t *testing.T) {
	for _, r := range ruleSets {
		g := open(t, r.game, r.rules)
		samples, err := samplePositions(g, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(samples) < 500 {
			t.Errorf("%s %s: %d positions, want at least 500", r.game, r.rules, len(samples))
		}
		seen := map[mancala.State]bool{}
		counts := map[string]*[2]int{}
		clocks := map[uint16]bool{}
		for _, at := range samples {
			if at.state.Over() || seen[at.state] {
				t.Errorf("%s %s: %s is over, or there twice", r.game, r.rules, g.Format(&at.state))
			}
			seen[at.state] = true
			if counts[at.sort] == nil {
				counts[at.sort] = new([2]int)
			}
			counts[at.sort][at.state.Player]++
			clocks[at.state.Clock] = true
		}
		want := []string{sortEarly, sortMiddle, sortLate, sortEnd, sortClock, sortHeaps}
		switch start := g.Start(); {
		case r.game == "rio-kadalis":
			want = append(want, sortClosed)
		case start.Phase == mancala.Lift:
			want = append(want, sortLift, sortPlace)
		}
		for _, sort := range want {
			if n := counts[sort]; n == nil || min(n[0], n[1]) < 5 {
				t.Errorf("%s %s: positions of the sort %s, by player: %v", r.game, r.rules, sort, n)
			}
		}
		if len(clocks) < 20 {
			t.Errorf("%s %s: %d different clocks", r.game, r.rules, len(clocks))
		}
		again, err := samplePositions(g, 1)
		if err != nil || !slices.Equal(samples, again) {
			t.Errorf("%s %s: the same seed gives other positions, %v", r.game, r.rules, err)
		}
	}
}

// Under the shortest clocks there is hardly a clock to choose, but there are positions.
func TestPositionsUnderTheShortestClocks(t *testing.T) {
	for game, rules := range map[string]string{"kiothi": "mancala-world", "rio-kadalis": "standard"} {
		for limit, clocks := range map[string]bool{"1": false, "2": true} {
			g := open(t, game, rules+",no_capture_limit="+limit)
			samples, err := samplePositions(g, 1)
			if err != nil || len(samples) == 0 {
				t.Errorf("%s with the limit %s: %d positions, %v", game, limit, len(samples), err)
			}
			if got := slices.ContainsFunc(samples, func(s sample) bool { return s.sort == sortClock }); got != clocks {
				t.Errorf("%s with the limit %s: positions of the sort %s: %v, want %v", game, limit, sortClock, got, clocks)
			}
		}
	}
}
