// This file is the first layer: rows of tables, added up and clipped.

package distill

import (
	"sync"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
)

// folding adds the factors that many rows share to the rows, as nnue.Float.Fold does:
//
//	tables [rows, hidden], own and enemy [columns·cells, hidden], slope [1, hidden]
type folding[T float] struct {
	fused.Operation
	arithmetic[T]
	layout  nnue.Layout
	hidden  int
	workers int
	result  *tensor.Dense
	folded  []T // backing of result, [rows, hidden]
}

func newFolding[T float](a arithmetic[T], l nnue.Layout, hidden, workers int, tables, own, enemy, slope *gorgonia.Node) (*gorgonia.Node, error) {
	o := &folding[T]{arithmetic: a, layout: l, hidden: hidden, workers: workers}
	o.result, o.folded = fused.NewBuffer[T](l.Rows(), hidden)
	o.Operation = fused.New("folding", o.result.Shape(), 2, 2, 2, 2)
	return gorgonia.ApplyOp(o, tables, own, enemy, slope)
}

// Do adds.
func (o *folding[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	own, enemy, slope := o.Data(inputs[1]), o.Data(inputs[2]), o.Data(inputs[3])
	copy(o.folded, o.Data(inputs[0]))
	h := o.hidden
	share(o.workers, o.layout.Columns(), func(column int) {
		for pair := range nnue.Pairs {
			row := o.folded[(column*nnue.Pairs+pair)*h:][:h]
			o.add(row, own[(column*nnue.Cells+pair/nnue.Cells)*h:][:h])
			o.add(row, enemy[(column*nnue.Cells+pair%nnue.Cells)*h:][:h])
		}
	})
	for i := range nnue.StoreRows {
		row, difference := o.folded[(o.layout.StoreRow()+i)*h:][:h], storeInput[T](i)
		for j := range row {
			row[j] += difference * slope[j]
		}
	}
	return o.result, nil
}

// storeInput is what the slope is multiplied by in a row of the stores.
func storeInput[T float](row int) T { return T(row-mancala.MaxSeeds) / nnue.ScaleOfStores }

// DiffWRT says that all inputs have a gradient.
func (o *folding[T]) DiffWRT(int) []bool { return []bool{true, true, true, true} }

// SymDiff adds the nodes of the gradients. That of the tables is the gradient itself.
func (o *folding[T]) SymDiff(_ gorgonia.Nodes, _, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	op := &foldingGradient[T]{folding: o}
	cells := o.layout.Columns() * nnue.Cells
	var ownValue, enemyValue *tensor.Dense
	ownValue, op.own = fused.NewBuffer[T](cells, o.hidden)
	enemyValue, op.enemy = fused.NewBuffer[T](cells, o.hidden)
	op.result, op.slope = fused.NewBuffer[T](1, o.hidden)
	op.Operation = fused.New("foldingGradient", op.result.Shape(), 2)
	slope, err := gorgonia.ApplyOp(op, gradient)
	if err != nil {
		return nil, err
	}
	own, err := fused.NewSideResult("ownGradient", ownValue, slope)
	if err != nil {
		return nil, err
	}
	enemy, err := fused.NewSideResult("enemyGradient", enemyValue, slope)
	return gorgonia.Nodes{gradient, own, enemy, slope}, err
}

// foldingGradient is the gradient of the factors: sums of the rows that share them.
type foldingGradient[T float] struct {
	fused.Operation
	folding           *folding[T]
	result            *tensor.Dense
	own, enemy, slope []T
}

// Do adds the gradients of the rows up.
func (o *foldingGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	f := o.folding
	gradient, h := f.Data(inputs[0]), f.hidden
	clear(o.own)
	clear(o.enemy)
	clear(o.slope)
	share(f.workers, f.layout.Columns(), func(column int) {
		for pair := range nnue.Pairs {
			row := gradient[(column*nnue.Pairs+pair)*h:][:h]
			f.add(o.own[(column*nnue.Cells+pair/nnue.Cells)*h:][:h], row)
			f.add(o.enemy[(column*nnue.Cells+pair%nnue.Cells)*h:][:h], row)
		}
	})
	for i := range nnue.StoreRows {
		difference := storeInput[T](i)
		for j, z := range gradient[(f.layout.StoreRow()+i)*h:][:h] {
			o.slope[j] += difference * z
		}
	}
	return o.result, nil
}

// summing adds up the rows that each position of a batch names, and clips the sums:
//
//	tables [rows, hidden] → [batch, hidden]
type summing[T float] struct {
	fused.Operation
	arithmetic[T]
	batch   *batch
	layout  nnue.Layout
	hidden  int
	workers int
	result  *tensor.Dense
	output  []T // backing of result
}

func newSumming[T float](a arithmetic[T], b *batch, l nnue.Layout, hidden, workers int, tables *gorgonia.Node) (*gorgonia.Node, error) {
	o := &summing[T]{arithmetic: a, batch: b, layout: l, hidden: hidden, workers: workers}
	o.result, o.output = fused.NewBuffer[T](b.size, hidden)
	o.Operation = fused.New("summing", o.result.Shape(), 2)
	return gorgonia.ApplyOp(o, tables)
}

// stripe is the number of positions that a worker takes at a time.
const stripe = 64

// Do adds and clips.
func (o *summing[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	tables, h, n := o.Data(inputs[0]), o.hidden, o.layout.Tables()
	share(o.workers, (o.batch.size+stripe-1)/stripe, func(part int) {
		for i := part * stripe; i < min((part+1)*stripe, o.batch.size); i++ {
			y := o.output[i*h:][:h]
			rows := o.batch.rows[i*n:][:n]
			copy(y, tables[int(rows[0])*h:])
			for _, r := range rows[1:] {
				o.add(y, tables[int(r)*h:][:h])
			}
			for j, x := range y {
				y[j] = min(max(x, 0), nnue.HiddenClip)
			}
		}
	})
	return o.result, nil
}

// DiffWRT says that the tables have a gradient.
func (o *summing[T]) DiffWRT(int) []bool { return []bool{true} }

// SymDiff adds the node of the tables' gradient.
func (o *summing[T]) SymDiff(_ gorgonia.Nodes, output, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	op := &summingGradient[T]{summing: o, z: make([]T, len(o.output))}
	op.result, op.tables = fused.NewBuffer[T](o.layout.Rows(), o.hidden)
	op.Operation = fused.New("summingGradient", op.result.Shape(), 2, 2)
	tables, err := gorgonia.ApplyOp(op, output, gradient)
	return gorgonia.Nodes{tables}, err
}

// summingGradient adds the gradient of each position to the rows that it named. Each table is one worker's, so that the
// order of the additions does not depend on their number.
type summingGradient[T float] struct {
	fused.Operation
	summing *summing[T]
	result  *tensor.Dense
	tables  []T // backing of result
	z       []T // gradient before the clipping
}

// Do adds.
func (o *summingGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	s := o.summing
	output, gradient, h, n := s.Data(inputs[0]), s.Data(inputs[1]), s.hidden, s.layout.Tables()
	for i, y := range output {
		o.z[i] = gradient[i]
		if y <= 0 || y >= nnue.HiddenClip {
			o.z[i] = 0
		}
	}
	clear(o.tables)
	share(s.workers, n, func(table int) {
		for i := range s.batch.size {
			row := int(s.batch.rows[i*n+table])
			s.add(o.tables[row*h:][:h], o.z[i*h:][:h])
		}
	})
	return o.result, nil
}

// share calls f with 0 to n-1, from a number of goroutines.
func share(workers, n int, f func(i int)) {
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	group.Wait()
}
