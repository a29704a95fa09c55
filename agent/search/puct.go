package search

import "math"

// This file is the choice of edges in PUCT search.

// selectPUCT chooses the edge with the largest q + c·π·√N/(1+n) (Silver et al., 2017). An edge without a visit counts with the
// mean value that the node has been given so far, the network's own included, as far as it is not proven to be another.
// Simulations under way count among the visits (N and n), but not in the mean values, as in "Watch the unobserved" (Liu et
// al., ICLR 2020).
func (t *Tree) selectPUCT(n *node) int {
	edges := t.edgesOf(n)
	sum := float64(n.value)
	for i := range edges {
		sum += float64(edges[i].sum)
	}
	mean := sum / float64(1+n.total)
	spread := t.config.CPUCT * math.Sqrt(float64(1+n.total+n.under))
	best, bestScore := -1, math.Inf(-1)
	for i := range edges {
		e := &edges[i]
		if !e.open(n) {
			continue
		}
		q := min(max(mean, float64(e.low)), float64(e.high))
		if e.visits > 0 {
			q = e.q()
		}
		if score := q + spread*float64(e.prior)/float64(1+e.tries()); best < 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// addDirichlet mixes the root's priors with noise from a symmetric Dirichlet distribution.
func (t *Tree) addDirichlet(edges []edge) {
	if t.noise == nil || t.config.DirichletShare == 0 {
		return
	}
	noise := t.scratch(len(edges))
	alpha := t.config.DirichletAlpha * 10 / float64(len(edges))
	sum := 0.0
	for i := range noise {
		noise[i] = t.gamma(alpha)
		sum += noise[i]
	}
	if sum == 0 {
		return
	}
	share := float32(t.config.DirichletShare)
	for i := range edges {
		edges[i].prior = (1-share)*edges[i].prior + share*float32(noise[i]/sum)
	}
}

// gamma draws from the gamma distribution with shape alpha and scale 1, by the method of Marsaglia and Tsang (ACM
// Transactions on Mathematical Software 26, 2000).
func (t *Tree) gamma(alpha float64) float64 {
	if alpha < 1 {
		u := t.noise.Float64()
		return t.gamma(alpha+1) * math.Pow(u, 1/alpha)
	}
	d := alpha - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := t.noise.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if u := t.noise.Float64(); math.Log(u) < 0.5*x*x+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}
