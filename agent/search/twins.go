package search

import (
	"math/bits"

	"kiothi/env/mancala"
)

// This file finds a position that is in the tree already, reached by other actions, so that it is judged once. It gets edges
// of its own, because visits belong to the way by which a position was reached; only the network's judgement and what is
// proven are the same.

// twins is a hash table of the judged nodes of a tree: open addressing with linear probing, at most half full.
type twins struct {
	slots []int32 // node + 1, 0 where free; a power of two of them
	used  int
}

// smallestTwins is the number of slots of an empty table.
const smallestTwins = 256

// fill makes the table that of some nodes.
func (w *twins) fill(nodes []node) {
	size := smallestTwins
	for size < 4*len(nodes) {
		size *= 2
	}
	if cap(w.slots) < size {
		w.slots = make([]int32, size)
	}
	w.slots = w.slots[:size]
	clear(w.slots)
	w.used = 0
	for i := range nodes {
		if nodes[i].judged {
			w.put(nodes, int32(i))
		}
	}
}

// add puts a new node, the last to have been judged, into the table.
func (w *twins) add(nodes []node, at int32) {
	if 2*(w.used+1) > len(w.slots) {
		w.fill(nodes)
		return
	}
	w.put(nodes, at)
}

// put puts a node into the table unless its position is in it.
func (w *twins) put(nodes []node, at int32) {
	slot := w.slot(nodes, &nodes[at].state)
	if *slot == 0 {
		*slot = at + 1
		w.used++
	}
}

// find returns the node of a position, or -1 when there is none.
func (w *twins) find(nodes []node, s *mancala.State) int32 { return *w.slot(nodes, s) - 1 }

// slot returns the slot of a position: where it is, or where it belongs.
func (w *twins) slot(nodes []node, s *mancala.State) *int32 {
	mask := len(w.slots) - 1
	for i := int(hash(s)) & mask; ; i = (i + 1) & mask {
		if slot := &w.slots[i]; *slot == 0 || nodes[*slot-1].state == *s {
			return slot
		}
	}
}

// hash mixes the fields of a position. Those that follow from others are left out.
func hash(s *mancala.State) uint64 {
	h := mix(uint64(s.Rows[0]), 0x9e3779b97f4a7c15)
	h = mix(h^uint64(s.Rows[1]), 0xbf58476d1ce4e5b9)
	h = mix(h^(uint64(s.Marks)|uint64(s.Stores[0])<<32|uint64(s.Stores[1])<<40|uint64(s.Clock)<<48), 0x94d049bb133111eb)
	return mix(h^(uint64(s.Player)|uint64(s.Phase)<<8|uint64(s.Hand)<<16|uint64(s.Lifted)<<24|uint64(uint8(s.Last))<<40), 0xd6e8feb86659fd93)
}

// mix multiplies to 128 bits and folds them.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^b, b)
	return high ^ low
}

// copyTwin gives a new node what is known of a judged one of the same position.
func (t *Tree) copyTwin(at, twin int32) {
	n, from := &t.nodes[at], &t.nodes[twin]
	n.value, n.bounds, n.judged = from.value, from.bounds, true
	n.first, n.count = int32(len(t.edges)), from.count
	t.edges = append(t.edges, t.edgesOf(from)...)
	edges := t.edgesOf(n)
	for i := range edges {
		e := &edges[i]
		e.child, e.visits, e.under, e.sum = unvisited, 0, 0, 0
	}
}
