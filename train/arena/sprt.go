package arena

import (
	"fmt"

	"kiothi/train/rating"
)

// This file ends a match that is decided.

// An SPRTResult is what a sequential test came to; see rating.SPRT.
type SPRTResult struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha"`
	Beta  float64 `json:"beta"`

	LLR      float64 `json:"llr"`   // logarithm of the likelihood ratio of H1 to H0
	Lower    float64 `json:"lower"` // where H0 is accepted
	Upper    float64 `json:"upper"` // where H1 is accepted
	Pairs    [5]int  `json:"pairs"` // pairs in which the first contender had 0, 0.5, 1, 1.5 and 2 points
	Decision string  `json:"decision"`
}

// Accepted reports whether the test has accepted H1: that the first contender is the stronger one.
func (r *SPRTResult) Accepted() bool { return r.Decision == rating.AcceptH1.String() }

// Decided reports whether the test has accepted H0 or H1.
func (r *SPRTResult) Decided() bool { return r.Decision != rating.Continue.String() }

// A test watches the pairs of a match in the order of their numbers, whatever the order in which they finish.
type test struct {
	sprt    *rating.SPRT
	waiting map[int]float64 // scores of the first contender by game: of finished games that the test has not seen
	next    int             // the number of the first game of the pair that the test waits for
}

func newTest(c rating.SPRTConfig) (*test, error) {
	sprt, err := rating.NewSPRT(c)
	return &test{sprt: sprt, waiting: map[int]float64{}}, err
}

func (t *test) decided() bool { return t.sprt.Decision() != rating.Continue }

// add takes a finished game in.
func (t *test) add(p *Played) {
	t.waiting[p.Number] = p.Score()
	for !t.decided() {
		first, one := t.waiting[t.next]
		second, both := t.waiting[t.next+1]
		if !one || !both {
			return
		}
		delete(t.waiting, t.next)
		delete(t.waiting, t.next+1)
		t.next += 2
		if err := t.sprt.Add(first + second); err != nil {
			panic(fmt.Sprintf("arena: two scores that add up to none: %v", err))
		}
	}
}

func (t *test) result() *SPRTResult {
	c := t.sprt.Config()
	r := &SPRTResult{Elo0: c.Elo0, Elo1: c.Elo1, Alpha: c.Alpha, Beta: c.Beta, LLR: t.sprt.LLR(), Pairs: t.sprt.Pairs(), Decision: t.sprt.Decision().String()}
	r.Lower, r.Upper = t.sprt.Bounds()
	return r
}
