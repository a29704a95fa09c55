// This file measures how fast the selected kernel is, for the network to be compared with.

package blas

import (
	"slices"
	"time"

	"gonum.org/v1/gonum/blas"
)

// PeakRate returns the rate of the bare product [m, k] by [k, n] with the selected kernel, in GFLOP/s (10⁹ multiplications
// and additions a second): the median of nine runs that take about the given time together, after one that warms up.
// It allocates the matrices, and panics if a size is not positive.
func PeakRate(m, n, k, workers int, duration time.Duration) float64 {
	const runs = 9
	if m < 1 || n < 1 || k < 1 {
		panic("blas: PeakRate: a size is not positive")
	}
	a, b, c := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	for _, x := range [][]float32{a, b} {
		for i := range x {
			x[i] = float32(i%7) - 3
		}
	}
	impl := New(workers)
	run := func(times int) time.Duration {
		start := time.Now()
		for range times {
			impl.Sgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, a, k, b, n, 0, c, n)
		}
		return max(time.Since(start), 1)
	}

	once := run(1)
	once = min(once, run(1)) // the first also pays for page faults
	times := max(1, int(duration/runs/once))
	rates := make([]float64, runs)
	for i := range rates {
		elapsed := run(times)
		rates[i] = 2 * float64(m) * float64(n) * float64(k) * float64(times) / float64(elapsed.Nanoseconds())
	}
	slices.Sort(rates)
	return rates[runs/2]
}
