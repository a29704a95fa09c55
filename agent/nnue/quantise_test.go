package nnue

import (
	"math"
	"testing"
)

func TestQuantisedNetworkAgreesWithFloat(t *testing.T) {
	for _, name := range everyGame {
		g := open(t, name[0], name[1])
		f := randomFloat(t, g, 64, 3)
		n, report, err := f.Quantise(g, Provenance{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Clipped != 0 || report.Table > 1.0/unit || report.Dense > 0.5/denseUnit+1e-6 || report.Output > 0.5/outputUnit+1e-6 {
			t.Errorf("%s: %v", name, report)
		}
		var worst, square float64
		all := positions(t, g, 2000)
		for i := range all {
			d := math.Abs(float64(f.Logit(&all[i])) - float64(n.Evaluate(&all[i]))/LogitUnit)
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
