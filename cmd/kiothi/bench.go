package main

import "github.com/spf13/cobra"

// This file is the command bench, which groups the measurements.

func newBench(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure speed",
		Long:  "Measures the speed of a part of the program on this machine.",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchEnv(a))
	return cmd
}
