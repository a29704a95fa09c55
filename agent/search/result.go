package search

import (
	"math"

	"kiothi/env/mancala"
)

// This file is what a finished search says.

// Best returns the action to play: the most promising of the most visited ones in Gumbel search (the paper's A_{n+1}),
// the most visited one in PUCT.
func (t *Tree) Best() mancala.Action {
	edges := t.edgesOf(&t.nodes[0])
	most, at := int32(0), 0
	for i := range edges {
		if edges[i].visits > most {
			most, at = edges[i].visits, i
		}
	}
	switch {
	case t.config.Kind == Gumbel:
		at = t.bestRootAction(most)
	case most == 0:
		for i := range edges {
			if edges[i].prior > edges[at].prior {
				at = i
			}
		}
	}
	return edges[at].action
}

// Sample returns an action of self-play. In Gumbel search that is Best, whose noise already makes it a sample of an improved
// policy; in PUCT it is drawn in proportion to visits to the power 1/temperature.
func (t *Tree) Sample(temperature float64) mancala.Action {
	if t.config.Kind == Gumbel || t.noise == nil || temperature <= 0 || t.nodes[0].total == 0 {
		return t.Best()
	}
	edges := t.edgesOf(&t.nodes[0])
	scores := t.scratch(len(edges))
	for i := range edges {
		scores[i] = math.Log(float64(edges[i].visits)) / temperature // -Inf without a visit: probability 0
	}
	softmax(scores)
	u := t.noise.Float64()
	last := 0
	for i, p := range scores {
		if p > 0 {
			last = i
		}
		if u -= p; u < 0 {
			return edges[i].action
		}
	}
	return edges[last].action
}

// AppendPolicy appends the legal actions, in ascending order, and the search's probability of each: the improved policy
// π' = softmax(logit + σ(completed q)) of Gumbel search, the shares of the visits of PUCT. It is what the network learns.
func (t *Tree) AppendPolicy(legal []mancala.Action, policy []float32) ([]mancala.Action, []float32) {
	n := &t.nodes[0]
	edges := t.edgesOf(n)
	scores := t.scratch(len(edges))
	if t.config.Kind == Gumbel {
		t.improve(scores, n, edges)
		softmax(scores)
	} else {
		for i := range edges {
			scores[i] = float64(edges[i].visits) / float64(max(1, n.total))
		}
	}
	for i := range edges {
		legal = append(legal, edges[i].action)
		policy = append(policy, float32(scores[i]))
	}
	return legal, policy
}

// Value returns the mean value of the root for the player to move, the network's own judgement included.
func (t *Tree) Value() float32 {
	n := &t.nodes[0]
	sum := n.value
	for _, e := range t.edgesOf(n) {
		sum += e.sum
	}
	return sum / float32(1+n.total)
}
