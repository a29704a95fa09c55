// This file stands in for the assembly where there is none.

//go:build !amd64 || noasm

package nnue

// vector says whether the processor runs assembly.
const vector = false

func (n *Network) evaluateVector(rows []int32, bucket int) int32 { return n.evaluateGo(rows, bucket) }
