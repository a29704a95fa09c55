// Package weights is the numbers of a policy and value network and their places:
// the sizes that describe a network, where its parameters lie, their names and
// shapes in a file, and the check that they are finite.
//
// It knows of no way to compute with them: package network does so on Gorgonia and
// learns, package bot does so by itself and plays.
package weights
