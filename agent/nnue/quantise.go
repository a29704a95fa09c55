package nnue

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file turns the learned network into the one that plays.

// A Report says what quantising a network cost.
type Report struct {
	Shift int // the tables count in 1/(128 << Shift)
	// Bounded is the number of weights and biases after the first layer that stand at the end of what can be quantised, where
	// Clip or Quantise holds them: the network would have liked them larger.
	Bounded int
	// Table, Dense and Output are the largest differences between a parameter and its quantised value.
	Table, Dense, Output float64
}

// String says it in a line.
func (r Report) String() string {
	return fmt.Sprintf("shift %d, %d weights at their bound, largest error: tables %.2g, dense %.2g, output %.2g", r.Shift, r.Bounded, r.Table, r.Dense, r.Output)
}

// Quantise returns the network for play, in the finest fractions for which no sum of rows can overflow.
func (f *Float) Quantise(g mancala.Game, p Provenance) (*Network, Report, error) {
	l, err := LayoutOf(g)
	if err != nil {
		return nil, Report{}, err
	}
	if l != f.Layout {
		return nil, Report{}, fmt.Errorf("the parameters are not for %s with rules %s", g.Name(), g.Rules())
	}
	if err := f.check(); err != nil {
		return nil, Report{}, fmt.Errorf("the parameters cannot be quantised: %w", err)
	}
	n := &Network{game: g.Name(), rules: g.Rules(), provenance: p, layout: l, hidden: f.Hidden}
	var r Report
	n.allocate()
	for shift := maxShift; ; shift-- {
		if shift < 0 {
			return nil, Report{}, fmt.Errorf("the parameters cannot be quantised: the first layer reaches beyond %d", math.MaxInt16/unit)
		}
		n.shift = uint(shift)
		var fits bool
		if r.Table, fits = f.quantiseTables(n); fits && n.checkSums() == nil {
			break
		}
	}
	r.Shift = int(n.shift)
	f.quantiseRest(n, &r)
	if err := n.check(); err != nil {
		return nil, Report{}, fmt.Errorf("the parameters cannot be quantised: %w", err)
	}
	return n.finish(), r, nil
}

// quantiseTables fills the tables by the network's shift, and returns the largest error; ok is false if a value does not fit.
func (f *Float) quantiseTables(n *Network) (worst float64, ok bool) {
	scale := float64(int(unit) << n.shift)
	// Half a unit in a row that every position has one of makes the shift of the activation round to nearest.
	half := scale / unit / 2
	for i, w := range f.Tables {
		x := float64(w) * scale
		if i >= f.Layout.clockRow()*f.Hidden {
			x += math.Floor(half)
		}
		q := math.Round(x)
		if q < math.MinInt16 || q > math.MaxInt16 {
			return 0, false
		}
		n.tables[i] = int16(q)
		worst = max(worst, math.Abs(q-x)/scale)
	}
	return worst, true
}

// quantiseRest fills all but the tables.
func (f *Float) quantiseRest(n *Network, r *Report) {
	round := func(w float32, scale, bound float64, worst *float64) float64 {
		x := float64(w) * scale
		q := math.Round(x)
		if math.Abs(q) >= bound {
			r.Bounded++
			return min(max(q, -bound), bound)
		}
		*worst = max(*worst, math.Abs(q-x)/scale)
		return q
	}
	for j := range f.Hidden {
		for b := range Buckets {
			for i := range Dense {
				w := f.DenseWeights[(j*Buckets+b)*Dense+i]
				n.dense[denseIndex(f.Hidden, b, j, i)] = int8(round(w, denseUnit, 127, &r.Dense))
			}
		}
	}
	for i := range n.bias {
		n.bias[i] = int32(round(f.DenseBias[i], unit*denseUnit, maxBias-denseUnit, &r.Dense)) + denseUnit/2
		n.output[i] = int16(round(f.OutputWeights[i], outputUnit, 32767, &r.Output))
	}
	for b := range n.last {
		n.last[b] = int32(round(f.OutputBias[b], unit*outputUnit, maxBias-unit, &r.Output)) + 1<<(logitShift-1)
	}
}

// denseIndex returns the place in Network.dense of the weight of a bucket from hidden unit j to dense unit i.
func denseIndex(hidden, bucket, j, i int) int {
	return ((bucket*hidden/groupInputs+j/groupInputs)*Dense+i)*groupInputs + j%groupInputs
}

// allocate makes the parameters of the network by its layout and width.
func (n *Network) allocate() {
	n.tables = make([]int16, n.layout.Rows()*n.hidden)
	n.dense = make([]int8, Buckets*n.hidden*Dense)
	n.bias = make([]int32, Buckets*Dense)
	n.output = make([]int16, Buckets*Dense)
	n.last = make([]int32, Buckets)
}

// check refuses parameters for which the arithmetic could overflow.
func (n *Network) check() error {
	if n.shift > maxShift {
		return fmt.Errorf("a shift of %d, expected 0 to %d", n.shift, maxShift)
	}
	for _, biases := range [][]int32{n.bias, n.last} {
		for _, b := range biases {
			if b < -maxBias || b > maxBias {
				return fmt.Errorf("a bias of %d, expected one of at most %d", b, maxBias)
			}
		}
	}
	for _, w := range n.dense {
		if w == math.MinInt8 {
			return fmt.Errorf("a dense weight of %d, expected -127 to 127", w)
		}
	}
	return n.checkSums()
}

// checkSums refuses tables of which rows can be chosen whose sum leaves the range of int16.
func (n *Network) checkSums() error {
	h := n.hidden
	low, high := make([]int, h), make([]int, h)
	least, most := make([]int16, h), make([]int16, h)
	for t := range n.layout.Tables() {
		first, end := n.layout.Bounds(t)
		copy(least, n.tables[first*h:])
		copy(most, n.tables[first*h:])
		for r := first; r < end; r++ {
			for j, w := range n.tables[r*h:][:h] {
				least[j], most[j] = min(least[j], w), max(most[j], w)
			}
		}
		for j := range h {
			low[j] += int(least[j])
			high[j] += int(most[j])
		}
	}
	for j := range h {
		if low[j] < math.MinInt16 || high[j] > math.MaxInt16 {
			return fmt.Errorf("unit %d of the first layer reaches from %d to %d, expected %d to %d", j, low[j], high[j], math.MinInt16, math.MaxInt16)
		}
	}
	return nil
}
