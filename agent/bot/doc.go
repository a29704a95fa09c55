// Package bot evaluates a trained policy and value network by itself, without the
// framework that trained it: what plays needs no more than this, in a program or in
// a browser.
//
// A [Network] is a copy of weights in the order in which they are read; an
// [Inference] evaluates rows of features with it. A single row, which is what a
// search of one game asks for, skips what is zero: most features, half of the
// units behind a ReLU, and the logits of illegal actions. Several rows are matrix
// products. Nothing is allocated after the start.
//
// With the AVX2 and AVX-512 kernels of [kiothi/agent/blas] the logits have the
// bits that package network computes with the same weights, however many rows are
// evaluated together (up to the sign of a zero). Elsewhere they agree to 1e-5.
package bot
