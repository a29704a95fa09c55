package export

import (
	"fmt"

	"kiothi/agent/export/onnx"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the feature layer of Rio Kadalis. Its comments say how it is computed; what it computes, and why, is said in
// package features.

// rioKadalis returns the features [batch, 19·2W + 7].
func (l *layer) rioKadalis(game mancala.Game) (onnx.Value, error) {
	const steps = 8
	rules, ok := game.(*riokadalis.Game)
	if !ok {
		return "", fmt.Errorf("game %q is a %T, expected %T", game.Name(), game, rules)
	}
	holes := 2 * l.width
	counts := l.counts(l.board("seeds"))
	closed := l.board("closed")

	l.Scope("holes")
	hole := l.Reshape(counts, holes, 1)
	exact := l.Equal(hole, l.Floats("exact", []float32{1, 2, 3, 4, 7}, 5))
	each := l.Concat(2, l.thermometer(hole, upTo(steps)...), exact, l.over(hole, 10), l.Reshape(closed, holes, 1))
	groups := []onnx.Value{l.Reshape(each, holes*(steps+7))}

	groups = append(groups, l.reach(counts, closed, rules.RuleSet().Clockwise), l.globals(game, counts))
	l.Scope("")
	return l.Concat(1, groups...), nil
}

// reach returns what the first lap from each hole does [batch, 4·2W], without sowing it: what each hole receives follows
// from how far it lies from the origin. Matrices are [batch, origin, hole].
func (l *layer) reach(counts, closed onnx.Value, clockwise bool) onnx.Value {
	l.Scope("reach")
	holes := 2 * l.width
	open := l.not(closed)
	steps := func(from, to int) int { // 1 to holes
		if clockwise {
			from, to = to, from
		}
		return (to-from+holes-1)%holes + 1
	}
	// The distance counts open holes only, the way around to the origin itself included.
	between := l.table("between", holes, holes*holes, func(passed, pair int) bool {
		from, to := pair/holes, pair%holes
		return steps(from, passed) <= steps(from, to)
	})
	distance := l.Reshape(l.Apply("MatMul", open, between), holes, holes)
	ring := l.Reshape(l.Apply("Max", l.Sum(open, 1), l.Scalar(1)), 1, 1) // open holes
	openHole := l.Reshape(open, 1, holes)
	hand := l.Reshape(counts, holes, 1)
	elsewhere := l.table("elsewhere", holes, holes, func(from, to int) bool { return from != to })
	before := l.times(l.Reshape(counts, 1, holes), elsewhere) // the origin is emptied

	// All stones but the last: a hole at distance d receives one when d are sown, and one more with each time around.
	floor := func(v onnx.Value) onnx.Value { return l.Apply("Floor", v) }
	share := func(v onnx.Value) onnx.Value { return l.Apply("Div", v, ring) }
	received := floor(share(l.minus(l.plus(l.minus(hand, l.Scalar(1)), ring), distance)))
	stones := l.plus(before, received)
	// Each fourth stone of a hole makes a four, unless it held four or more to begin with.
	small := l.not(l.AtLeast(before, l.Scalar(4)))
	made := l.times(floor(l.over(stones, 4)), small)
	fours := l.times(made, openHole)
	after := l.minus(stones, l.times(made, l.Scalar(4)))

	// The last stone falls where the distance is the hand, but for whole times around.
	around := share(l.minus(hand, distance))
	last := l.times(l.Equal(around, floor(around)), openHole)
	sown := l.AtLeast(counts, l.Scalar(1)) // no lap begins in an empty hole
	total := func(v onnx.Value) onnx.Value { return l.times(l.Reshape(l.Sum(v, 2), holes), sown) }
	same := func(from, to int) bool { return (from < l.width) == (to < l.width) }
	other := func(from, to int) bool { return !same(from, to) }
	cells := []onnx.Value{
		total(l.times(last, l.Equal(after, l.Scalar(3)))),
		total(l.times(last, l.Equal(after, l.Scalar(0)))),
		l.over(total(l.times(fours, l.table("same_row", holes, holes, same))), 2),
		l.over(total(l.times(fours, l.table("other_row", holes, holes, other))), 2),
	}
	for i, cell := range cells {
		cells[i] = l.Reshape(cell, holes, 1)
	}
	return l.Reshape(l.Concat(2, cells...), 4*holes)
}
