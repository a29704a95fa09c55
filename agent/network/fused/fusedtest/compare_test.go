package fusedtest

import (
	"math"
	"testing"

	gblas "gonum.org/v1/gonum/blas"

	"github.com/google/go-cmp/cmp"
)

func TestASlopeIsTheDerivative(t *testing.T) {
	x := 3.0
	if got := Slope(func() float64 { return x * x }, &x, 1e-3); math.Abs(got-6) > 1e-9 || x != 3 {
		t.Errorf("the slope of x² is %v at %v, want 6 at 3", got, x)
	}
}

func TestErrorsAreRelative(t *testing.T) {
	for _, c := range []struct{ a, b, least, want float64 }{{4, 2, 0, 0.5}, {2, -4, 0, 1.5}, {0.5, 0.25, 1, 0.25}} {
		if got := RelativeError(c.a, c.b, c.least); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := Distance([]float32{3, 5}, []float64{3, 4}); got != 0.2 {
		t.Errorf("the distance is %v, want a fifth", got)
	}
	if got := Distance([]float32{float32(math.NaN())}, []float64{1}); !math.IsNaN(got) {
		t.Errorf("of NaN the distance is %v", got)
	}
}

func TestDoubleMultiplies(t *testing.T) {
	c := make([]float64, 2)
	Double{}.Multiply(gblas.Trans, gblas.NoTrans, 2, 1, 3, []float64{1, 4, 2, 5, 3, 6}, []float64{1, 10, 100}, c)
	if diff := cmp.Diff([]float64{321, 654}, c); diff != "" {
		t.Errorf("product (-want +got):\n%s", diff)
	}
}
