//go:build race

package blas

// raceEnabled thins out tests that the race detector makes slow.
const raceEnabled = true
