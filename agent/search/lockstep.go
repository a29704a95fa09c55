package search

import "kiothi/env/mancala"

// This file runs many trees at once, so that the network is called for batches.

// An Evaluator judges positions in batches. It is used by one goroutine.
type Evaluator interface {
	// Put writes a position into row i of the next batch.
	Put(i int, s *mancala.State)
	// Evaluate judges the first n rows.
	Evaluate(n int) error
	// Policy returns the logits of row i over all actions of the game, until the next Evaluate.
	Policy(i int) []float32
	// Value returns the value of row i to its player to move, in [-1, 1].
	Value(i int) float32
}

// Round takes each tree to its next leaf and judges all the leaves in one batch, whose size it returns; 0 means that no
// tree has work left. When the search of tree i is complete, next(i) is called: it may use the result and Reset the tree,
// and then returns true; or return false to leave the tree idle. rows is scratch with an entry a tree.
func Round(e Evaluator, trees []*Tree, rows []int, next func(i int) bool) (int, error) {
	n := 0
	for i, t := range trees {
		leaf := t.Select()
		for leaf == nil && next(i) {
			leaf = t.Select()
		}
		if leaf != nil {
			e.Put(n, leaf)
			rows[n] = i
			n++
		}
	}
	if err := e.Evaluate(n); err != nil {
		return 0, err
	}
	for row, i := range rows[:n] {
		trees[i].Expand(e.Policy(row), e.Value(row))
	}
	return n, nil
}
