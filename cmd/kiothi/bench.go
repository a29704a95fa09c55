package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
)

// This file is the command bench, which groups the measurements, and the flags they share.

func newBench(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed",
		Long:  "Measures the speed of a part of the program on this machine.",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchEnv(a), newBenchNet(a), newBenchSelfPlay(a), newBenchSearch(a))
	return cmd
}

// A benchTiming is --runs and --time: how often and how long a thing is measured.
type benchTiming struct {
	runs   int
	length time.Duration // of a run
}

// bind adds the flags to a command.
func (t *benchTiming) bind(cmd *cobra.Command, length time.Duration) {
	cmd.Flags().IntVar(&t.runs, "runs", 5, "number of runs")
	cmd.Flags().DurationVar(&t.length, "time", length, "length of a run")
}

// check refuses what cannot be measured.
func (t *benchTiming) check() error {
	if t.runs < 1 || t.length <= 0 {
		return usage("%d runs of %v, expected positive numbers", t.runs, t.length)
	}
	return nil
}

// String describes the timing.
func (t *benchTiming) String() string {
	return fmt.Sprintf("the median of %d runs of %v each", t.runs, t.length)
}

// checkList refuses a flag's numbers that are not from 1 up to high.
func checkList(flag string, list []int, high int) error {
	for _, n := range list {
		if n < 1 || n > high {
			return usage("--%s: %d is not from 1 to %d", flag, n, high)
		}
	}
	return nil
}

// median returns the middle of some values, or the mean of the two in the middle. It sorts them.
func median(values []float64) float64 {
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}
