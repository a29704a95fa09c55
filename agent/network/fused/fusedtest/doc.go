// Package fusedtest is the test kit of networks of fused operations: the number type in which gradients can be compared with
// finite differences, and the comparisons.
package fusedtest
