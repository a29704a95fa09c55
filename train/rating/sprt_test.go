package rating

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func mustSPRT(t testing.TB, text string) *SPRT {
	t.Helper()
	c, err := ParseSPRT(text)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSPRT(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func add(t testing.TB, s *SPRT, points float64) {
	t.Helper()
	if err := s.Add(points); err != nil {
		t.Fatal(err)
	}
}

// run plays pairs of a two-player world until the test is decided, or max pairs are played.
func run(t testing.TB, s *SPRT, w *world, rng *rand.Rand, max int) (pairs int) {
	for pairs = 0; pairs < max && s.Decision() == Continue; pairs++ {
		luck := w.luck * rng.NormFloat64()
		add(t, s, w.game(rng, 0, 1, 1, luck)+w.game(rng, 0, 1, -1, luck))
	}
	return pairs
}

// at returns the strength at which a world without luck has the score that logistic Elo expects: with draws, Davidson's curve
// is flatter.
func at(elo, draws float64) float64 {
	low, high := -2000.0, 2000.0
	for range 60 {
		middle := (low + high) / 2
		p, _ := chances(middle/eloPerTheta, math.Log(2*draws/(1-draws)))
		if p[win]+p[draw]/2 < expectedScore(elo) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// At the edges of the hypotheses errors are as rare as promised. (The chance is estimated from 400 tests, so 5 % may show as
// up to 8 %.)
func TestErrorsAreAsRareAsPromised(t *testing.T) {
	for _, c := range []struct {
		test  string
		draws float64
	}{{"0,40", 0.05}, {"0,100", 0.3}, {"-20,20", 0.5}, {"200,260", 0.1}} {
		config, err := ParseSPRT(c.test)
		if err != nil {
			t.Fatal(err)
		}
		for _, edge := range []struct {
			elo   float64
			wrong Decision
		}{{config.Elo0, AcceptH1}, {config.Elo1, AcceptH0}} {
			w := world{elo: []float64{at(edge.elo, c.draws), 0}, draws: c.draws}
			rng := rand.New(rand.NewPCG(1, uint64(edge.wrong)))
			const tests = 400
			wrong, undecided, pairs := 0, 0, 0
			for range tests {
				s := mustSPRT(t, c.test)
				pairs += run(t, s, &w, rng, 20000)
				switch s.Decision() {
				case edge.wrong:
					wrong++
				case Continue:
					undecided++
				}
			}
			t.Logf("%s with %g draws, at %g Elo: %d of %d wrong, %d pairs", c.test, c.draws, edge.elo, wrong, tests, pairs/tests)
			if wrong > tests*8/100 || undecided > 0 {
				t.Errorf("%s with %g draws, at %g Elo: %d of %d tests wrong, %d undecided, %d pairs on average",
					c.test, c.draws, edge.elo, wrong, tests, undecided, pairs/tests)
			}
		}
	}
}

// The luck of openings cancels within pairs: the test needs fewer of them, and errs no more often.
func TestPairsShortenTheTest(t *testing.T) {
	average := func(luck float64) int {
		w := world{elo: []float64{0, 0}, draws: 0.1, luck: luck}
		rng := rand.New(rand.NewPCG(2, 2))
		pairs, wrong := 0, 0
		for range 200 {
			s := mustSPRT(t, "0,40")
			pairs += run(t, s, &w, rng, 20000)
			if s.Decision() == AcceptH1 {
				wrong++
			}
		}
		if wrong > 18 {
			t.Errorf("with luck %g, %d of 200 tests of equal players accept H1", luck, wrong)
		}
		return pairs / 200
	}
	if with, without := average(600), average(0); with > without*2/3 {
		t.Errorf("%d pairs with lucky openings and %d without", with, without)
	}
}

func TestTheTestEndsAtTheBoundsOfWald(t *testing.T) {
	s := mustSPRT(t, "0,10,0.05,0.1")
	lower, upper := s.Bounds()
	near(t, "the lower bound", lower, math.Log(0.1/0.95), 1e-12)
	near(t, "the upper bound", upper, math.Log(0.9/0.05), 1e-12)
	if s.LLR() != 0 || s.Decision() != Continue {
		t.Errorf("before the first pair: %v", s)
	}
	for s.Decision() == Continue {
		add(t, s, 2)
	}
	if s.Decision() != AcceptH1 || s.LLR() < upper {
		t.Errorf("wins alone lead to %v", s)
	}
	for range 1000 {
		add(t, s, 0)
	}
	if s.Decision() != AcceptH1 || s.LLR() > lower {
		t.Errorf("a test that is decided stays so, and its ratio goes on: %v", s)
	}
	s = mustSPRT(t, "0,10")
	for s.Decision() == Continue {
		add(t, s, 0.5)
	}
	if s.Decision() != AcceptH0 {
		t.Errorf("half points lead to %v", s)
	}
}

// A lucky start decides nothing, though the spread of equal results is zero.
func TestAFewEqualResultsDecideNothing(t *testing.T) {
	for _, test := range []string{"0,5", "0,10", "0,50", "-10,0"} {
		s := mustSPRT(t, test)
		for range 5 {
			add(t, s, 2)
		}
		if s.Decision() != Continue {
			t.Errorf("five pairs decide %v", s)
		}
	}
	s := mustSPRT(t, "0,10")
	for s.Decision() == Continue {
		add(t, s, 2)
	}
	if n := s.Pairs()[4]; n != 13 {
		t.Errorf("a sweep is decided after %d pairs, documented are 13", n)
	}
}

// With many pairs the ratio is the textbook's, from the mean and the variance of the pairs.
func TestTheRatioIsThatOfTheNormalApproximation(t *testing.T) {
	s := mustSPRT(t, "0,5,0.0001,0.0001")
	counts := [5]int{500, 2000, 5000, 2100, 520}
	var n, sum, square float64
	for twice, count := range counts {
		for range count {
			add(t, s, float64(twice)/2)
			x := float64(twice) / 4
			n, sum, square = n+1, sum+x, square+x*x
		}
	}
	if diff := cmp.Diff(counts, s.Pairs()); diff != "" {
		t.Fatal(diff)
	}
	mean := sum / n
	v := square/n - mean*mean
	s0, s1 := 0.5, 1/(1+math.Pow(10, -5.0/400))
	near(t, "LLR", s.LLR(), n*(s1-s0)*(2*mean-s0-s1)/(2*v), 0.005)
}

func TestImpossiblePairsAreRefused(t *testing.T) {
	s := mustSPRT(t, "0,10")
	for _, points := range []float64{-0.5, 2.5, 0.7, math.NaN(), math.Inf(1), 1e300} {
		if err := s.Add(points); err == nil || !strings.Contains(err.Error(), "expected 0, 0.5, 1, 1.5 or 2") {
			t.Errorf("%g points: got %v", points, err)
		}
	}
	if s.Pairs() != [5]int{} {
		t.Errorf("refused pairs are counted: %v", s.Pairs())
	}
}

func TestParseSPRT(t *testing.T) {
	for text, want := range map[string]SPRTConfig{
		"0,20":               {0, 20, 0.05, 0.05},
		" -5, 5 ":            {-5, 5, 0.05, 0.05},
		"0,20,0.01":          {0, 20, 0.01, 0.01},
		"-1.5,4.5,0.05,0.10": {-1.5, 4.5, 0.05, 0.1},
	} {
		got, err := ParseSPRT(text)
		if err != nil || got != want {
			t.Errorf("%q reads as %+v, %v, want %+v", text, got, err, want)
		}
		if again, err := ParseSPRT(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q, which reads as %+v, %v", text, got, again, err)
		}
	}
	for text, want := range map[string]string{
		"":               "has 1 numbers, expected elo0,elo1[,alpha[,beta]]",
		"5":              "has 1 numbers",
		"0,1,0.1,0.1,9":  "has 5 numbers",
		"0,ten":          `"ten" in "0,ten" is not a number`,
		"0,":             `"" in "0," is not a number`,
		"10,0":           "elo0 is 10 and elo1 is 0, expected elo0 below elo1",
		"5,5":            "expected elo0 below elo1",
		"0,NaN":          "a strength of NaN Elo, expected -800 to 800",
		"0,Inf":          "a strength of +Inf Elo",
		"0,900":          "a strength of 900 Elo",
		"0,10,0.5":       "alpha is 0.5, expected a chance of error from 1e-9, below 0.5",
		"0,10,0.05,0":    "beta is 0, expected",
		"0,10,0.05,NaN":  "beta is NaN, expected",
		"0,10,-0.05,0.1": "alpha is -0.05",
	} {
		if c, err := ParseSPRT(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q reads as %+v, %v, want an error with %q", text, c, err, want)
		}
	}
	if _, err := NewSPRT(SPRTConfig{}); err == nil {
		t.Error("a test without hypotheses was begun")
	}
}

func BenchmarkSPRTAdd(b *testing.B) {
	s := mustSPRT(b, "0,1")
	b.ReportAllocs()
	for b.Loop() {
		add(b, s, 1)
	}
}
