// Package server lets any agent answer the engine protocol (agent/engine/README.md) on a pair of streams.
//
// Three goroutines take part: one reads lines, one carries out commands in their order, and one thinks while there is
// something to think about. Answers are written by the second alone, so that lines never mix.
package server
