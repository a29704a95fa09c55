// This file adds the heads' losses up.

package network

import (
	"gorgonia.org/gorgonia"

	"kiothi/agent/network/fused"
)

// totalLoss is policy + valueWeight·value.
type totalLoss[T float] struct {
	fused.Operation
	arithmetic[T]
	valueWeight float64
	result      gorgonia.Value
}

func newTotalLoss[T float](a arithmetic[T], valueWeight float64, policy, value *gorgonia.Node) (*gorgonia.Node, error) {
	return gorgonia.ApplyOp(&totalLoss[T]{fused.New("totalLoss", nil, 0, 0), a, valueWeight, a.NewScalar()}, policy, value)
}

// Do adds.
func (o *totalLoss[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	o.SetScalar(o.result, o.Scalar(inputs[0])+o.valueWeight*o.Scalar(inputs[1]))
	return o.result, nil
}

// DiffWRT says that both losses have a gradient.
func (o *totalLoss[T]) DiffWRT(int) []bool { return []bool{true, true} }

// SymDiff passes the gradient to the policy loss, and scaled to the value loss.
func (o *totalLoss[T]) SymDiff(_ gorgonia.Nodes, _, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	value, err := gorgonia.ApplyOp(&scaled[T]{fused.New("scaled", nil, 0), o.arithmetic, o.valueWeight, o.NewScalar()}, gradient)
	return gorgonia.Nodes{gradient, value}, err
}

// scaled is a scalar times a constant.
type scaled[T float] struct {
	fused.Operation
	arithmetic[T]
	factor float64
	result gorgonia.Value
}

// Do multiplies.
func (o *scaled[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	o.SetScalar(o.result, o.factor*o.Scalar(inputs[0]))
	return o.result, nil
}
