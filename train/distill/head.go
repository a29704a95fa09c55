// This file is the layers after the first, of which each bucket has its own, and the loss.

package distill

import (
	"math"

	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
	"kiothi/agent/nnue"
)

// head takes of each position its bucket's part of the second layer, and returns the logit:
//
//	second [batch, buckets·dense], before the bias; bias and weights [buckets, dense]; last [1, buckets] → [batch, 1]
type head[T float] struct {
	fused.Operation
	arithmetic[T]
	batch  *batch
	result *tensor.Dense
	logits []T // backing of result
	hidden []T // [batch, dense]: the second layer, clipped
}

func newHead[T float](a arithmetic[T], b *batch, second, bias, weights, last *gorgonia.Node) (*head[T], *gorgonia.Node, error) {
	o := &head[T]{arithmetic: a, batch: b, hidden: make([]T, b.size*nnue.Dense)}
	o.result, o.logits = fused.NewBuffer[T](b.size, 1)
	o.Operation = fused.New("head", o.result.Shape(), 2, 2, 2, 2)
	node, err := gorgonia.ApplyOp(o, second, bias, weights, last)
	return o, node, err
}

// Do computes the logits.
func (o *head[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	second, bias, weights, last := o.Data(inputs[0]), o.Data(inputs[1]), o.Data(inputs[2]), o.Data(inputs[3])
	for i, bucket := range o.batch.buckets {
		at := int(bucket) * nnue.Dense
		x := second[i*nnue.Buckets*nnue.Dense+at:][:nnue.Dense]
		b, w, y := bias[at:][:nnue.Dense], weights[at:][:nnue.Dense], o.hidden[i*nnue.Dense:][:nnue.Dense]
		logit := last[bucket]
		for j := range y {
			y[j] = min(max(x[j]+b[j], 0), nnue.DenseClip)
			logit += T(y[j] * w[j])
		}
		o.logits[i] = logit
	}
	return o.result, nil
}

// DiffWRT says that all inputs have a gradient.
func (o *head[T]) DiffWRT(int) []bool { return []bool{true, true, true, true} }

// SymDiff adds the nodes of the gradients.
func (o *head[T]) SymDiff(inputs gorgonia.Nodes, _, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	op := &headGradient[T]{head: o}
	var biasValue, weightsValue, lastValue *tensor.Dense
	op.result, op.second = fused.NewBuffer[T](o.batch.size, nnue.Buckets*nnue.Dense)
	biasValue, op.bias = fused.NewBuffer[T](nnue.Buckets, nnue.Dense)
	weightsValue, op.weights = fused.NewBuffer[T](nnue.Buckets, nnue.Dense)
	lastValue, op.last = fused.NewBuffer[T](1, nnue.Buckets)
	op.Operation = fused.New("headGradient", op.result.Shape(), 2, 2)
	second, err := gorgonia.ApplyOp(op, inputs[2], gradient)
	if err != nil {
		return nil, err
	}
	nodes := gorgonia.Nodes{second}
	for _, side := range []struct {
		name  string
		value *tensor.Dense
	}{{"biasGradient", biasValue}, {"outputGradient", weightsValue}, {"lastGradient", lastValue}} {
		node, err := fused.NewSideResult(side.name, side.value, second)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
	}
	return nodes, nil
}

// headGradient is the gradient of the head, from its weights and the logits' gradient.
type headGradient[T float] struct {
	fused.Operation
	head                        *head[T]
	result                      *tensor.Dense
	second, bias, weights, last []T
}

// Do computes all gradients.
func (o *headGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	weights, gradient := o.head.Data(inputs[0]), o.head.Data(inputs[1])
	for _, part := range [][]T{o.second, o.bias, o.weights, o.last} {
		clear(part)
	}
	for i, bucket := range o.head.batch.buckets {
		at := int(bucket) * nnue.Dense
		w, y, z := weights[at:][:nnue.Dense], o.head.hidden[i*nnue.Dense:][:nnue.Dense], gradient[i]
		second := o.second[i*nnue.Buckets*nnue.Dense+at:][:nnue.Dense]
		bias, output := o.bias[at:][:nnue.Dense], o.weights[at:][:nnue.Dense]
		o.last[bucket] += z
		for j, x := range y {
			output[j] += T(x * z)
			if x > 0 && x < nnue.DenseClip {
				second[j] = w[j] * z
				bias[j] += second[j]
			}
		}
	}
	return o.result, nil
}

// crossEntropy is the mean over the batch of the cross-entropy, in nats, between the targets and the logits' probabilities:
//
//	-t log σ(x) - (1-t) log σ(-x)
type crossEntropy[T float] struct {
	fused.Operation
	arithmetic[T]
	batch  *batch
	result gorgonia.Value
	mean   float64 // the result, not rounded to T
}

func newCrossEntropy[T float](a arithmetic[T], b *batch, logits *gorgonia.Node) (*crossEntropy[T], *gorgonia.Node, error) {
	o := &crossEntropy[T]{Operation: fused.New("crossEntropy", nil, 2), arithmetic: a, batch: b, result: a.NewScalar()}
	node, err := gorgonia.ApplyOp(o, logits)
	return o, node, err
}

// Do computes the loss.
func (o *crossEntropy[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	sum := 0.0
	for i, x := range o.Data(inputs[0]) {
		sum += entropy(float64(o.batch.targets[i]), float64(x))
	}
	o.mean = sum / float64(o.batch.size)
	o.SetScalar(o.result, o.mean)
	return o.result, nil
}

// entropy is the cross-entropy between a probability and that of a logit, in nats.
func entropy(target, logit float64) float64 {
	return max(logit, 0) - logit*target + math.Log1p(math.Exp(-math.Abs(logit)))
}

// sigmoid is the probability of a logit.
func sigmoid(logit float64) float64 { return 1 / (1 + math.Exp(-logit)) }

// DiffWRT says that the logits have a gradient.
func (o *crossEntropy[T]) DiffWRT(int) []bool { return []bool{true} }

// SymDiff adds the node of the logits' gradient.
func (o *crossEntropy[T]) SymDiff(inputs gorgonia.Nodes, _, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	op := &crossEntropyGradient[T]{loss: o}
	op.result, op.gradient = fused.NewBuffer[T](o.batch.size, 1)
	op.Operation = fused.New("crossEntropyGradient", op.result.Shape(), 2, 0)
	node, err := gorgonia.ApplyOp(op, inputs[0], gradient)
	return gorgonia.Nodes{node}, err
}

// crossEntropyGradient is the gradient of the logits: σ(x) - t, by the size of the batch.
type crossEntropyGradient[T float] struct {
	fused.Operation
	loss     *crossEntropy[T]
	result   *tensor.Dense
	gradient []T
}

// Do computes it.
func (o *crossEntropyGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	scale := o.loss.Scalar(inputs[1]) / float64(o.loss.batch.size)
	for i, x := range o.loss.Data(inputs[0]) {
		o.gradient[i] = T(scale * (sigmoid(float64(x)) - float64(o.loss.batch.targets[i])))
	}
	return o.result, nil
}
