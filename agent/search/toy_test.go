package search

import (
	"math"
	"strconv"
	"testing"

	"kiothi/env/mancala"
)

// This file is the game of the tests: a tree written down as a table, in which South may move twice in a row. A state's
// place in the table is its clock.

// place is a position of the toy game.
type place struct {
	player   mancala.Player
	children []int
	over     bool
	margin   int // South's, when over
	// What the network says of the position.
	logits []float32
	value  float32 // to the player to move
}

// toy is the tree
//
//	0 South ─0→ 1 North ─0→ 3 over: South loses
//	        │           └1→ 4 South (two ends)
//	        └1→ 2 South ─0→ 5 over: South wins
//	                    └1→ 6 North (two ends)
var toy = []place{
	{player: mancala.South, children: []int{1, 2}, logits: []float32{float32(math.Log(3)), 0}},
	{player: mancala.North, children: []int{3, 4}, logits: []float32{0, 0}, value: -0.2},
	{player: mancala.South, children: []int{5, 6}, logits: []float32{0, 0}, value: 0.4},
	{player: mancala.South, over: true, margin: -2},
	{player: mancala.South, children: []int{7, 8}, logits: []float32{0, 0}, value: 0.1},
	{player: mancala.North, over: true, margin: 2},
	{player: mancala.North, children: []int{7, 8}, logits: []float32{0, 0}, value: 0.5},
	{player: mancala.North, over: true},
	{player: mancala.North, over: true},
}

// table is a mancala.Game over a list of places. The methods that a search has no use for are missing.
type table struct {
	mancala.Game
	places []place
}

func (t table) state(at int) mancala.State {
	s := mancala.State{Player: t.places[at].player, Clock: uint16(at)}
	s.Rows[0] = s.Rows[0].With(0, mancala.MaxSeeds) // so that every margin is within reach
	if t.places[at].over {
		s.End = mancala.Stuck
	}
	return s
}

func (t table) at(s *mancala.State) *place { return &t.places[s.Clock] }

func (t table) Actions() int { return 2 }

func (t table) AppendLegal(dst []mancala.Action, s *mancala.State) []mancala.Action {
	for a := range t.at(s).children {
		dst = append(dst, mancala.Action(a))
	}
	return dst
}

func (t table) Play(s *mancala.State, a mancala.Action) (mancala.Turn, error) {
	if children := t.at(s).children; int(a) < len(children) {
		*s = t.state(children[a])
		return mancala.Turn{}, nil
	}
	return mancala.Turn{}, &mancala.IllegalError{Action: a, Text: strconv.Itoa(int(a)), Reason: "not in the table"}
}

func (t table) Final(s *mancala.State) [2]int {
	m := t.at(s).margin
	return [2]int{max(m, 0), max(-m, 0)}
}

func sign(m int) float32 { return float32(max(-1, min(1, m))) }

// search runs a search of the toy game from its root, with the table's judgements.
func (t table) search(tree *Tree, from, simulations int) {
	root := t.state(from)
	tree.Reset(&root, simulations, nil)
	for leaf := tree.Select(); leaf != nil; leaf = tree.Select() {
		tree.Expand(t.at(leaf).logits, t.at(leaf).value)
	}
}

// wantEdges checks the visits and value sums of the edges of the node that holds a place.
func wantEdges(t *testing.T, tree *Tree, at int, visits []int32, sums []float64) {
	t.Helper()
	for i := range tree.nodes {
		n := &tree.nodes[i]
		if int(n.state.Clock) != at {
			continue
		}
		for j, e := range tree.edgesOf(n) {
			if e.visits != visits[j] || math.Abs(float64(e.sum)-sums[j]) > 1e-6 {
				t.Errorf("place %d, edge %d: %d visits with sum %v, want %d with %v", at, j, e.visits, e.sum, visits[j], sums[j])
			}
		}
		return
	}
	t.Errorf("place %d is not in the tree", at)
}
