// This file calls the assembly where the processor can run it.

//go:build amd64 && !noasm

package nnue

import "golang.org/x/sys/cpu"

// vector says whether the processor runs assembly.
var vector = cpu.X86.HasAVX2

//go:noescape
func evaluateAVX2(tables *int16, rows *int32, count, hidden int, shift uint64, dense *int8, bias *int32, output *int16) int32

// evaluateVector is evaluate by assembly.
func (n *Network) evaluateVector(rows []int32, bucket int) int32 {
	at := bucket * Dense
	sum := evaluateAVX2(&n.tables[0], &rows[0], len(rows), n.hidden, uint64(n.shift), &n.dense[at*n.hidden], &n.bias[at], &n.output[at])
	return (sum + n.last[bucket]) >> logitShift
}
