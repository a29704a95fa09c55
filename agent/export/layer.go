package export

import (
	"fmt"
	"slices"

	"kiothi/agent/export/onnx"
	"kiothi/env"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is what the feature layers of both games are made of. A feature layer is package features as a graph: from the
// observation it computes what the encoder computes from the state, to the bit, because counts are whole numbers and each
// feature is one division away from them.

// A layer is a feature layer under construction. Pits are in relative order throughout: the mover's row from the left, then
// the enemy's from the enemy's left.
type layer struct {
	*onnx.Graph
	observer    *env.Observer
	width       int
	observation onnx.Value // [batch, planes·2·W]
}

// newFeatureLayer adds the game's feature layer to a graph: from the observation [batch, planes, 2, W] to the features
// [batch, Inputs]. It fails for a game that has none.
func newFeatureLayer(g *onnx.Graph, game mancala.Game, observation onnx.Value) (onnx.Value, error) {
	observer, err := env.NewObserver(game)
	if err != nil {
		return "", err
	}
	l := &layer{Graph: g, observer: observer, width: game.Width()}
	g.Scope("observation")
	l.observation = g.Reshape(observation, observer.Size())
	switch game.Name() {
	case kiothi.Name:
		return l.kiothi(game), nil
	case riokadalis.Name:
		return l.rioKadalis(game)
	}
	return "", fmt.Errorf("game %q has no feature layer", game.Name())
}

// at returns where a plane begins in a flat observation.
func (l *layer) at(plane string) int {
	i := slices.IndexFunc(l.observer.Planes(), func(p env.Plane) bool { return p.Name == plane })
	if i < 0 {
		panic("export: no plane " + plane)
	}
	return i * 2 * l.width
}

// board returns a plane's values of all pits [batch, 2W].
func (l *layer) board(plane string) onnx.Value {
	at, indices := l.at(plane), make([]int, 2*l.width)
	for r := range indices {
		if indices[r] = at + r; r >= l.width { // the enemy's row lies from right to left
			indices[r] = at + l.width + 2*l.width - 1 - r
		}
	}
	return l.Gather(l.observation, 1, indices...)
}

// everywhere returns the value of a plane that is the same everywhere [batch, 1].
func (l *layer) everywhere(plane string) onnx.Value { return l.Gather(l.observation, 1, l.at(plane)) }

// counts turns values of a plane of seeds into whole numbers.
func (l *layer) counts(v onnx.Value) onnx.Value {
	return l.Apply("Round", l.times(v, l.Scalar(float32(l.observer.Scale()))))
}

func (l *layer) plus(a, b onnx.Value) onnx.Value  { return l.Apply("Add", a, b) }
func (l *layer) minus(a, b onnx.Value) onnx.Value { return l.Apply("Sub", a, b) }
func (l *layer) times(a, b onnx.Value) onnx.Value { return l.Apply("Mul", a, b) }
func (l *layer) over(v onnx.Value, n float32) onnx.Value {
	return l.Apply("Div", v, l.Scalar(n))
}

// not turns 1 into 0 and 0 into 1.
func (l *layer) not(v onnx.Value) onnx.Value { return l.minus(l.Scalar(1), v) }

// thermometer compares numbers [..., 1] with thresholds: [..., thresholds], 1 where the number is as large.
func (l *layer) thermometer(v onnx.Value, thresholds ...float32) onnx.Value {
	return l.AtLeast(v, l.Floats("thresholds", thresholds, len(thresholds)))
}

// upTo returns the numbers from 1 to n.
func upTo(n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(i + 1)
	}
	return list
}

// table makes a constant [rows, columns] by a function.
func (l *layer) table(name string, rows, columns int, cell func(row, column int) bool) onnx.Value {
	data := make([]float32, rows*columns)
	for i := range data {
		if cell(i/columns, i%columns) {
			data[i] = 1
		}
	}
	return l.Floats(name, data, rows, columns)
}

// globals returns what concerns the whole board [batch, 7], from the counts of all pits [batch, 2W].
func (l *layer) globals(game mancala.Game, counts onnx.Value) onnx.Value {
	l.Scope("globals")
	stores := l.at("stores")
	both := l.counts(l.Gather(l.observation, 1, stores, stores+l.width)) // own and enemy
	difference := l.minus(l.Gather(both, 1, 0), l.Gather(both, 1, 1))
	rows := l.Reshape(l.Sum(l.Reshape(counts, 2, l.width), 2), 2)
	clock := l.everywhere("clock")
	last := l.Apply("Relu", l.minus(l.times(clock, l.Scalar(4)), l.Scalar(3)))
	return l.Concat(1, l.over(l.Concat(1, both, difference, rows), float32(game.Seeds())/2), clock, last)
}
