package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/engine/enginecheck"
	"kiothi/env/child"
	"kiothi/env/conformance"
)

// This file is check --engine.

// checkEngineCommand checks a program that answers the engine protocol.
func checkEngineCommand(cmd *cobra.Command, a *app, text string, sets []conformance.Set, o checkOptions) error {
	if cmd.Flags().Changed("trace") {
		return usage("--engine and --trace are two checks, expected one of them")
	}
	command, err := child.Split(text)
	if err != nil {
		return usage("--engine: %w", err)
	}
	if o.timeout <= 0 {
		return usage("a timeout of %v, expected a positive length of time", o.timeout)
	}
	chosen := cmd.Flags().Changed("game") || cmd.Flags().Changed("rules")
	return stoppable(cmd, a, func(ctx context.Context) error {
		report, err := enginecheck.Check(ctx, enginecheck.Options{
			Command: command, Text: text, Sets: sets, Optional: !chosen, Seed: o.seed, Games: o.games, Timeout: o.timeout,
		})
		if err != nil {
			return err
		}
		return verdict(a, report)
	})
}

// verdict prints a report, and is an error when a check failed.
func verdict(a *app, report conformance.Report) error {
	if err := report.Print(a.out); err != nil {
		return err
	}
	if failed := report.Failed(); failed > 0 {
		return fmt.Errorf("%d of the checks failed", failed)
	}
	_, err := fmt.Fprintln(a.out, "All checks passed.")
	return err
}
