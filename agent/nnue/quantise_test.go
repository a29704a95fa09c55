package nnue

import (
	"math"
	"testing"

	"kiothi/env/mancala"
)

// logit returns the output for a position in the phase Sow that is not over.
func logit(f *Float, s *mancala.State) float32 {
	var rows [MaxTables]int32
	bucket := f.Layout.Index(s, &rows)
	return f.LogitOf(rows[:f.Layout.Tables()], bucket)
}

func TestQuantisedNetworkAgreesWithFloat(t *testing.T) {
	for _, name := range everyGame {
		g := open(t, name[0], name[1])
		f := randomFloat(t, g, 64, 3)
		n, report, err := f.Quantise(g, Provenance{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Bounded != 0 || report.Table > 1.0/unit || report.Dense > 0.5/denseUnit+1e-6 || report.Output > 0.5/outputUnit+1e-6 {
			t.Errorf("%s: %v", name, report)
		}
		var worst, square float64
		all := positions(t, g, 2000)
		for i := range all {
			d := math.Abs(float64(logit(f, &all[i])) - float64(n.Evaluate(&all[i]))/LogitUnit)
			worst = max(worst, d)
			square += d * d
		}
		deviation := math.Sqrt(square / float64(len(all)))
		t.Logf("%s: deviation %.4f, at most %.4f", name, deviation, worst)
		if deviation > 0.05 || worst > 0.25 {
			t.Errorf("%s: the logits differ by %.4f (root mean square) and up to %.4f", name, deviation, worst)
		}
	}
}

// A weight that learning holds at its bound is counted as one that lies beyond it, and both are quantised to the bound.
func TestWeightsAtTheirBoundAreCounted(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	f := randomFloat(t, g, 64, 3)
	f.DenseWeights[0], f.DenseWeights[1], f.OutputWeights[2], f.OutputWeights[3] = 100, -100, MaxOutputWeight, -2*MaxOutputWeight
	for _, clip := range []func(){func() {}, f.Clip} {
		clip()
		n, report, err := f.Quantise(g, Provenance{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Bounded != 4 {
			t.Errorf("%v; want 4 weights at their bound", report)
		}
		if got := [2]int8{n.dense[denseIndex(64, 0, 0, 0)], n.dense[denseIndex(64, 0, 0, 1)]}; got != [2]int8{127, -127} {
			t.Errorf("the dense weights are %d, want 127 and -127", got)
		}
		if got := [2]int16{n.output[2], n.output[3]}; got != [2]int16{32767, -32767} {
			t.Errorf("the output weights are %d, want 32767 and -32767", got)
		}
	}
}
