// This file is the dense layer and its gradient.

package network

import (
	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"kiothi/agent/network/fused"
)

// dense is y = x·w + b, plus a residual if it has one, through ReLU if it wants:
//
//	x [batch, in], w [in, out], b [out], residual and y [batch, out]
type dense[T float] struct {
	fused.Operation
	denseConfig
	arithmetic[T]
	batch, in, out int
	rows           *int // rows in use, read at each run; the others are left alone
	result         *tensor.Dense
	output         []T // backing of result
}

type denseConfig struct {
	relu          bool
	inputGradient bool // whether x depends on parameters
}

// newDense adds a dense layer to the graph of its inputs, which are x, w, b and,
// if there is one, the residual.
func newDense[T float](a arithmetic[T], c denseConfig, rows *int, inputs gorgonia.Nodes) (*dense[T], *gorgonia.Node, error) {
	o := &dense[T]{denseConfig: c, arithmetic: a, rows: rows}
	x, w := inputs[0], inputs[1]
	o.batch, o.in, o.out = x.Shape()[0], w.Shape()[0], w.Shape()[1]
	o.result, o.output = fused.NewBuffer[T](o.batch, o.out)
	o.Operation = fused.New("dense", o.result.Shape(), []int{2, 2, 1, 2}[:len(inputs)]...)
	node, err := gorgonia.ApplyOp(o, inputs...)
	return o, node, err
}

// Do computes the rows in use.
func (o *dense[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	x, w, b := o.Data(inputs[0]), o.Data(inputs[1]), o.Data(inputs[2])
	var residual []T
	if len(inputs) == 4 {
		residual = o.Data(inputs[3])
	}
	n := *o.rows
	o.Multiply(gblas.NoTrans, gblas.NoTrans, n, o.out, o.in, x, w, o.output)
	o.biasReLU(o.output, b, residual, n, o.out, o.relu)
	return o.result, nil
}

// DiffWRT says which inputs have a gradient.
func (o *dense[T]) DiffWRT(inputs int) []bool {
	wanted := []bool{o.inputGradient, true, true, true}
	return wanted[:inputs]
}

// SymDiff adds the nodes of the gradients. With z the gradient before the ReLU,
// they are z·wᵀ of x, xᵀ·z of w, the sum of z's rows of b, and z of the residual.
func (o *dense[T]) SymDiff(inputs gorgonia.Nodes, output, gradient *gorgonia.Node) (gorgonia.Nodes, error) {
	x, w := inputs[0], inputs[1]
	z, bias, err := o.activationGradient(output, gradient)
	if err != nil {
		return nil, err
	}
	weight, err := fused.NewProduct(o.arithmetic, "weightGradient", gblas.Trans, gblas.NoTrans, o.in, o.out, o.batch, x, z)
	if err != nil {
		return nil, err
	}
	var input *gorgonia.Node
	if o.inputGradient {
		input, err = fused.NewProduct(o.arithmetic, "inputGradient", gblas.NoTrans, gblas.Trans, o.batch, o.in, o.out, z, w)
		if err != nil {
			return nil, err
		}
	}
	return gorgonia.Nodes{input, weight, bias, z}[:len(inputs)], nil
}

// activationGradient returns the nodes of z and of the bias's gradient. Without
// ReLU z is the gradient itself, and only the bias needs a pass over it.
func (o *dense[T]) activationGradient(output, gradient *gorgonia.Node) (z, bias *gorgonia.Node, err error) {
	biasValue, biasData := fused.NewBuffer[T](o.out)
	if !o.relu {
		bias, err = gorgonia.ApplyOp(&rowSum[T]{
			Operation:  fused.New("biasGradient", biasValue.Shape(), 2),
			arithmetic: o.arithmetic, rows: o.batch, columns: o.out, result: biasValue, sums: biasData,
		}, gradient)
		return gradient, bias, err
	}
	op := &reluGradient[T]{arithmetic: o.arithmetic, rows: o.batch, columns: o.out, bias: biasData}
	op.result, op.z = fused.NewBuffer[T](o.batch, o.out)
	op.Operation = fused.New("reluGradient", op.result.Shape(), 2, 2)
	if z, err = gorgonia.ApplyOp(op, output, gradient); err != nil {
		return nil, nil, err
	}
	bias, err = fused.NewSideResult("biasGradient", biasValue, z)
	return z, bias, err
}

// reluGradient is the gradient through a ReLU, from the ReLU's output and the
// output's gradient. It sums the bias's gradient in the same pass.
type reluGradient[T float] struct {
	fused.Operation
	arithmetic[T]
	rows, columns int
	result        *tensor.Dense
	z, bias       []T
}

// Do computes both.
func (o *reluGradient[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	o.reluGradient(o.z, o.Data(inputs[0]), o.Data(inputs[1]), o.bias, o.rows, o.columns, true)
	return o.result, nil
}

// rowSum is the sum of a matrix's rows.
type rowSum[T float] struct {
	fused.Operation
	arithmetic[T]
	rows, columns int
	result        *tensor.Dense
	sums          []T
}

// Do adds the rows up.
func (o *rowSum[T]) Do(inputs ...gorgonia.Value) (gorgonia.Value, error) {
	m := o.Data(inputs[0]) // copied to itself, so not changed
	o.reluGradient(m, m, m, o.sums, o.rows, o.columns, false)
	return o.result, nil
}
