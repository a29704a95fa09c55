package nnue

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file is the network as it is learned: in float32, before it is quantised.

// Dense is the width of the second layer.
const Dense = 16

// The width of the first layer is a multiple of HiddenStep, up to MaxHidden.
const (
	HiddenStep = blockUnits
	MaxHidden  = 256
)

// The bounds of activations and of weights after the first layer. A trainer that keeps its parameters inside them (Clip)
// loses nothing but fractions to Quantise.
const (
	HiddenClip = 127.0 / unit
	DenseClip  = maxDense / unit

	MaxDenseWeight  = 127.0 / denseUnit
	MaxOutputWeight = 32767.0 / outputUnit
)

// Float holds the parameters of a network in float32, row-major. [hidden] is Hidden, [dense] is Dense.
type Float struct {
	Layout Layout
	Hidden int // a multiple of 64, up to MaxHidden

	Tables        []float32 // [Layout.Rows(), hidden]
	DenseWeights  []float32 // [hidden, Buckets, dense]: one product gives the layers of all buckets
	DenseBias     []float32 // [Buckets, dense]
	OutputWeights []float32 // [Buckets, dense]
	OutputBias    []float32 // [Buckets]
}

// NewFloat returns a network of zeros for a game.
func NewFloat(g mancala.Game, hidden int) (*Float, error) {
	l, err := LayoutOf(g)
	if err != nil {
		return nil, err
	}
	if err := checkHidden(hidden); err != nil {
		return nil, err
	}
	return &Float{
		Layout: l, Hidden: hidden,
		Tables:        make([]float32, l.Rows()*hidden),
		DenseWeights:  make([]float32, hidden*Buckets*Dense),
		DenseBias:     make([]float32, Buckets*Dense),
		OutputWeights: make([]float32, Buckets*Dense),
		OutputBias:    make([]float32, Buckets),
	}, nil
}

func checkHidden(hidden int) error {
	if hidden < blockUnits || hidden > MaxHidden || hidden%blockUnits != 0 {
		return fmt.Errorf("a first layer of %d units, expected a multiple of %d up to %d", hidden, blockUnits, MaxHidden)
	}
	return nil
}

// Clip brings the weights after the first layer inside the bounds of what can be quantised.
func (f *Float) Clip() {
	clip(f.DenseWeights, MaxDenseWeight)
	clip(f.OutputWeights, MaxOutputWeight)
}

func clip(w []float32, bound float32) {
	for i, x := range w {
		w[i] = min(max(x, -bound), bound)
	}
}

// LogitOf returns the network's output for the sum of some rows, in a bucket: those that Layout.Index finds for a position.
func (f *Float) LogitOf(rows []int32, bucket int) float32 {
	var sum [MaxHidden]float32
	for _, r := range rows {
		for j, w := range f.Tables[int(r)*f.Hidden:][:f.Hidden] {
			sum[j] += w
		}
	}
	dense := [Dense]float32(f.DenseBias[bucket*Dense:])
	for j, x := range sum[:f.Hidden] {
		x = min(max(x, 0), HiddenClip)
		for i, w := range f.DenseWeights[(j*Buckets+bucket)*Dense:][:Dense] {
			dense[i] += x * w
		}
	}
	out := f.OutputBias[bucket]
	for i, x := range dense {
		out += min(max(x, 0), DenseClip) * f.OutputWeights[bucket*Dense+i]
	}
	return out
}

// Factors are parts that many rows of the tables share, so that a row which is seen seldom is learned from its relatives.
// Fold adds them into the tables.
type Factors struct {
	Own   []float32 // [columns, Cells, hidden]: of the own pit's value, whatever it faces
	Enemy []float32 // [columns, Cells, hidden]: of the facing pit's value, likewise
	Slope []float32 // [hidden]: of the stores' difference, a ScaleOfStores
}

// ScaleOfStores is the difference of the stores by which Factors.Slope counts.
const ScaleOfStores = 16

// NewFactors returns factors of zeros for a network.
func (f *Float) NewFactors() *Factors {
	n := f.Layout.Columns() * Cells * f.Hidden
	return &Factors{Own: make([]float32, n), Enemy: make([]float32, n), Slope: make([]float32, f.Hidden)}
}

// Fold adds the factors into the tables. It does not change the factors.
func (f *Float) Fold(x *Factors) {
	h := f.Hidden
	for c := range f.Layout.Columns() {
		for pair := range Pairs {
			row := f.Tables[(c*Pairs+pair)*h:][:h]
			own := x.Own[(c*Cells+pair/Cells)*h:][:h]
			enemy := x.Enemy[(c*Cells+pair%Cells)*h:][:h]
			for j := range row {
				row[j] += own[j] + enemy[j]
			}
		}
	}
	for i := range StoreRows {
		row := f.Tables[(f.Layout.StoreRow()+i)*h:][:h]
		difference := float32(i-mancala.MaxSeeds) / ScaleOfStores
		for j := range row {
			row[j] += difference * x.Slope[j]
		}
	}
}

// check refuses parameters of the wrong number, and what is no number.
func (f *Float) check() error {
	if err := checkHidden(f.Hidden); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		w    []float32
		n    int
	}{
		{"tables", f.Tables, f.Layout.Rows() * f.Hidden},
		{"dense weights", f.DenseWeights, f.Hidden * Buckets * Dense},
		{"dense biases", f.DenseBias, Buckets * Dense},
		{"output weights", f.OutputWeights, Buckets * Dense},
		{"output biases", f.OutputBias, Buckets},
	} {
		if len(part.w) != part.n {
			return fmt.Errorf("%d %s, expected %d", len(part.w), part.name, part.n)
		}
		for i, x := range part.w {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return fmt.Errorf("number %d of the %s is %v", i, part.name, x)
			}
		}
	}
	return nil
}
