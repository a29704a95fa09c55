// This file is the memory of a batch to learn from.

package network

// examples is the buffers of a training batch, which the caller of a [Trainer]
// fills.
type examples[T float] struct {
	input                       []T // [batch, InputStride]
	mask, policyTarget          []T // [batch, Actions]
	marginTarget                []T // [batch, Bins]
	policyWeights, valueWeights []T // [batch]
}

// newExamples makes the buffers of a batch, with row weights of one.
func newExamples[T float](c Config, batch int) examples[T] {
	e := examples[T]{
		input: make([]T, batch*c.InputStride()),
		mask:  make([]T, batch*c.Actions), policyTarget: make([]T, batch*c.Actions),
		marginTarget:  make([]T, batch*c.Bins),
		policyWeights: make([]T, batch), valueWeights: make([]T, batch),
	}
	for i := range batch {
		e.policyWeights[i], e.valueWeights[i] = 1, 1
	}
	return e
}

// part is the rows [from, to), in the same memory.
func (e examples[T]) part(c Config, from, to int) examples[T] {
	rows := func(data []T, stride int) []T { return data[from*stride : to*stride : to*stride] }
	return examples[T]{
		input: rows(e.input, c.InputStride()),
		mask:  rows(e.mask, c.Actions), policyTarget: rows(e.policyTarget, c.Actions),
		marginTarget:  rows(e.marginTarget, c.Bins),
		policyWeights: rows(e.policyWeights, 1), valueWeights: rows(e.valueWeights, 1),
	}
}
