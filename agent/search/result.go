package search

import (
	"math"
	"slices"

	"kiothi/env/mancala"
)

// This file is what a finished search says.

// Best returns the action to play: the most promising of the most visited ones in Gumbel search (the paper's A_{n+1}),
// the most visited one in PUCT. What is proven goes before: an action that another one is sure to be as good as is not played,
// and one whose result is known, which is visited no more, competes by that.
func (t *Tree) Best() mancala.Action { return mancala.Action(t.best().action) }

// best returns the edge of Best.
func (t *Tree) best() *edge {
	n := &t.nodes[0]
	edges := t.edgesOf(n)
	v := verdictOf(edges)
	most := int32(0)
	for i := range edges {
		if e := &edges[i]; v.admits(e) && !e.known() {
			most = max(most, e.visits)
		}
	}
	if t.config.Kind == Gumbel {
		return &edges[t.promising(func(e *edge) bool { return v.admits(e) && (e.known() || e.visits == most) })]
	}
	at, sure := -1, -1
	for i := range edges {
		switch e := &edges[i]; {
		case !v.admits(e):
		case e.known():
			if sure < 0 || e.prior > edges[sure].prior { // all that are admitted are worth the same
				sure = i
			}
		case e.visits == most && (at < 0 || most == 0 && e.prior > edges[at].prior):
			at = i
		}
	}
	if at < 0 || sure >= 0 && edges[sure].q() >= edges[at].qOr(n.value) {
		at = sure
	}
	return &edges[at]
}

// qOr returns the value of an edge, or another where it has none.
func (e *edge) qOr(value float32) float64 {
	if !e.valued() {
		return float64(value)
	}
	return e.q()
}

// Sample returns an action of self-play. In Gumbel search that is Best, whose noise already makes it a sample of an improved
// policy; in PUCT it is drawn in proportion to visits to the power 1/temperature.
func (t *Tree) Sample(temperature float64) mancala.Action {
	if t.config.Kind == Gumbel || t.noise == nil || temperature <= 0 || t.nodes[0].total == 0 {
		return t.Best()
	}
	edges := t.edgesOf(&t.nodes[0])
	v := verdictOf(edges)
	scores := t.scratch(len(edges))
	for i := range edges {
		scores[i] = math.Inf(-1) // probability 0
		if e := &edges[i]; e.visits > 0 && v.admits(e) {
			scores[i] = math.Log(float64(e.visits)) / temperature
		}
	}
	if slices.Max(scores) == math.Inf(-1) {
		return t.Best()
	}
	softmax(scores)
	u := t.noise.Float64()
	last := 0
	for i, p := range scores {
		if p > 0 {
			last = i
		}
		if u -= p; u < 0 {
			return mancala.Action(edges[i].action)
		}
	}
	return mancala.Action(edges[last].action)
}

// AppendPolicy appends the legal actions, in ascending order, and the search's probability of each: the improved policy
// π' = softmax(logit + σ(completed q)) of Gumbel search, the shares of the visits of PUCT, or the priors where there are none.
// Actions that are proven to be no better than another have none. It is what the network learns.
func (t *Tree) AppendPolicy(legal []mancala.Action, policy []float32) ([]mancala.Action, []float32) {
	n := &t.nodes[0]
	edges := t.edgesOf(n)
	v := verdictOf(edges)
	scores := t.scratch(len(edges))
	if t.config.Kind == Gumbel {
		t.improve(scores, n, edges)
		for i := range edges {
			if !v.admits(&edges[i]) {
				scores[i] = math.Inf(-1)
			}
		}
		softmax(scores)
	} else {
		visits, prior := int32(0), float32(0)
		for i := range edges {
			if e := &edges[i]; v.admits(e) {
				visits += e.visits
				prior += e.prior
			}
		}
		for i := range edges {
			switch e := &edges[i]; {
			case !v.admits(e):
				scores[i] = 0
			case visits > 0:
				scores[i] = float64(e.visits) / float64(visits)
			default:
				scores[i] = float64(e.prior / prior)
			}
		}
	}
	for i := range edges {
		legal = append(legal, mancala.Action(edges[i].action))
		policy = append(policy, float32(scores[i]))
	}
	return legal, policy
}

// Value returns the mean value of the root for the player to move, the network's own judgement included, as far as it is not
// proven to be another.
func (t *Tree) Value() float32 {
	n := &t.nodes[0]
	sum := n.value
	for _, e := range t.edgesOf(n) {
		sum += e.sum
	}
	return n.clamp(sum / float32(1+n.total))
}

// Proven returns the utility of the result for the player to move, where that is proven.
func (t *Tree) Proven() (value float32, ok bool) {
	n := &t.nodes[0]
	return n.low, n.known()
}
