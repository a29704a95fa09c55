// This file checks what operations have in common: gradients are checked where the operations are.

package fused

import (
	"slices"
	"testing"

	gblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Gorgonia merges nodes whose operations hash alike: two that own a buffer each must not.
func TestOperationsOfOneNameAreDifferent(t *testing.T) {
	a, b := New("same", nil, 2), New("same", nil, 2)
	if a.Hashcode() == b.Hashcode() || a.String() == b.String() {
		t.Errorf("%v and %v hash to %d and %d, want different ones", &a, &b, a.Hashcode(), b.Hashcode())
	}
}

// Factors are multiplied as they are and transposed.
func TestProducts(t *testing.T) {
	const m, n, k = 2, 1, 3
	for _, c := range []struct {
		name       string
		transposeA gblas.Transpose
		shape      tensor.Shape
		a          []float32
	}{
		{"as it is", gblas.NoTrans, tensor.Shape{m, k}, []float32{1, 2, 3, 4, 5, 6}},
		{"transposed", gblas.Trans, tensor.Shape{k, m}, []float32{1, 4, 2, 5, 3, 6}},
	} {
		g := gorgonia.NewGraph()
		node := func(name string, shape tensor.Shape, data []float32) *gorgonia.Node {
			value := tensor.New(tensor.WithShape(shape...), tensor.WithBacking(data))
			return gorgonia.NewTensor(g, tensor.Float32, 2, gorgonia.WithShape(shape...), gorgonia.WithName(name), gorgonia.WithValue(value))
		}
		left, right := node("left", c.shape, c.a), node("right", tensor.Shape{k, n}, []float32{1, 10, 100})
		product, err := NewProduct(NewSingle(1), "product", c.transposeA, gblas.NoTrans, m, n, k, left, right)
		if err != nil {
			t.Fatal(err)
		}
		machine := gorgonia.NewTapeMachine(g)
		if err := machine.RunAll(); err != nil {
			t.Fatal(err)
		}
		if got := NewSingle(1).Data(product.Value()); !slices.Equal(got, []float32{321, 654}) {
			t.Errorf("%s: the product is %v, want [321 654]", c.name, got)
		}
		machine.Close()
	}
}
