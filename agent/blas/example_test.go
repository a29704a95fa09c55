package blas_test

import (
	"fmt"

	gonumblas "gonum.org/v1/gonum/blas"
	"gorgonia.org/gorgonia"
	"kiothi/agent/blas"
)

// A program selects a kernel, if its user named one, and registers the product before it builds a graph.
func ExampleNew() {
	if err := blas.Use(blas.Auto); err != nil {
		fmt.Println(err)
		return
	}
	gorgonia.Use(blas.New(1))

	x := []float32{1, 2, 3, 4}  // [2, 2]
	w := []float32{1, 0, 0, 10} // [2, 2]
	y := make([]float32, 4)
	gorgonia.WhichBLAS().Sgemm(gonumblas.NoTrans, gonumblas.NoTrans, 2, 2, 2, 1, x, 2, w, 2, 0, y, 2)
	blas.BiasReLU(y, []float32{-2, 0}, nil, 2, 2, true)
	fmt.Println(y)
	// Output: [0 20 1 40]
}
