package margin

import (
	"math"
	"testing"
)

func TestBinsCoverTheEvenMargins(t *testing.T) {
	s := Scale{60}
	if s.Bins() != 61 || s.Margin(0) != -60 || s.Margin(30) != 0 || s.Margin(60) != 60 {
		t.Fatalf("bins %d from %d over %d to %d, want 61 from -60 over 0 to 60", s.Bins(), s.Margin(0), s.Margin(30), s.Margin(60))
	}
}

func TestAddSharesAnOddMarginBetweenItsNeighbours(t *testing.T) {
	s := Scale{4}
	for _, c := range []struct {
		margin int
		want   []float32
	}{
		{-4, []float32{1, 0, 0, 0, 0}}, {0, []float32{0, 0, 1, 0, 0}}, {4, []float32{0, 0, 0, 0, 1}},
		{-3, []float32{.5, .5, 0, 0, 0}}, {1, []float32{0, 0, .5, .5, 0}},
	} {
		got := make([]float32, s.Bins())
		s.Add(got, c.margin, 1)
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("margin %d: %v, want %v", c.margin, got, c.want)
				break
			}
		}
	}
}

func TestUtilities(t *testing.T) {
	s := Scale{60}
	for _, c := range []struct {
		utility Utility
		margin  int
		want    float64
	}{
		{Utility{}, 2, 1}, {Utility{}, 30, 1}, {Utility{}, 0, 0}, {Utility{}, -1, -1},
		{Utility{MarginShare: 1}, 30, 0.5}, {Utility{MarginShare: 0.5}, 30, 0.75},
		{Utility{Warrior: 10}, 2, 1}, {Utility{Warrior: 10}, 4, 0.1}, {Utility{Warrior: 2}, -2, -1}, {Utility{Warrior: 2}, -60, -0.5},
	} {
		got := c.utility.Of(c.margin, s)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v of %d is %v, want %v", c.utility, c.margin, got, c.want)
		}
		if opposite := c.utility.Of(-c.margin, s); opposite != -got {
			t.Errorf("%+v of %d is %v, and of %d %v: not odd", c.utility, c.margin, got, -c.margin, opposite)
		}
	}
	for _, bad := range []Utility{{MarginShare: -0.1}, {MarginShare: 1.1}, {MarginShare: math.NaN()}, {Warrior: 0.5}, {Warrior: 11}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestExpectedAndSummaryAreSumsOverTheDistribution(t *testing.T) {
	s := Scale{4}
	// Probabilities 1/8 for -4, 1/8 for -2, 1/4 for 0, 1/4 for 2, 1/4 for 4; logits shifted to where exp would overflow.
	logits, probabilities := make([]float32, 5), []float64{0.125, 0.125, 0.25, 0.25, 0.25}
	for i, p := range probabilities {
		logits[i] = float32(math.Log(p) + 200)
	}
	for i, p := range Probabilities(logits) {
		if math.Abs(p-probabilities[i]) > 1e-5 {
			t.Errorf("the probability of bin %d is %v, want %v", i, p, probabilities[i])
		}
	}
	if got := Expected(Utility{}.Table(s), logits); math.Abs(float64(got)-0.25) > 1e-5 {
		t.Errorf("expected outcome %v, want 1/2 - 1/4", got)
	}
	got := s.Summarize(logits)
	want := Summary{Win: 0.5, Draw: 0.25, Loss: 0.25, Margin: 0.75}
	if math.Abs(got.Win-want.Win)+math.Abs(got.Draw-want.Draw)+math.Abs(got.Loss-want.Loss)+math.Abs(got.Margin-want.Margin) > 1e-4 {
		t.Errorf("summary %+v, want %+v", got, want)
	}
}
