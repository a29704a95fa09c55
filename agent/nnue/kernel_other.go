// This file stands in for the assembly where there is none.

//go:build !amd64 || noasm

package nnue

// evaluate returns the output for the sum of some rows in a bucket.
func (n *Network) evaluate(rows []int32, bucket int) int32 { return n.evaluateGo(rows, bucket) }
