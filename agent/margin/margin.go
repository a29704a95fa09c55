// Package margin is what the network says about a result, and what it is worth. The network's value head is a categorical
// distribution over the final margin, the mover's store minus the enemy's. The chances of a win, a draw and a loss, the
// expected margin and any utility are sums over it, so that the same network can be told to win, to win by much, or to win
// by exactly two.
package margin

import (
	"fmt"
	"math"
	"slices"

	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// A Scale is a game's set of margins: the even numbers from -Max to Max. Bin i of the distribution is the margin 2i-Max.
type Scale struct {
	Max int // even
}

// Of returns the scale of a game: as far as all its rule sets together can go, so that they share networks.
func Of(g mancala.Game) (Scale, error) {
	switch g.Name() {
	case kiothi.Name:
		return Scale{mancala.MaxSeeds}, nil
	case riokadalis.Name:
		return Scale{riokadalis.MaxStones}, nil
	}
	return Scale{}, fmt.Errorf("game %q has no scale of margins", g.Name())
}

// Bins returns the number of bins.
func (s Scale) Bins() int { return s.Max + 1 }

// Margin returns the margin of a bin.
func (s Scale) Margin(bin int) int { return 2*bin - s.Max }

// Add adds a weight to a margin's bin of a distribution [Bins]. An odd margin, which only positions with an odd number of
// seeds have, is shared by its two neighbours.
func (s Scale) Add(distribution []float32, margin int, weight float32) {
	at := margin + s.Max
	distribution[at/2] += weight / 2
	distribution[(at+1)/2] += weight / 2
}

// A Utility says what a margin is worth to the player whose margin it is, from -1 to 1. The zero value counts wins.
type Utility struct {
	MarginShare float64 // share of the margin, scaled by the largest, against that of the outcome
	Warrior     float64 // wins that a victory by exactly two seeds counts (rules, section 2.5); 0 or 1: one
}

// Validate refuses settings without a meaning.
func (u Utility) Validate() error {
	if !(u.MarginShare >= 0 && u.MarginShare <= 1) {
		return fmt.Errorf("margin share %v, expected 0 to 1", u.MarginShare)
	}
	if u.Warrior != 0 && !(u.Warrior >= 1 && u.Warrior <= 10) {
		return fmt.Errorf("warrior weight %v, expected 1 to 10", u.Warrior)
	}
	return nil
}

// Of returns the utility of a margin. It is odd: what a player wins the other loses.
func (u Utility) Of(margin int, s Scale) float64 {
	weight := max(1, u.Warrior)
	outcome := 0.0
	switch {
	case margin == 2:
		outcome = 1
	case margin == -2:
		outcome = -1
	case margin > 0:
		outcome = 1 / weight
	case margin < 0:
		outcome = -1 / weight
	}
	return (1-u.MarginShare)*outcome + u.MarginShare*float64(margin)/float64(s.Max)
}

// Table returns the utility of each bin.
func (u Utility) Table(s Scale) []float32 {
	table := make([]float32, s.Bins())
	for bin := range table {
		table[bin] = float32(u.Of(s.Margin(bin), s))
	}
	return table
}

// Expected returns the mean of a table under the distribution whose logits are given, [Bins] both.
func Expected(table, logits []float32) float32 {
	highest := logits[0]
	for _, l := range logits {
		if l > highest { // several times as fast as max, which has an eye on NaN and -0
			highest = l
		}
	}
	table = table[:len(logits)]
	var sum, weighted float32
	for i, l := range logits {
		p := exp(l - highest)
		sum += p
		weighted += p * table[i]
	}
	return weighted / sum
}

// A Summary is a distribution in the words of a player.
type Summary struct {
	Win, Draw, Loss float64 // chances
	Margin          float64 // expected, in seeds
}

// Summarize returns the summary of the distribution whose logits are given.
func (s Scale) Summarize(logits []float32) Summary {
	highest := slices.Max(logits)
	var out Summary
	sum := 0.0
	for bin, l := range logits {
		p := math.Exp(float64(l - highest))
		sum += p
		margin := s.Margin(bin)
		out.Margin += p * float64(margin)
		switch {
		case margin > 0:
			out.Win += p
		case margin == 0:
			out.Draw += p
		default:
			out.Loss += p
		}
	}
	out.Win, out.Draw, out.Loss, out.Margin = out.Win/sum, out.Draw/sum, out.Loss/sum, out.Margin/sum
	return out
}

// Probabilities returns the probabilities whose logits are given, of margins or of actions.
func Probabilities(logits []float32) []float64 {
	highest := slices.Max(logits)
	out, sum := make([]float64, len(logits)), 0.0
	for i, l := range logits {
		out[i] = math.Exp(float64(l - highest))
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
