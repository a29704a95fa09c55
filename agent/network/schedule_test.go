// This file checks learning-rate schedules.

package network

import (
	"math"
	"strings"
	"testing"
)

func TestScheduleAt(t *testing.T) {
	for _, test := range []struct {
		name     string
		schedule Schedule
		want     map[int]float64
	}{
		{"constant", Schedule{Kind: Constant, Rate: 0.1}, map[int]float64{0: 0.1, 5: 0.1, 1e6: 0.1}},
		{"warm-up", Schedule{Kind: Constant, Rate: 0.1, Warmup: 4}, map[int]float64{0: 0.025, 1: 0.05, 3: 0.1, 4: 0.1}},
		{"cosine", Schedule{Kind: Cosine, Rate: 0.1, Final: 0.02, Steps: 100}, map[int]float64{0: 0.1, 50: 0.06, 100: 0.02, 200: 0.02}},
		{"cosine with warm-up", Schedule{Kind: Cosine, Rate: 0.1, Steps: 100, Warmup: 60}, map[int]float64{50: 0.05 * 51 / 60, 60: 0.05 * (1 - math.Sin(math.Pi/10))}},
		{"step", Schedule{Kind: Stepwise, Rate: 0.1, Final: 0.02, Steps: 10, Factor: 0.5}, map[int]float64{0: 0.1, 9: 0.1, 10: 0.05, 20: 0.025, 30: 0.02, 90: 0.02}},
	} {
		if err := test.schedule.Validate(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		for step, want := range test.want {
			if got := test.schedule.At(step); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: rate at step %d is %v, want %v", test.name, step, got, want)
			}
		}
	}
}

func TestScheduleValidateNamesTheField(t *testing.T) {
	good := Schedule{Kind: Stepwise, Rate: 0.1, Steps: 10, Factor: 0.5}
	for want, spoil := range map[string]func(*Schedule){
		`"linear", expected "constant", "cosine" or "step"`: func(s *Schedule) { s.Kind = "linear" },
		"rate is 0":      func(s *Schedule) { s.Rate = 0 },
		"rate is NaN":    func(s *Schedule) { s.Rate = math.NaN() },
		"final rate":     func(s *Schedule) { s.Final = 0.2 },
		"warm-up is -1":  func(s *Schedule) { s.Warmup = -1 },
		"has 0 steps":    func(s *Schedule) { s.Steps = 0 },
		"factor is 1":    func(s *Schedule) { s.Factor = 1 },
		"factor is NaN,": func(s *Schedule) { s.Factor = math.NaN() },
	} {
		s := good
		spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %q", err, want)
		}
	}
}
