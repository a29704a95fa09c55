package blas

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
)

// eachKernel runs the benchmark on every kernel there is here.
func eachKernel(b *testing.B, benchmark func(b *testing.B)) {
	for _, k := range Kernels() {
		b.Run(string(k), func(b *testing.B) {
			if err := use(b, k); err != nil {
				b.Fatal(err)
			}
			benchmark(b)
		})
	}
}

func benchmarkSgemm(b *testing.B, tA, tB blas.Transpose, m, n, k, workers int) {
	r := newRand()
	x, y, c := random(r, m*k), random(r, k*n), make([]float32, m*n)
	_, lda := stored(tA, m, k)
	_, ldb := stored(tB, k, n)
	impl := New(workers)
	b.ReportAllocs()
	for b.Loop() {
		impl.Sgemm(tA, tB, m, n, k, 1, x, lda, y, ldb, 0, c, n)
	}
	b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}

// A layer forward: [batch, in] by [in, out].
func BenchmarkForward(b *testing.B) {
	for _, shape := range [][3]int{{1, 256, 256}, {8, 256, 256}, {32, 256, 256}, {128, 256, 256}, {256, 256, 256}, {512, 256, 256}, {8, 640, 256}, {512, 640, 256}, {512, 64, 256}, {512, 1, 64}} {
		b.Run(fmt.Sprintf("%dx%dx%d", shape[0], shape[1], shape[2]), func(b *testing.B) {
			eachKernel(b, func(b *testing.B) {
				benchmarkSgemm(b, blas.NoTrans, blas.NoTrans, shape[0], shape[1], shape[2], 1)
			})
		})
	}
}

// The gradient of a layer's weights, with the transposed input, and of its input, with the transposed weights.
func BenchmarkGradient(b *testing.B) {
	for _, batch := range []int{256, 512} {
		for _, out := range []int{256, 640} {
			b.Run(fmt.Sprintf("weights/256x%dx%d", out, batch), func(b *testing.B) {
				eachKernel(b, func(b *testing.B) { benchmarkSgemm(b, blas.Trans, blas.NoTrans, 256, out, batch, 1) })
			})
			b.Run(fmt.Sprintf("input/%dx256x%d", batch, out), func(b *testing.B) {
				eachKernel(b, func(b *testing.B) { benchmarkSgemm(b, blas.NoTrans, blas.Trans, batch, 256, out, 1) })
			})
		}
	}
}

func BenchmarkWorkers(b *testing.B) {
	for _, workers := range []int{1, 2, 4} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			eachKernel(b, func(b *testing.B) { benchmarkSgemm(b, blas.NoTrans, blas.NoTrans, 512, 256, 256, workers) })
		})
	}
}

func BenchmarkElementwise(b *testing.B) {
	const cols = 256
	for _, rows := range []int{8, 512} {
		r := newRand()
		y, grad, z, bias, biasGrad := random(r, rows*cols), random(r, rows*cols), make([]float32, rows*cols), make([]float32, cols), make([]float32, cols)
		for name, call := range map[string]func(){
			"BiasReLU": func() { BiasReLU(y, bias, nil, rows, cols, true) },
			"Residual": func() { BiasReLU(y, bias, z, rows, cols, true) },
			"ReLUGrad": func() { ReLUGrad(z, y, grad, biasGrad, rows, cols, true) },
		} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, rows, cols), func(b *testing.B) {
				eachKernel(b, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						call()
					}
				})
			})
		}
	}
}

// One step of a network of 640,000 parameters.
func BenchmarkOptimizer(b *testing.B) {
	const n = 640_000
	r := newRand()
	w, grad, m, v := random(r, n), random(r, n), make([]float32, n), make([]float32, n)
	c := NewAdamConstants(1, 1e-6, .9, .999, 1e-8)
	b.Run("Adam", func(b *testing.B) {
		eachKernel(b, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Adam(w, grad, m, v, &c)
			}
		})
	})
	b.Run("SumSquares", func(b *testing.B) {
		eachKernel(b, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				SumSquares(grad)
			}
		})
	})
}
