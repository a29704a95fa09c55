package replay

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file is the policy of a position in whole parts.

// Unit is the sum of the weights of a policy.
const Unit = math.MaxUint16

// An Entry is one action's part in a policy.
type Entry struct {
	Action uint16
	Weight uint16 // 1 to Unit: parts of Unit
}

// Probability returns the action's probability.
func (e Entry) Probability() float32 { return float32(e.Weight) / Unit }

// tolerance is how far from 1 the probabilities of a policy may sum to: some thousand roundings of a float32.
const tolerance = 1e-3

// quantise appends a policy in whole parts to dst: each action gets the integer part of its share of Unit, and what is
// then left goes, one each, to those that lost most, the lower action first among equals. The weights sum to Unit
// exactly; actions without weight are left out. It refuses probabilities that are not finite, negative, or do not sum to
// 1 within a thousandth, and legal actions that do not ascend.
func quantise(dst []Entry, legal []mancala.Action, policy []float32) ([]Entry, error) {
	sum, err := checkPolicy(legal, policy)
	if err != nil {
		return dst, err
	}
	var space [128]float64 // more actions than a position of these games has
	lost := space[:0]
	first, left := len(dst), Unit
	for i, p := range policy {
		// The conversion keeps a compiler from fusing product and difference, which would round otherwise.
		share := float64(float64(p) / sum * Unit)
		whole := math.Floor(share)
		lost = append(lost, share-whole)
		left -= int(whole)
		dst = append(dst, Entry{uint16(legal[i]), uint16(whole)})
	}
	for ; left > 0; left-- {
		most := 0
		for i := range lost {
			if lost[i] > lost[most] {
				most = i
			}
		}
		lost[most] = -1
		dst[first+most].Weight++
	}
	kept := first
	for _, e := range dst[first:] {
		if e.Weight > 0 {
			dst[kept] = e
			kept++
		}
	}
	return dst[:kept], nil
}

// checkPolicy returns the sum of a policy that can be quantised.
func checkPolicy(legal []mancala.Action, policy []float32) (float64, error) {
	if len(legal) != len(policy) || len(policy) == 0 {
		return 0, fmt.Errorf("policy: found %d probabilities for %d legal actions, expected one each", len(policy), len(legal))
	}
	sum := 0.0
	for i, p := range policy {
		if !(p >= 0) || math.IsInf(float64(p), 0) {
			return 0, fmt.Errorf("policy: found the probability %v of action %d, expected a finite number from 0", p, legal[i])
		}
		if legal[i] < 0 || legal[i] > math.MaxUint16 || i > 0 && legal[i] <= legal[i-1] {
			return 0, fmt.Errorf("policy: found the legal actions %v, expected ascending ids below %d", legal, math.MaxUint16+1)
		}
		sum += float64(p)
	}
	if math.Abs(sum-1) > tolerance {
		return 0, fmt.Errorf("policy: found a sum of %v, expected 1", sum)
	}
	return sum, nil
}
