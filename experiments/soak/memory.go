//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kiothi/agent/model"
	"kiothi/train/history"
)

// This file looks at the memory of a run over time.

// memory trains for a time and looks at the memory.
func (s *soak) memory(length time.Duration) error {
	dir := filepath.Join(s.dir, "memory")
	cmd := exec.Command(s.program, "train", "--dir", dir, "--progress", "plain", "--set", "run.iterations=999999", "--set", "training.window=8000",
		"--set", "selfplay.games=32", "--set", "selfplay.games_per_stream=8", "--set", "selfplay.simulations=8", "--set", "training.steps=10", "--set", "evaluation.every=0", "--set", "run.tensorboard=off")
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		return err
	}
	time.Sleep(length)
	signalled := cmd.Process.Signal(os.Interrupt)
	if err := cmd.Wait(); signalled != nil || !failed(err) {
		return fmt.Errorf("a run that was to be interrupted after %v ended with %v: %s", length, err, lastLine([]byte(output.String())))
	}
	return s.memoryOf([]string{dir})
}

// memoryOf looks at the memory of runs.
func (s *soak) memoryOf(dirs []string) error {
	s.say("\n## Memory\n\nThe heap beyond the replay window at the end of each iteration, once the window is full: what the last garbage collection\n" +
		"found in use. The slope is that of the line of least squares, ± two standard errors. A leak would show as a slope above 0.\n\n")
	for _, dir := range dirs {
		run, err := history.Read(dir)
		if err != nil {
			return err
		}
		full := steady(run.Iterations)
		if len(full) < 8 {
			return fmt.Errorf("%s: %d iterations after the window was full, expected at least 8: train for longer", dir, len(full))
		}
		mean, slope, deviation := line(full)
		hours := (full[len(full)-1].Seconds - full[0].Seconds) / 3600
		// What the slope may at least be, times the length of the run, is what has surely leaked.
		leaked := (slope - 2*deviation) * hours
		path, err := model.Find(dir)
		if err != nil {
			return err
		}
		d, err := model.ReadDescription(path)
		if err != nil {
			return err
		}
		s.check(leaked < mean/20, "%s, a network of %d weights, commit %.7s: iterations %d to %d, %.2f hours, window of %.0f MB: heap of %.0f MB beside it, slope %+.1f ± %.1f MB an hour",
			filepath.Base(dir), d.Parameters, d.Commit, full[0].Iteration, full[len(full)-1].Iteration, hours, float64(full[len(full)-1].WindowBytes)/1e6, mean, slope, 2*deviation)
	}
	return nil
}

// steady returns the iterations from the first with a full window on: one that grows no more.
func steady(all []history.Iteration) []history.Iteration {
	most := 0
	for _, m := range all {
		most = max(most, m.WindowPositions)
	}
	for i, m := range all {
		if float64(m.WindowPositions) > 0.98*float64(most) {
			return all[i:]
		}
	}
	return nil
}

// line fits a line to the heap beyond the window. It returns the mean in MB, and the slope and its standard error in MB an hour.
func line(all []history.Iteration) (mean, slope, deviation float64) {
	n := float64(len(all))
	var meanX float64
	y := func(m history.Iteration) float64 { return (float64(m.HeapBytes) - float64(m.WindowBytes)) / 1e6 }
	for _, m := range all {
		meanX += m.Seconds / 3600 / n
		mean += y(m) / n
	}
	var xx, xy float64
	for _, m := range all {
		dx := m.Seconds/3600 - meanX
		xx += dx * dx
		xy += dx * (y(m) - mean)
	}
	slope = xy / xx
	var rest float64
	for _, m := range all {
		e := y(m) - mean - slope*(m.Seconds/3600-meanX)
		rest += e * e
	}
	return mean, slope, math.Sqrt(rest / (n - 2) / xx)
}
