// This file measures a network on games that it does not learn from.

package distill

import (
	"math"

	"kiothi/agent/nnue"
)

// Validation is what the network says of games that it does not learn from. Losses are cross-entropies in nats, means over the
// positions.
type Validation struct {
	Games     int     `json:"games"`
	Positions int     `json:"positions"`
	Loss      float64 `json:"loss"`   // against the target
	Floor     float64 `json:"floor"`  // the least that loss can be: the entropy of the targets
	Result    float64 `json:"result"` // against the results of the games
	Search    float64 `json:"search"` // against what the search expects
	Right     float64 `json:"right"`  // share of the games' winners that it names; draws do not count

	// The same of the search that judged the positions, as far as it was asked.
	SearchResult float64 `json:"search_result"` // loss of what it expects against the results of the games
	SearchRight  float64 `json:"search_right"`  // share of the games' winners that it names
}

// add adds what was counted of other positions up, before means are taken.
func (v *Validation) add(other *Validation) {
	v.Loss += other.Loss
	v.Floor += other.Floor
	v.Result += other.Result
	v.Search += other.Search
	v.Right += other.Right
	v.SearchResult += other.SearchResult
	v.SearchRight += other.SearchRight
}

// judgeShare is the number of positions that a worker judges at a time. Sums are taken in the order of the shares, so that
// they do not depend on the number of workers.
const judgeShare = 1024

// judge returns what a network says of samples.
func (s *samples) judge(f *nnue.Float, goal *target, workers int) Validation {
	shares := make([]Validation, (s.len()+judgeShare-1)/judgeShare)
	share(workers, len(shares), func(i int) {
		rows := make([]int32, s.layout.Tables())
		for p := i * judgeShare; p < min((i+1)*judgeShare, s.len()); p++ {
			for j, r := range s.rows[p*len(rows):][:len(rows)] {
				rows[j] = int32(r)
			}
			shares[i].count(s, goal, p, float64(f.LogitOf(rows, int(s.buckets[p]))))
		}
	})
	total := Validation{Games: s.games, Positions: s.len()}
	for i := range shares {
		total.add(&shares[i])
	}
	for _, sum := range []*float64{&total.Loss, &total.Floor, &total.Result, &total.Search, &total.SearchResult} {
		*sum /= float64(s.len())
	}
	won := 0
	for _, r := range s.results {
		if r != 1 {
			won++
		}
	}
	if won > 0 {
		total.Right /= float64(won)
		total.SearchRight /= float64(won)
	}
	return total
}

// doubt keeps the search's expectation away from 0 and 1, where a mistake would cost an infinite loss.
const doubt = 1e-3

// count takes a position into account, of which the network says a logit.
func (v *Validation) count(s *samples, goal *target, position int, logit float64) {
	want, ended, expected := goal.of(s, position), result(s, position), goal.search(s, position)
	v.Loss += entropy(want, logit)
	v.Floor += entropy(want, logitOf(want))
	v.Result += entropy(ended, logit)
	v.Search += entropy(expected, logit)
	v.SearchResult += entropy(ended, logitOf(min(max(expected, doubt), 1-doubt)))
	if ended == 0.5 {
		return
	}
	if (logit > 0) == (ended > 0.5) {
		v.Right++
	}
	if (expected > 0.5) == (ended > 0.5) {
		v.SearchRight++
	}
}

// logitOf is the logit of a probability, finite for 0 and 1 as well.
func logitOf(p float64) float64 {
	const most = 40 // σ of which is 1 in float64
	return min(max(math.Log(p/(1-p)), -most), most)
}
