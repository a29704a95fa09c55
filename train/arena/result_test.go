package arena

import (
	"math"
	"math/rand/v2"
	"testing"

	"kiothi/env/mancala"
)

// game returns a finished game of the first contender as South with a margin.
func game(number, margin int, actions ...mancala.Action) Played {
	p := Played{Number: number, First: mancala.Player(number % 2), Actions: actions, Turns: 10, Reason: mancala.Stuck}
	p.Stores[p.First] = 30 + margin/2
	p.Stores[p.First.Other()] = 30 - margin/2
	return p
}

func TestAResultCountsPointsSeatsAndWarriors(t *testing.T) {
	g := open(t, "kiothi", "")
	names := [2]Contender{{Name: "a"}, {Name: "b"}}
	exhausted := game(5, -4, 7)
	exhausted.Reason, exhausted.Cut, exhausted.Turns = mancala.Exhausted, 2, 40
	r := summarize(g, names, Options{Warrior: 10, Seed: 3}, []Played{
		game(0, 2, 1), game(1, -2, 2),
		game(2, 0, 1), game(3, 20, 3),
		game(4, 6, 4), exhausted,
	})
	if r.Total != (Tally{3, 1, 2}) || r.South != (Tally{2, 1, 0}) || r.North != (Tally{1, 0, 2}) {
		t.Errorf("total %v, as South %v, as North %v", r.Total, r.South, r.North)
	}
	if want := 3.5 / 6; math.Abs(r.Score-want) > 1e-12 {
		t.Errorf("score %v, want %v", r.Score, want)
	}
	if r.WarriorWins != [2]int{1, 1} || r.Points != [2]float64{10 + 0.5 + 1 + 1, 10 + 0.5 + 1} {
		t.Errorf("%v warrior's victories, points %v", r.WarriorWins, r.Points)
	}
	if r.Distinct != 5 || r.Exhausted != 1 || r.CutTurns != 2 || r.MeanTurns != 15 || math.Abs(r.MeanMargin-22.0/6) > 1e-12 {
		t.Errorf("distinct %d, exhausted %d, cut %d, turns %v, margin %v", r.Distinct, r.Exhausted, r.CutTurns, r.MeanTurns, r.MeanMargin)
	}
}

// The pairs' means are 0, 10 and 1: a mean of 11/3 with a standard error of √(30.33/3).
func TestTheMarginAndTheWarriorsHaveTheirIntervals(t *testing.T) {
	g := open(t, "kiothi", "")
	r := summarize(g, [2]Contender{}, Options{Warrior: 1}, []Played{game(0, 2), game(1, -2), game(2, 0), game(3, 20), game(4, 6), game(5, -4)})
	half := 1.96 * math.Sqrt(91.0/3/3)
	if math.Abs(r.MarginLow-(11.0/3-half)) > 1e-3 || math.Abs(r.MarginHigh-(11.0/3+half)) > 1e-3 {
		t.Errorf("the margin is from %v to %v, want %v on either side of %v", r.MarginLow, r.MarginHigh, half, 11.0/3)
	}
	low, high := Wilson(1, 6)
	if r.WarriorLow != [2]float64{low, low} || r.WarriorHigh != [2]float64{high, high} {
		t.Errorf("wins by exactly two are from %v to %v of the games, want %v to %v", r.WarriorLow, r.WarriorHigh, low, high)
	}
	if one := summarize(g, [2]Contender{}, Options{Warrior: 1}, []Played{game(0, 2), game(1, 2)}); one.MarginLow != -60 || one.MarginHigh != 60 {
		t.Errorf("one pair gives margins from %v to %v, want no knowledge", one.MarginLow, one.MarginHigh)
	}
}

func TestGamesWithoutTheirPartnerAreLeftOut(t *testing.T) {
	g := open(t, "kiothi", "")
	r := summarize(g, [2]Contender{}, Options{Warrior: 1}, []Played{game(1, 2), game(2, 2), game(3, 2), game(5, 2), game(6, 2)})
	if r.Games != 2 || r.Played[0].Number != 2 || r.Played[1].Number != 3 {
		t.Errorf("kept %v, want games 2 and 3", r.Played)
	}
	if empty := summarize(g, [2]Contender{}, Options{Warrior: 1}, nil); empty.Games != 0 || empty.Low != 0 || empty.High != 1 || empty.Score != 0 {
		t.Errorf("a match without games gives %+v", empty)
	}
}

func TestWilsonIsTheIntervalOfTheScoresThatAgreeWithTheResult(t *testing.T) {
	for _, c := range []struct {
		points    float64
		n         int
		low, high float64
	}{
		{61, 100, 0.5120, 0.6998},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{50, 100, 0.4038, 0.5962},
		{0.5, 1, 0.0546, 0.9454},
	} {
		low, high := Wilson(c.points, c.n)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("Wilson(%v, %d) = %.4f, %.4f, want %.4f, %.4f", c.points, c.n, low, high, c.low, c.high)
		}
	}
}

func TestTheIntervalHoldsTheTruthNineteenTimesInTwenty(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	const trials = 20000
	for _, truth := range []float64{0.5, 0.7, 0.95} {
		held := 0
		for range trials {
			wins := 0.0
			for range 200 {
				if rng.Float64() < truth {
					wins++
				}
			}
			if low, high := Wilson(wins, 200); low <= truth && truth <= high {
				held++
			}
		}
		if share := float64(held) / trials; share < 0.93 || share > 0.97 {
			t.Errorf("the interval holds %v in %.3f of the trials", truth, share)
		}
	}
}

func TestSequencesAreEqualExactlyForEqualActions(t *testing.T) {
	lists := [][]mancala.Action{nil, {0}, {0, 0}, {1}, {128}, {1, 128}, {128, 1}, {630}, {2, 2, 4}}
	for i := range lists {
		for j := range lists {
			if (sequence(lists[i]) == sequence(lists[j])) != (i == j) {
				t.Errorf("the keys of %v and %v", lists[i], lists[j])
			}
		}
	}
}
