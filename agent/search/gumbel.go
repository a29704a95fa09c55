package search

import "math"

// This file is the choice of edges in Gumbel search.

// completedQ writes the completed value of each edge into dst, scaled from [-1, 1] to [0, 1]: a visited edge's mean value,
// and for the others the mixed value of the node, which trusts the network's value and the visited edges by their visits
// (equations 10 and 33 of the paper). Edges behind which nothing can be found out have no part in the mixed value: what is
// proven about one says nothing about another.
func completedQ(dst []float64, n *node, edges []edge) {
	visitedPrior, weighted, total := 0.0, 0.0, int32(0)
	for i := range edges {
		if e := &edges[i]; e.visits > 0 && e.open(n) {
			visitedPrior += float64(e.prior)
			weighted += float64(e.prior) * e.q()
			total += e.visits
		}
	}
	mixed := float64(n.value)
	if visitedPrior > 0 {
		mixed = (mixed + float64(total)*weighted/visitedPrior) / float64(1+total)
	}
	for i := range edges {
		q := mixed
		if edges[i].valued() {
			q = edges[i].q()
		}
		dst[i] = (q + 1) / 2
	}
}

// sigma returns the factor of σ(q) = (c_visit + max N)·c_scale·q (equation 8 of the paper), for q in [0, 1].
func (t *Tree) sigma(edges []edge) float64 {
	most := int32(0)
	for i := range edges {
		most = max(most, edges[i].tries())
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
	total := n.total + n.under
	if total == 0 { // all edges have the same completed q
		return mostLikely(n, edges)
	}
	scores := t.scratch(len(edges))
	t.improve(scores, n, edges)
	closed := 0
	for i := range edges {
		if !edges[i].open(n) {
			scores[i] = math.Inf(-1)
			closed++
		}
	}
	if closed == len(edges)-1 {
		return firstOpen(n, edges)
	}
	softmax(scores)
	best := -1
	for i := range scores {
		if closed > 0 && !edges[i].open(n) {
			continue
		}
		scores[i] -= float64(edges[i].tries()) / float64(1+total)
		if best < 0 || scores[i] > scores[best] {
			best = i
		}
	}
	return best
}

// mostLikely returns the open edge that the network prefers, the first of equals.
func mostLikely(n *node, edges []edge) int {
	best := -1
	for i := range edges {
		if edges[i].open(n) && (best < 0 || edges[i].logit > edges[best].logit) {
			best = i
		}
	}
	return best
}

// firstOpen returns the first open edge.
func firstOpen(n *node, edges []edge) int {
	for i := range edges {
		if edges[i].open(n) {
			return i
		}
	}
	panic("search: nothing can be found out in a position whose result is not known")
}

// rootState is what the root of a search keeps beside its edges.
type rootState struct {
	gumbel   []float64   // Gumbel: the noise of each action; zeros without noise
	schedule []int32     // Gumbel: how often the action chosen by simulation i has been visited before
	planned  scheduleKey // what the schedule is for
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
	if key := (scheduleKey{considered, t.budget}); t.root.planned != key && t.budget < Unlimited {
		t.root.schedule = appendSchedule(t.root.schedule[:0], considered, t.budget)
		t.root.planned = key
	}
}

// selectRoot chooses at the root. Gumbel search halves the considered actions (sequential halving, algorithm 2 of the
// paper): each simulation goes to the best of the actions that have had as many visits as the schedule says. As all start
// without a visit, the first ones are those with the largest noise + logit. Without a number of simulations to plan with the
// root is a node like others.
func (t *Tree) selectRoot() int {
	n := &t.nodes[0]
	switch {
	case t.config.Kind == PUCT:
		return t.selectPUCT(n)
	case t.budget == Unlimited:
		return t.selectGumbel(n)
	}
	edges := t.edgesOf(n)
	visits := t.root.schedule[t.simulations+len(t.waiting)-1]
	best := t.promising(func(e *edge) bool { return e.open(n) && e.tries() == visits })
	if best < 0 {
		// Something was proven about those that the schedule has in mind, and the others get their share.
		best = t.promising(func(e *edge) bool { return e.open(n) && e.visits > 0 })
	}
	if best < 0 {
		best = mostLikely(n, edges)
	}
	return best
}

// promising returns the root's action with the largest noise + logit + σ(q) among those that are accepted, -1 when none is.
// Actions without a value are compared with others as if they had the network's for the position.
func (t *Tree) promising(accept func(e *edge) bool) int {
	n := &t.nodes[0]
	edges := t.edgesOf(n)
	sigma := t.sigma(edges)
	best, bestScore := -1, 0.0
	bare, bareScore := -1, 0.0
	for i := range edges {
		e := &edges[i]
		if !accept(e) {
			continue
		}
		score := t.root.gumbel[i] + float64(e.logit)
		if !e.valued() {
			if bare < 0 || score > bareScore {
				bare, bareScore = i, score
			}
			continue
		}
		score += sigma * (e.q() + 1) / 2
		if best < 0 || score > bestScore {
			best, bestScore = i, score
		}
	}
	if best < 0 || bare >= 0 && bareScore+sigma*(float64(n.value)+1)/2 > bestScore {
		return bare
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
