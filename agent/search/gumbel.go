package search

import "math"

// This file is the choice of edges in Gumbel search.

// completedQ writes the completed value of each edge into dst, scaled from [-1, 1] to [0, 1]: a visited edge's mean value,
// and for the others the mixed value of the node, which trusts the network's value and the visited edges by their visits
// (equations 10 and 33 of the paper).
func completedQ(dst []float64, n *node, edges []edge) {
	visitedPrior, weighted := 0.0, 0.0
	for i := range edges {
		if e := &edges[i]; e.visits > 0 {
			visitedPrior += float64(e.prior)
			weighted += float64(e.prior) * e.q()
		}
	}
	mixed := float64(n.value)
	if visitedPrior > 0 {
		mixed = (mixed + float64(n.total)*weighted/visitedPrior) / float64(1+n.total)
	}
	for i := range edges {
		q := mixed
		if edges[i].visits > 0 {
			q = edges[i].q()
		}
		dst[i] = (q + 1) / 2
	}
}

// sigma returns the factor of σ(q) = (c_visit + max N)·c_scale·q (equation 8 of the paper), for q in [0, 1].
func (t *Tree) sigma(edges []edge) float64 {
	most := int32(0)
	for i := range edges {
		most = max(most, edges[i].visits)
	}
	return (t.config.CVisit + float64(most)) * t.config.CScale
}

// improve writes logit + σ(completed q) of each edge into dst; its softmax is the improved policy π' (equation 11).
func (t *Tree) improve(dst []float64, n *node, edges []edge) {
	completedQ(dst, n, edges)
	sigma := t.sigma(edges)
	for i := range edges {
		dst[i] = float64(edges[i].logit) + sigma*dst[i]
	}
}

// selectGumbel chooses below the root: deterministically, so that the visits approach the improved policy (equation 14).
func (t *Tree) selectGumbel(n *node) int {
	edges := t.edgesOf(n)
	if n.total == 0 { // all edges have the same completed q
		return mostLikely(edges)
	}
	scores := t.scratch(len(edges))
	t.improve(scores, n, edges)
	softmax(scores)
	best := 0
	for i := range scores {
		scores[i] -= float64(edges[i].visits) / float64(1+n.total)
		if scores[i] > scores[best] {
			best = i
		}
	}
	return best
}

// mostLikely returns the edge that the network prefers, the first of equals.
func mostLikely(edges []edge) int {
	best := 0
	for i := range edges {
		if edges[i].logit > edges[best].logit {
			best = i
		}
	}
	return best
}

// rootState is what the root of a search keeps beside its edges.
type rootState struct {
	gumbel   []float64 // Gumbel: the noise of each action; zeros without noise
	schedule []int32   // Gumbel: how often the action chosen by simulation i has been visited before
	for_     scheduleKey
}

type scheduleKey struct{ considered, simulations int }

// startRoot prepares the root, whose edges have just been made.
func (t *Tree) startRoot() {
	edges := t.edgesOf(&t.nodes[0])
	if t.config.Kind == PUCT {
		t.addDirichlet(edges)
		return
	}
	t.root.gumbel = t.root.gumbel[:0]
	for range edges {
		g := 0.0
		if t.noise != nil {
			g = -math.Log(t.noise.ExpFloat64())
		}
		t.root.gumbel = append(t.root.gumbel, g)
	}
	considered := len(edges)
	if t.config.Considered > 0 {
		considered = min(considered, t.config.Considered)
	}
	if key := (scheduleKey{considered, t.budget}); t.root.for_ != key {
		t.root.schedule = appendSchedule(t.root.schedule[:0], considered, t.budget)
		t.root.for_ = key
	}
}

// selectRoot chooses at the root. Gumbel search halves the considered actions (sequential halving, algorithm 2 of the
// paper): each simulation goes to the best of the actions that have had as many visits as the schedule says. As all start
// without a visit, the first ones are those with the largest noise + logit.
func (t *Tree) selectRoot() int {
	n := &t.nodes[0]
	if t.config.Kind == PUCT {
		return t.selectPUCT(n)
	}
	return t.bestRootAction(t.root.schedule[t.simulations])
}

// bestRootAction returns the action with the largest noise + logit + σ(q) among those with the given number of visits.
// Without a visit all have the same completed q, which then decides nothing.
func (t *Tree) bestRootAction(visits int32) int {
	edges := t.edgesOf(&t.nodes[0])
	sigma := t.sigma(edges)
	best, bestScore := -1, 0.0
	for i := range edges {
		e := &edges[i]
		if e.visits != visits {
			continue
		}
		score := t.root.gumbel[i] + float64(e.logit)
		if visits > 0 {
			score += sigma * (e.q() + 1) / 2
		}
		if best < 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	return best
}

// appendSchedule appends, for each simulation of a sequential halving, the number of visits that the chosen action has
// had. Each of about log2(considered) phases has an equal share of the simulations, and halves the actions, down to two.
func appendSchedule(dst []int32, considered, simulations int) []int32 {
	phases := int(math.Ceil(math.Log2(float64(max(considered, 2)))))
	for visits := int32(0); len(dst) < simulations; {
		rounds := max(1, simulations/(phases*considered))
		for ; rounds > 0 && len(dst) < simulations; rounds-- {
			for range min(considered, simulations-len(dst)) {
				dst = append(dst, visits)
			}
			visits++
		}
		considered = min(considered, max(2, considered/2))
	}
	return dst
}
