package export

import (
	"kiothi/agent/export/onnx"
	"kiothi/env/mancala"
)

// This file is the feature layer of Kiothi. Its comments say how it is computed; what it computes, and why, is said in
// package features.

// kiothi returns the features [batch, 367].
func (l *layer) kiothi(game mancala.Game) onnx.Value {
	const pits, row, steps, pickups = 20, 10, 6, 6
	counts := l.counts(l.board("seeds"))
	marks := l.board("marks")

	l.Scope("pits")
	pit := l.Reshape(counts, pits, 1)
	groups := []onnx.Value{l.Reshape(l.Concat(2, l.thermometer(pit, upTo(steps)...), l.over(pit, row), l.Reshape(marks, pits, 1)), pits*(steps+2))}

	// Reach and threats are the same for two sides [batch, 2, 10]: the mover's, and the enemy's, were it the enemy's turn.
	l.Scope("reach")
	own := l.Reshape(counts, 2, row)
	other := func(v onnx.Value) onnx.Value { return l.Gather(l.Reshape(v, 2, row), 1, 1, 0) }
	open := l.not(other(marks))
	loose := l.times(other(counts), open) // the seeds of the other side that can be captured

	// A last seed in an empty pit captures what lies loose opposite, and itself.
	reversed := make([]int, row)
	for i := range reversed {
		reversed[i] = row - 1 - i
	}
	facing := l.Gather(loose, 2, reversed...)
	empty := l.Equal(own, l.Scalar(0))
	some := l.AtLeast(facing, l.Scalar(1))
	ready := l.over(l.times(l.times(empty, some), l.plus(facing, l.Scalar(1))), 8)

	// Pickup k of pit i, at 6i+k-1, ends in pit i+k where that is in the row and the pit holds as many.
	from, to, taken := make([]int, row*pickups), make([]int, row*pickups), make([]float32, row*pickups)
	inside := make([]float32, row*pickups)
	for i := range from {
		pickup := i%pickups + 1
		from[i], taken[i] = i/pickups, float32(pickup)
		if to[i] = from[i] + pickup; to[i] < row {
			inside[i] = 1
		} else {
			to[i] = 0
		}
	}
	held := l.times(l.AtLeast(l.Gather(own, 2, from...), l.Floats("pickups", taken, len(taken))), l.Floats("inside", inside, len(inside)))
	captures := l.times(held, l.Gather(ready, 2, to...))

	// A lap from pit i reaches pit t of the row with as many seeds as there are steps from i to t around the board.
	distances := make([]float32, row*row)
	for i := range distances {
		distances[i] = float32((i%row-i/row+pits-1)%pits + 1)
	}
	reaching := l.Sum(l.AtLeast(l.Reshape(own, 2, row, 1), l.Floats("distances", distances, row, row)), 2)
	targets := l.Concat(3, l.Reshape(ready, 2, row, 1), l.over(l.Reshape(reaching, 2, row, 1), 4))

	// The leftmost bonus needs the three pits that face b, c and d all to hold loose seeds.
	three := l.Gather(loose, 2, 6, 7, 8)
	all := l.AtLeast(l.Sum(l.AtLeast(three, l.Scalar(1)), 2), l.Scalar(3))
	bonus := l.over(l.times(all, l.Sum(three, 2)), 12)
	side := l.Concat(2, captures, l.Reshape(targets, 2, 2*row), bonus)
	groups = append(groups, l.Reshape(side, 2*(row*pickups+2*row+1)))

	// The planes of the opening are zero in the sowing phase, and so are its features.
	l.Scope("opening")
	lifted := l.Gather(l.board("lifted"), 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	passed := l.Apply("MatMul", l.board("placed"), l.table("passed", pits, pits, func(last, pit int) bool { return pit < last }))
	hand := l.counts(l.everywhere("hand"))
	groups = append(groups, lifted, passed, l.over(hand, 20), l.thermometer(hand, 1, 5, 9, 13),
		l.everywhere("lift"), l.everywhere("place"), l.AtLeast(l.everywhere("opening"), l.Scalar(1)))

	groups = append(groups, l.globals(game, counts))
	l.Scope("")
	return l.Concat(1, groups...)
}
