package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"kiothi/env/seed"
)

// This file is the Bayesian bootstrap: fits to the same games with other weights, and what they say together.

// resample returns the parameters of o.Resamples fits, each to random weights. Each fit draws from a generator of its own,
// and is searched from the same point, so that it does not matter who does it.
func (s *sample) resample(whole *objective, from []float64, o *Options) ([][]float64, error) {
	fits := make([][]float64, o.Resamples)
	errs := make([]error, o.Resamples)
	var next atomic.Int64
	work := func() {
		own := *whole
		own.matches = slices.Clone(whole.matches)
		for i := int(next.Add(1)) - 1; i < len(fits); i = int(next.Add(1)) - 1 {
			s.weigh(&own, seed.Rand(o.Seed, seed.Resample, uint64(i)))
			fits[i], errs[i] = own.maximize(from)
		}
	}
	var wg sync.WaitGroup
	for range min(o.Workers, len(fits)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return fits, errors.Join(errs...)
}

// weigh gives every pair and every virtual game a new weight.
func (s *sample) weigh(o *objective, rng *rand.Rand) {
	for i := range o.matches {
		o.matches[i].games = [3][3]float64{}
		o.matches[i].prior = [2]float64{halfWeight(rng), halfWeight(rng)}
	}
	for _, p := range s.pairs {
		w := rng.ExpFloat64()
		games := &o.matches[p.match].games
		for _, c := range p.games {
			games[c.first][c.result] += w
		}
	}
	o.draws = [2]float64{halfWeight(rng), halfWeight(rng)}
	o.moves = [2]float64{halfWeight(rng), halfWeight(rng)}
}

// halfWeight draws from the gamma distribution with shape 1/2, whose mean is the half game that it stands for: half the
// square of a normal variable.
func halfWeight(rng *rand.Rand) float64 {
	z := rng.NormFloat64()
	return z * z / 2
}

// summarize turns the best parameters and those of the resamples into ratings.
func summarize(o *objective, best []float64, fits [][]float64) *Ratings {
	estimate := func(of func(x []float64) float64) Estimate {
		values := make([]float64, len(fits))
		for i, x := range fits {
			values[i] = of(x)
		}
		slices.Sort(values)
		return Estimate{of(best), quantile(values, 0.025), quantile(values, 0.975)}
	}
	r := &Ratings{Resamples: len(fits)}
	for player := range o.players {
		r.Elo = append(r.Elo, estimate(func(x []float64) float64 { return eloPerTheta * o.theta(x, player) }))
	}
	if o.first {
		first := estimate(func(x []float64) float64 { return eloPerTheta * o.eta(x) })
		r.First = &first
	}
	r.Draws = estimate(func(x []float64) float64 {
		share, _ := logistic(x[o.draw()] - math.Ln2)
		return share
	})
	for i := range o.players {
		row := make([]float64, o.players)
		for j := range row {
			for _, x := range fits {
				switch a, b := o.theta(x, i), o.theta(x, j); {
				case a > b:
					row[j]++
				case a == b:
					row[j] += 0.5
				}
			}
			row[j] /= float64(len(fits))
		}
		r.Superiority = append(r.Superiority, row)
	}
	return r
}

// quantile returns a quantile of sorted values, between two of them by a straight line.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 >= len(sorted) {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}
