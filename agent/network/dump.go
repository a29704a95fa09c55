// This file writes a batch out for inspection.

package network

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/nlpodyssey/safetensors"
)

// DumpBatch writes the buffers of the trainer as safetensors, numbers that are
// not finite included: input [batch, Inputs], mask and policy_target [batch,
// Actions], margin_target [batch, Bins], policy_weights and value_weights
// [batch]. It is for looking at a batch on which [Trainer.Step] failed.
func (t *Trainer) DumpBatch(w io.Writer) error {
	g, c := t.batch, t.weights.Config()
	views := map[string]safetensors.TensorView{}
	for _, b := range []struct {
		name   string
		data   []float32
		stride int
		shape  []uint64
	}{
		{"input", g.input, c.InputStride(), []uint64{uint64(t.Batch()), uint64(c.Inputs)}},
		{"mask", g.mask, c.Actions, []uint64{uint64(t.Batch()), uint64(c.Actions)}},
		{"policy_target", g.policyTarget, c.Actions, []uint64{uint64(t.Batch()), uint64(c.Actions)}},
		{"margin_target", g.marginTarget, c.Bins, []uint64{uint64(t.Batch()), uint64(c.Bins)}},
		{"policy_weights", g.policyWeights, 1, []uint64{uint64(t.Batch())}},
		{"value_weights", g.valueWeights, 1, []uint64{uint64(t.Batch())}},
	} {
		size := 1
		if len(b.shape) == 2 {
			size = int(b.shape[1])
		}
		var bytes []byte
		for i := range t.Batch() {
			for _, v := range row(b.data, i, b.stride, size) {
				bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(v))
			}
		}
		view, err := safetensors.NewTensorView(safetensors.F32, b.shape, bytes)
		if err != nil {
			return fmt.Errorf("network: writing the batch: %s: %w", b.name, err)
		}
		views[b.name] = view
	}
	if err := safetensors.SerializeToWriter(views, nil, w); err != nil {
		return fmt.Errorf("network: writing the batch: %w", err)
	}
	return nil
}
