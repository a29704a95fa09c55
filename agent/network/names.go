// This file is the words of package weights that this package's own are made of.

package network

import "kiothi/agent/network/weights"

// The numbers of a network, their description and what can be wrong with them.
type (
	Config         = weights.Config
	Weights        = weights.Weights
	Tensor         = weights.Tensor
	NotFiniteError = weights.NotFiniteError
)
