package bridge

import (
	"kiothi/env"
)

// This file is what a Versus writes into the memory of its owner.

// put writes an entry of a buffer, which may be left out.
func put[T any](buffer []T, i int, value T) {
	if buffer != nil {
		buffer[i] = value
	}
}

// writeStart writes a row whose game was just begun outside of a step, or in place of one.
func (v *Versus) writeStart(i int, b *env.Buffers) {
	put(b.Rewards, i, 0)
	put(b.BothRewards, 2*i, 0)
	put(b.BothRewards, 2*i+1, 0)
	put(b.Actors, i, env.NoPlayer)
	put(b.Terminated, i, false)
	put(b.Truncated, i, false)
	v.writeInfo(i, &b.Infos)
}

// writeStep writes what a step did, and what a game left that it ended.
func (v *Versus) writeStep(i int, b *env.Buffers) {
	r := v.rows[i]
	put(b.Rewards, i, float32(r.last.Rewards[r.seat]))
	put(b.BothRewards, 2*i, float32(r.last.Rewards[0]))
	put(b.BothRewards, 2*i+1, float32(r.last.Rewards[1]))
	put(b.Actors, i, int32(r.seat))
	put(b.Terminated, i, r.last.Terminated)
	put(b.Truncated, i, r.last.Truncated)
	v.writeInfo(i, &b.Infos)
	if !r.running {
		r.observe(b.FinalObservations, i)
		put(b.FinalPlayers, i, int32(r.seat))
	}
}

// writeInfo writes what a game tells beyond that.
func (v *Versus) writeInfo(i int, f *env.Infos) {
	r := v.rows[i]
	put(f.Stores, 2*i, int32(r.last.Info.Stores[0]))
	put(f.Stores, 2*i+1, int32(r.last.Info.Stores[1]))
	put(f.Steps, i, int32(r.steps))
	put(f.Turns, i, int32(r.last.Info.Turns))
	reason := int32(r.last.Info.Reason)
	if r.illegal {
		reason = ReasonIllegal
	}
	put(f.Reasons, i, reason)
}

// writeView writes what the learner sees, and may do.
func (v *Versus) writeView(i int, b *env.Buffers) {
	r := v.rows[i]
	r.observe(b.Observations, i)
	if n := r.ActionSpace().N; b.Masks != nil {
		mask := b.Masks[i*n : (i+1)*n]
		if r.running {
			r.ActionMask(mask)
		} else {
			clear(mask)
		}
	}
	put(b.Players, i, int32(r.seat))
}

// observe writes the learner's observation into row i of a buffer.
func (r *versusRow) observe(buffer []float32, i int) {
	if buffer == nil {
		return
	}
	observation := r.last.Observation
	dst := buffer[i*len(observation) : (i+1)*len(observation)]
	copy(dst, observation)
	if r.last.Info.Player != r.seat {
		turn(dst, 2*r.Game().Width())
	}
}

// turn changes an observation [planes, size] to what the other seat sees of the same position: each plane turned by half
// a circle, since the players face each other. What the planes say of the mover, such as the hand, stays with the mover.
func turn(observation []float32, size int) {
	for ; len(observation) > 0; observation = observation[size:] {
		for a, z := 0, size-1; a < z; a, z = a+1, z-1 {
			observation[a], observation[z] = observation[z], observation[a]
		}
	}
}
