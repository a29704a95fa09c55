package rating

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file is a sequential test: a match of two players goes on until it is decided.

// SPRTConfig says what a sequential test decides between: H0, that the first player is no more than Elo0 stronger than the
// second, and H1, that it is at least Elo1 stronger. Elo here is that of the expected score s of a game:
// s = 1 / (1 + 10^(-Elo/400)).
type SPRTConfig struct {
	Elo0, Elo1 float64 // Elo0 < Elo1
	Alpha      float64 // the largest chance of accepting H1 at a strength of Elo0
	Beta       float64 // the largest chance of accepting H0 at a strength of Elo1
}

// String returns the text that ParseSPRT reads.
func (c SPRTConfig) String() string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	return number(c.Elo0) + "," + number(c.Elo1) + "," + number(c.Alpha) + "," + number(c.Beta)
}

// defaultError is alpha and beta where nothing else is said.
const defaultError = 0.05

// ParseSPRT reads "elo0,elo1", "elo0,elo1,alpha" or "elo0,elo1,alpha,beta". Alpha is 0.05 when it is left out, and beta is
// alpha.
func ParseSPRT(text string) (SPRTConfig, error) {
	const form = "elo0,elo1[,alpha[,beta]], as in 0,20 or 0,20,0.05,0.05"
	words := strings.Split(text, ",")
	if len(words) < 2 || len(words) > 4 {
		return SPRTConfig{}, fmt.Errorf("%q has %d numbers, expected %s", text, len(words), form)
	}
	numbers := [4]float64{2: defaultError}
	for i, word := range words {
		x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return SPRTConfig{}, fmt.Errorf("%q in %q is not a number, expected %s", word, text, form)
		}
		numbers[i] = x
	}
	if len(words) < 4 {
		numbers[3] = numbers[2]
	}
	c := SPRTConfig{numbers[0], numbers[1], numbers[2], numbers[3]}
	return c, c.Validate()
}

// maxElo is the largest strength that a test is about: a score of 0.99.
const maxElo = 800

// Validate refuses a test that can decide nothing.
func (c SPRTConfig) Validate() error {
	for _, elo := range []float64{c.Elo0, c.Elo1} {
		if !(math.Abs(elo) <= maxElo) {
			return fmt.Errorf("a strength of %g Elo, expected %d to %d", elo, -maxElo, maxElo)
		}
	}
	if c.Elo0 >= c.Elo1 {
		return fmt.Errorf("elo0 is %g and elo1 is %g, expected elo0 below elo1", c.Elo0, c.Elo1)
	}
	for _, chance := range []struct {
		name  string
		value float64
	}{{"alpha", c.Alpha}, {"beta", c.Beta}} {
		if !(chance.value >= 1e-9 && chance.value < 0.5) {
			return fmt.Errorf("%s is %g, expected a chance of error from 1e-9, below 0.5", chance.name, chance.value)
		}
	}
	return nil
}

// A Decision is what a sequential test has come to.
type Decision int

// The decisions.
const (
	Continue Decision = iota // more games are needed
	AcceptH0                 // the first player is not stronger by Elo1
	AcceptH1                 // the first player is stronger than by Elo0
)

// String returns a word or two for a person.
func (d Decision) String() string { return [...]string{"continue", "accept H0", "accept H1"}[d] }

// An SPRT is a sequential test under way, over the results of opening pairs: two games with one opening and the seats
// changed, for which the first player gets 0, 0.5, 1, 1.5 or 2 points.
//
// It is the generalized sequential probability ratio test (Li, Liu and Ying, Sequential Analysis 33, 2014) on the five
// possible results of a pair, in the normal approximation that testers of chess engines use (M. Van den Bergh's notes for the
// project Fishtest, hardy.uhasselt.be/Fishtest). With n pairs, whose score a game has the mean x and the variance v from pair
// to pair, and the scores s0 and s1 that Elo0 and Elo1 expect,
//
//	LLR = n (s1 - s0) (2x - s0 - s1) / 2v
//
// and H0 is accepted below ln(beta/(1-alpha)), H1 above ln((1-beta)/alpha) (Wald 1945). Pairs and not games are counted
// because the luck of an opening falls to both players: it makes v smaller, and the test shorter.
//
// The approximation takes v for known. So that a few equal results do not make it nothing, x and v come from the pairs and
// one more, spread evenly over the five results, whose variance is that of two fair games without draws. A sweep of a test of
// 0 against 10 Elo is decided after 13 pairs instead of one; after hundreds of pairs it is of no account.
type SPRT struct {
	config     SPRTConfig
	counts     [5]int // pairs, by twice their points
	pairs      int
	lower      float64
	upper      float64
	expected   [2]float64 // s0 and s1
	decision   Decision
	likelihood float64
}

// NewSPRT begins a test.
func NewSPRT(c SPRTConfig) (*SPRT, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("sequential test: %w", err)
	}
	return &SPRT{
		config: c, lower: math.Log(c.Beta / (1 - c.Alpha)), upper: math.Log((1 - c.Beta) / c.Alpha),
		expected: [2]float64{expectedScore(c.Elo0), expectedScore(c.Elo1)},
	}, nil
}

// expectedScore returns the score that a difference in Elo expects.
func expectedScore(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

var errPairPoints = errors.New("expected 0, 0.5, 1, 1.5 or 2, the points of two games")

// Add counts a pair by the points of the first player. The order of pairs matters to when a test ends, so give them in an
// order that does not depend on chance, as by number. Once the test is decided it stays so, whatever is added.
func (t *SPRT) Add(points float64) error {
	twice := int(2 * points)
	if float64(twice) != 2*points || twice < 0 || twice >= len(t.counts) {
		return fmt.Errorf("sequential test: a pair with %g points, %w", points, errPairPoints)
	}
	t.counts[twice]++
	t.pairs++
	t.likelihood = t.llr()
	if t.decision == Continue {
		switch {
		case t.likelihood <= t.lower:
			t.decision = AcceptH0
		case t.likelihood >= t.upper:
			t.decision = AcceptH1
		}
	}
	return nil
}

// llr returns the logarithm of the likelihood ratio of H1 to H0.
func (t *SPRT) llr() float64 {
	const virtual = 1.0 / 5
	total := float64(t.pairs) + virtual*5
	mean, square := 0.0, 0.0
	for twice, n := range t.counts {
		share, score := (float64(n)+virtual)/total, float64(twice)/4
		mean += share * score
		square += share * score * score
	}
	s0, s1 := t.expected[0], t.expected[1]
	return float64(t.pairs) * (s1 - s0) * (2*mean - s0 - s1) / (2 * (square - mean*mean))
}

// LLR returns the logarithm of the likelihood ratio of H1 to H0 after the pairs so far; 0 before the first.
func (t *SPRT) LLR() float64 { return t.likelihood }

// Bounds returns the ratios at which H0 and H1 are accepted.
func (t *SPRT) Bounds() (lower, upper float64) { return t.lower, t.upper }

// Decision returns what the test has come to.
func (t *SPRT) Decision() Decision { return t.decision }

// Pairs returns how many pairs had each result: 0, 0.5, 1, 1.5 and 2 points.
func (t *SPRT) Pairs() [5]int { return t.counts }

// Config returns what the test decides between.
func (t *SPRT) Config() SPRTConfig { return t.config }

// String describes the test so far, as in "LLR 1.20 of -2.94 to 2.94 (0 against 20 Elo) after 34 pairs: continue".
func (t *SPRT) String() string {
	return fmt.Sprintf("LLR %.2f of %.2f to %.2f (%g against %g Elo) after %d pairs: %s",
		t.likelihood, t.lower, t.upper, t.config.Elo0, t.config.Elo1, t.pairs, t.decision)
}
