// This file calls the assembly where the processor can run it.

//go:build amd64 && !noasm

package nnue

import "golang.org/x/sys/cpu"

// vector says whether the processor runs evaluateAVX2. Tests turn it off.
var vector = cpu.X86.HasAVX2

//go:noescape
func evaluateAVX2(tables *int16, rows *int32, count, hidden int, shift uint64, dense *int8, bias *int32, output *int16) int32

// evaluate returns the output for the sum of some rows, at least one of them, in a bucket.
func (n *Network) evaluate(rows []int32, bucket int) int32 {
	if !vector {
		return n.evaluateGo(rows, bucket)
	}
	at := bucket * Dense
	sum := evaluateAVX2(&n.tables[0], &rows[0], len(rows), n.hidden, uint64(n.shift), &n.dense[at*n.hidden], &n.bias[at], &n.output[at])
	return (sum + n.last[bucket]) >> logitShift
}
