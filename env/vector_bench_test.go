package env_test

import (
	"fmt"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file measures a Vector, in steps a second, beside the bare engine that plays the same games.

const benchRows = 1024

// newVector returns a vector of a game that has been played far enough for its rows to be in all parts of their games.
func newVector(tb testing.TB, n int, o env.VectorOptions, gs ...mancala.Game) *env.Vector {
	tb.Helper()
	var envs []*env.Env
	for _, g := range gs {
		e, err := env.New(g, env.Options{})
		if err != nil {
			tb.Fatal(err)
		}
		envs = append(envs, e)
	}
	v, err := env.NewVector(n, envs, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(v.Close)
	return v
}

// reportSteps reports the rate of a benchmark whose operation is a step of n rows.
func reportSteps(b *testing.B, n int) {
	b.ReportMetric(float64(b.N)*float64(n)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkVector steps random games, with observations, masks, and all else that a learner wants; "sample" adds the time
// to draw the actions, "engine" plays the games without any of it, legal actions listed and one drawn.
func BenchmarkVector(b *testing.B) {
	for _, name := range games.Names() {
		g, err := games.Open(name, "")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name+"/engine", func(b *testing.B) { benchEngine(b, g) })
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) { benchVector(b, g, workers) })
		}
	}
}

func benchVector(b *testing.B, g mancala.Game, workers int) {
	v := newVector(b, benchRows, env.VectorOptions{Workers: workers}, g)
	buffers := env.NewBuffers(v)
	if err := v.Reset(env.Seeds(1, benchRows), buffers); err != nil {
		b.Fatal(err)
	}
	actions := make([]int32, benchRows)
	step := func() {
		if err := v.SampleActions(actions); err != nil {
			b.Fatal(err)
		}
		if err := v.Step(actions, buffers); err != nil {
			b.Fatal(err)
		}
	}
	for range 300 {
		step()
	}
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
	reportSteps(b, benchRows)
}

func benchEngine(b *testing.B, g mancala.Game) {
	states := make([]mancala.State, benchRows)
	for i := range states {
		states[i] = g.Start()
	}
	rng := newSource(1)
	var legal []mancala.Action
	step := func() {
		for i := range states {
			if states[i].Over() {
				states[i] = g.Start()
			}
			legal = g.AppendLegal(legal[:0], &states[i])
			if _, err := g.Play(&states[i], legal[rng.IntN(len(legal))]); err != nil {
				b.Fatal(err)
			}
		}
	}
	for range 300 {
		step()
	}
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
	reportSteps(b, benchRows)
}
