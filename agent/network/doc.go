// Package network is the policy and value network: a trunk of residual dense
// blocks, a policy head over all actions of a game, and a value head that is a
// categorical distribution over the final margin.
//
// The package knows no game; a [Config] of sizes describes a network, and
// [Weights] holds its numbers: both are package weights', which needs no Gorgonia.
// [Inference] evaluates rows of features with them, and [Trainer] improves them.
// All three may share one set of weights: what a step of the trainer writes, the
// next evaluation reads, so a step and an evaluation over the same weights must
// not run at the same time.
//
// Graph, differentiation and, in training, the tape machine are Gorgonia's;
// inference runs the graph's layers itself. The operations are
// this package's own: a dense layer with bias, residual and ReLU in one, and a
// softmax cross-entropy over legal actions, each with its gradient. They own
// their output buffers, so that a run allocates no tensor, and they multiply
// with [kiothi/agent/blas], so that the bits of a row depend neither on the rows
// beside it nor on the number of workers.
package network
