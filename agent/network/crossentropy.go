// This file is the softmax cross-entropy over some entries of each row, and its
// gradient.

package network

import (
	"fmt"
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
)

// crossEntropy is the share that a graph's rows have in the mean over the rows
// of a batch, weighted, of
//
//	-Σ target·log softmax(logits)
//
// with both the sum and the softmax over the row's legal entries: those that the
// mask marks, or the first columns without a mask. Other logits are never read,
// and their gradient is exactly 0. The arithmetic inside a row is float64.
//
//	logits [batch, stride], mask and target [batch, columns], weights [batch]
type crossEntropy[T float] struct {
	fused.Operation
	arithmetic[T]
	name                   string // of the head, for errors
	batch, columns, stride int
	masked                 bool
	weights                []T // of the rows
	result                 gorgonia.Value

	// What [normalise] sets.
	first int     // the graph's first row in the batch, for errors
	total float64 // of the weights of all rows of the batch

	mean    float64 // the result, not rounded to T
	entropy float64 // of the softmax, likewise
	invalid error   // why a row cannot have a loss, or nil

	// What the gradient reuses: of row i, the legal entries and their
	// probabilities lie from i·columns on, counts[i] of them.
	legal         []int32
	probabilities []float64
	counts        []int
}

// targetTolerance is how far from 1 the sum of a row's target may be: rounding,
// not a forgotten normalisation.
const targetTolerance = 1e-3

// newCrossEntropy adds the loss of one head to the graph of its nodes; mask may
// be nil.
func newCrossEntropy[T float](a arithmetic[T], name string, logits, mask, target, weights *gorgonia.Node) (*crossEntropy[T], *gorgonia.Node, error) {
	batch, columns := target.Shape()[0], target.Shape()[1]
	o := &crossEntropy[T]{
		arithmetic: a, name: name,
		batch: batch, columns: columns, stride: logits.Shape()[1],
		masked: mask != nil, result: a.NewScalar(),
		weights:       a.Data(weights.Value()),
		legal:         make([]int32, batch*columns),
		probabilities: make([]float64, batch*columns),
		counts:        make([]int, batch),
	}
	inputs, dimensions := gorgonia.Nodes{logits, target, weights}, []int{2, 2, 1}
	if o.masked {
		inputs, dimensions = append(inputs, mask), append(dimensions, 2)
	} else {
		for i := range o.legal {
			o.legal[i] = int32(i % columns)
		}
	}
	o.Operation = fused.New(name+"Loss", nil, dimensions...)
	node, err := gorgonia.ApplyOp(o, inputs...)
	return o, node, err
}

// Do computes the loss, or says in o.invalid why there is none: the tape machine
// would bury an error of Do in a description of its registers.
func (o *crossEntropy[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	logits, target, weights := o.Data(inputs[0]), o.Data(inputs[1]), o.Data(inputs[2])
	var mask []T
	if o.masked {
		mask = o.Data(inputs[3])
	}
	o.mean, o.entropy, o.invalid = 0, 0, nil
	clear(o.counts)
	for i, w := range weights {
		weight := float64(w)
		if weight == 0 {
			continue
		}
		o.counts[i] = o.columns
		if o.masked {
			o.counts[i] = gather(o.legal[i*o.columns:], mask[i*o.columns:(i+1)*o.columns])
		}
		loss, entropy, err := o.row(i, weight, logits[i*o.stride:], target[i*o.columns:])
		if err != nil {
			o.invalid = err
			break
		}
		o.mean += weight * loss
		o.entropy += weight * entropy
	}
	if o.total != 0 {
		o.mean /= o.total
		o.entropy /= o.total
	}
	o.SetScalar(o.result, o.mean)
	return o.result, nil
}

// normalise tells the losses of the graphs of a batch's rows, in their order, by
// what to divide: the weights of all of them together.
func normalise[T float](graphs ...*graph[T]) {
	for head := range graphs[0].losses {
		first, total := 0, 0.0
		for _, g := range graphs {
			for _, w := range g.losses[head].weights {
				total += float64(w)
			}
		}
		for _, g := range graphs {
			g.losses[head].first, g.losses[head].total = first, total
			first += g.batch
		}
	}
}

// gather writes the indices of the entries that mask marks, and counts them.
func gather[T float](legal []int32, mask []T) int {
	n := 0
	for j, v := range mask {
		if v != 0 {
			legal[n] = int32(j)
			n++
		}
	}
	return n
}

// row computes the probabilities, the loss and the entropy of row i, whose legal
// entries are listed.
func (o *crossEntropy[T]) row(i int, weight float64, logits, target []T) (loss, entropy float64, err error) {
	if weight < 0 {
		return 0, 0, fmt.Errorf("%s weight of row %d is %v, expected 0 or more", o.name, o.first+i, weight)
	}
	start, end := i*o.columns, i*o.columns+o.counts[i]
	legal, probabilities := o.legal[start:end], o.probabilities[start:end]
	if len(legal) == 0 {
		return 0, 0, fmt.Errorf("row %d has %s weight but no legal action; give it weight 0 or a mask", o.first+i, o.name)
	}
	greatest := math.Inf(-1)
	for _, j := range legal {
		greatest = max(greatest, float64(logits[j]))
	}
	var sum, weighted, wanted, dot float64
	for k, j := range legal {
		x, t := float64(logits[j])-greatest, float64(target[j])
		e := math.Exp(x)
		probabilities[k] = e
		sum += e
		if e > 0 { // far below the greatest, x could be -Inf where e is 0
			weighted += e * x
		}
		wanted += t
		if t != 0 {
			dot += t * x
		}
	}
	if math.Abs(wanted-1) > targetTolerance {
		return 0, 0, fmt.Errorf("%s target of row %d sums to %v over its %d legal entries, expected 1", o.name, o.first+i, wanted, len(legal))
	}
	for k := range probabilities {
		probabilities[k] /= sum
	}
	logSum := math.Log(sum)
	return wanted*logSum - dot, logSum - weighted/sum, nil
}

// DiffWRT says that only the logits have a gradient.
func (o *crossEntropy[T]) DiffWRT(inputs int) []bool {
	return []bool{true, false, false, false}[:inputs]
}

// SymDiff adds the node of the logits' gradient.
func (o *crossEntropy[T]) SymDiff(inputs gorgonia.Nodes, output, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	op := &crossEntropyGradient[T]{loss: o}
	op.result, op.gradient = fused.NewBuffer[T](o.batch, o.stride)
	op.Operation = fused.New(o.name+"LossGradient", op.result.Shape(), 2, 1, 0, 0)
	node, err := gorgonia.ApplyOp(op, inputs[1], inputs[2], output, gradient)
	return gorgonia.Nodes{node, nil, nil, nil}[:len(inputs)], err
}

// crossEntropyGradient is weight/Σweights·(softmax·Σtarget - target) at legal
// entries. Its input from the loss orders the two: it reads what the loss kept.
type crossEntropyGradient[T float] struct {
	fused.Operation
	loss     *crossEntropy[T]
	result   *tensor.Dense
	gradient []T
}

// Do computes the gradient of every logit.
func (o *crossEntropyGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	loss := o.loss
	target, weights, upstream := loss.Data(inputs[0]), loss.Data(inputs[1]), loss.Scalar(inputs[3])
	clear(o.gradient)
	for i, count := range loss.counts {
		start := i * loss.columns
		targets, gradient := target[start:start+loss.columns], o.gradient[i*loss.stride:]
		legal, probabilities := loss.legal[start:start+count], loss.probabilities[start:start+count]
		wanted := 0.0
		for _, j := range legal {
			wanted += float64(targets[j])
		}
		scale := upstream * float64(weights[i]) / loss.total
		for k, j := range legal {
			gradient[j] = T(scale * (probabilities[k]*wanted - float64(targets[j])))
		}
	}
	return o.result, nil
}
