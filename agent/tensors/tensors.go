// Package tensors shows the buffers of an env.Vector as Gorgonia's tensors, over the same memory: what a step writes is in
// the tensors at once, and nothing is copied. (Package env itself needs nothing but the standard library.)
package tensors

import (
	"gorgonia.org/tensor"

	"kiothi/env"
)

// Views are the buffers of a Vector of n rows as tensors. Those of buffers that are nil are nil.
type Views struct {
	Observations *tensor.Dense // [n, planes, 2, W] float32
	Masks        *tensor.Dense // [n, actions] bool
	Players      *tensor.Dense // [n] int32

	Rewards     *tensor.Dense // [n] float32
	BothRewards *tensor.Dense // [n, 2] float32
	Actors      *tensor.Dense // [n] int32
	Terminated  *tensor.Dense // [n] bool
	Truncated   *tensor.Dense // [n] bool

	FinalObservations *tensor.Dense // [n, planes, 2, W] float32
	FinalPlayers      *tensor.Dense // [n] int32
}

// Of returns the views of buffers that fit a Vector.
func Of(v *env.Vector, b *env.Buffers) Views {
	n := v.Len()
	observations := append([]int{n}, v.ObservationSpace().Shape...)
	return Views{
		Observations:      view(b.Observations, observations...),
		Masks:             view(b.Masks, n, v.ActionSpace().N),
		Players:           view(b.Players, n),
		Rewards:           view(b.Rewards, n),
		BothRewards:       view(b.BothRewards, n, 2),
		Actors:            view(b.Actors, n),
		Terminated:        view(b.Terminated, n),
		Truncated:         view(b.Truncated, n),
		FinalObservations: view(b.FinalObservations, observations...),
		FinalPlayers:      view(b.FinalPlayers, n),
	}
}

// view returns a tensor over a slice, nil for a slice that is nil.
func view[T any](backing []T, shape ...int) *tensor.Dense {
	if backing == nil {
		return nil
	}
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(backing))
}
