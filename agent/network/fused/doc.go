// Package fused is what the Gorgonia operations of several networks have in common: what Gorgonia asks of every operation, the
// number type that a graph is built in, and the product of matrices. An operation embeds [Operation] and defines Do, and
// DiffWRT and SymDiff where it has a gradient.
package fused
