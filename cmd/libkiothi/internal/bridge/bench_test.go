package bridge

import (
	"fmt"
	"runtime"
	"testing"

	"kiothi/env"
	"kiothi/env/games"
)

// This file measures random play as a learner would do it, with observation and mask at every step, in steps a second:
// what the library adds to, and what other environments are compared with.

// benchRows is the number of games in a vector.
const benchRows = 1024

// reportSteps reports the rate of a benchmark whose operation is a number of steps.
func reportSteps(b *testing.B, steps int) {
	b.ReportMetric(float64(b.N)*float64(steps)/b.Elapsed().Seconds(), "steps/s")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkEnv steps single environments.
func BenchmarkEnv(b *testing.B) {
	for _, name := range games.Names() {
		b.Run(name, func(b *testing.B) {
			g, err := games.Open(name, "")
			if err != nil {
				b.Fatal(err)
			}
			e, err := env.New(g, env.Options{})
			if err != nil {
				b.Fatal(err)
			}
			mask := make([]bool, g.Actions())
			step, episode := e.Reset(1), uint64(1)
			b.ReportAllocs()
			for b.Loop() {
				if step.Terminated {
					episode++
					step = e.Reset(episode)
				}
				e.ActionMask(mask)
				a, err := e.SampleAction()
				if err != nil {
					b.Fatal(err)
				}
				if step, err = e.Step(a); err != nil {
					b.Fatal(err)
				}
			}
			reportSteps(b, 1)
		})
	}
}

// BenchmarkRows steps vectors of both players, and of a learner against random ("versus"), on one core and on all.
func BenchmarkRows(b *testing.B) {
	for _, name := range games.Names() {
		for _, workers := range []int{1, runtime.GOMAXPROCS(0)} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) { benchRowsOf(b, name, "", workers) })
			b.Run(fmt.Sprintf("%s/versus/workers=%d", name, workers), func(b *testing.B) { benchRowsOf(b, name, "random", workers) })
		}
	}
}

func benchRowsOf(b *testing.B, game, opponent string, workers int) {
	s := Settings{Game: game, Rows: benchRows, Autoreset: "SameStep", Workers: workers, Reward: "outcome",
		Opponent: opponent, Seat: "alternating", Illegal: "raise"}
	rows, err := s.New()
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	e, err := s.envs()
	if err != nil {
		b.Fatal(err)
	}
	vector, err := env.NewVector(benchRows, e, env.VectorOptions{Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer vector.Close()
	buffers, actions := env.NewBuffers(vector), make([]int32, benchRows)
	if err := rows.Reset(env.Seeds(1, benchRows), buffers); err != nil {
		b.Fatal(err)
	}
	step := func() {
		if err := rows.SampleActions(actions); err != nil {
			b.Fatal(err)
		}
		if err := rows.Step(actions, buffers); err != nil {
			b.Fatal(err)
		}
	}
	for range 100 { // so that the rows are in all parts of their games
		step()
	}
	b.ReportAllocs()
	for b.Loop() {
		step()
	}
	reportSteps(b, benchRows)
}
