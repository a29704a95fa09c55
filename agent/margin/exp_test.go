package margin

import (
	"math"
	"testing"
)

func TestExpIsThatOfPackageMath(t *testing.T) {
	for x := 0.0; x > -87; x -= 1.0 / 1024 {
		want := math.Exp(float64(float32(x)))
		if got := float64(exp(float32(x))); math.Abs(got-want) > 4e-7*want {
			t.Fatalf("exp(%v) is %v, want %v", x, got, want)
		}
	}
	if got := exp(0); got != 1 {
		t.Errorf("exp(0) is %v, want 1", got)
	}
	for _, x := range []float64{-87.5, -1e30, math.Inf(-1)} {
		if got := exp(float32(x)); got != 0 {
			t.Errorf("exp(%v) is %v, want 0", x, got)
		}
	}
}

func BenchmarkExpected(b *testing.B) {
	s := Scale{60}
	table := Utility{MarginShare: 0.25}.Table(s)
	logits := make([]float32, s.Bins())
	for i := range logits {
		logits[i] = float32(math.Sin(float64(i)))
	}
	b.ReportAllocs()
	for b.Loop() {
		Expected(table, logits)
	}
}
