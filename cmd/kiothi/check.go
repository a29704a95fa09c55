package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kiothi/env/child"
	"kiothi/env/conformance"
	"kiothi/env/games"
)

// This file is the command check.

func newCheck(a *app) *cobra.Command {
	var game gameFlag
	var o checkOptions
	var command, engine string
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the environment, or another engine, against its contract",
		Long: `Plays random games and checks what every environment promises: its spaces, that
the mask is exactly what a step accepts, that a seed decides the game, that rewards
add up to zero, and so on, a line a promise. Without --game and --rules, all games
and rule sets are checked. A failure says what was expected, what was found, and
how to see it again; the exit status is then 1.

With --trace, another program's engine is checked instead. The program is started
with the arguments that stand after its name, reads games as kiothi trace --batch
does, one a line, and answers each with a line (rules, section 6); quotes keep
words together that hold spaces. It is asked to play random games of all rule sets
and every field of every state is compared; then it is asked for what cannot be
played. A program that does nothing for --timeout is ended.

With --engine, a program is checked that answers the engine protocol, as kiothi
engine does (agent/engine/README.md): its turns in all phases of random games, its
limits, whether it stops, and what it does with garbage. Without --game and --rules,
it is asked for all that it offers.`,
		Example: `  kiothi check --games 1
  kiothi check --game kiothi --rules mancala-world,bonus=run --seed 7
  kiothi check --trace "kiothi trace --batch" --game rio-kadalis
  kiothi check --engine "kiothi engine --agent greedy" --game rio-kadalis --games 1`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			entries, sets, err := checkedSets(cmd, &game)
			if err != nil {
				return err
			}
			if o.games < 1 {
				return usage("%d games, expected 1 or more", o.games)
			}
			if cmd.Flags().Changed("engine") {
				return checkEngineCommand(cmd, a, engine, sets, o)
			}
			if !cmd.Flags().Changed("trace") {
				if cmd.Flags().Changed("timeout") {
					return usage("--timeout is for the program of --trace or --engine: leave it out")
				}
				return stoppable(cmd, a, func(ctx context.Context) error { return checkEnvironments(ctx, a, sets, o) })
			}
			if o.command, err = child.Split(command); err != nil {
				return usage("--trace: %w", err)
			}
			if o.timeout <= 0 {
				return usage("a timeout of %v, expected a positive length of time", o.timeout)
			}
			if game.rules == "" { // the options are played, too
				sets = conformance.TraceSets(entries...)
			}
			return stoppable(cmd, a, func(ctx context.Context) error { return checkTrace(ctx, a, sets, o) })
		},
	}
	game.bind(cmd)
	cmd.Flags().Lookup("game").DefValue = "all"
	cmd.Flags().Lookup("rules").Usage = "rule set, such as mancala-world,bonus=run (default: all of the game; see kiothi help rules)"
	bindSeed(cmd, &o.seed)
	cmd.Flags().IntVar(&o.games, "games", 10, "random games of each rule set, and with --trace of each option, too")
	cmd.Flags().StringVar(&command, "trace", "", "program to check, with its arguments, instead of the environment")
	cmd.Flags().StringVar(&engine, "engine", "", "program that answers the engine protocol to check, with its arguments, instead of the environment")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 30*time.Second, "how long the program of --trace or --engine may do nothing")
	return cmd
}

// checkOptions is what the command was asked for.
type checkOptions struct {
	seed    uint64
	games   int
	command []string
	timeout time.Duration
}

// stoppable runs a check that Ctrl-C ends, with all programs that it started.
func stoppable(cmd *cobra.Command, a *app, check func(context.Context) error) error {
	ctx, stop := interruptible(cmd.Context(), a.err)
	defer stop()
	err := check(ctx)
	if ctx.Err() != nil {
		return stoppedEarly(ctx.Err())
	}
	return err
}

// checkedSets returns the games and the rule sets that the flags name, all of them when they name none.
func checkedSets(cmd *cobra.Command, game *gameFlag) ([]games.Entry, []conformance.Set, error) {
	if game.rules != "" {
		if !cmd.Flags().Changed("game") { // the game that has such a rule set
			for _, name := range games.Names() {
				if _, err := games.Open(name, game.rules); err == nil {
					game.game = name
				}
			}
		}
		g, err := game.open()
		if err != nil {
			return nil, nil, err
		}
		return nil, []conformance.Set{{Game: g.Name(), Rules: g.Rules()}}, nil
	}
	entries := games.All()
	if cmd.Flags().Changed("game") {
		entry, err := games.Find(game.game)
		if err != nil {
			return nil, nil, asUsage(err)
		}
		entries = []games.Entry{entry}
	}
	var sets []conformance.Set
	for _, e := range entries {
		for _, set := range e.Sets {
			sets = append(sets, conformance.Set{Game: e.Name, Rules: set.Name})
		}
	}
	return entries, sets, nil
}

// checkEnvironments checks our own environments of rule sets.
func checkEnvironments(ctx context.Context, a *app, sets []conformance.Set, o checkOptions) error {
	failed := 0
	for _, set := range sets {
		g, err := games.Open(set.Game, set.Rules)
		if err != nil {
			return err
		}
		subject, err := conformance.Of(g)
		if err != nil {
			return err
		}
		report, err := conformance.Check(ctx, subject, conformance.Options{Seed: o.seed, Games: o.games})
		if err != nil {
			return err
		}
		if err := report.Print(a.out); err != nil {
			return err
		}
		failed += report.Failed()
	}
	if failed > 0 {
		return fmt.Errorf("%d of the checks failed", failed)
	}
	passed := "All checks passed."
	if len(sets) > 1 {
		passed = fmt.Sprintf("All checks of %d rule sets passed.", len(sets))
	}
	_, err := fmt.Fprintln(a.out, passed)
	return err
}

// checkTrace checks another program's engine.
func checkTrace(ctx context.Context, a *app, sets []conformance.Set, o checkOptions) error {
	report, err := conformance.CheckTrace(ctx, conformance.TraceOptions{
		Command: o.command, Sets: sets, Seed: o.seed, Games: o.games, Idle: o.timeout,
	})
	if err != nil {
		return err
	}
	return verdict(a, report)
}
