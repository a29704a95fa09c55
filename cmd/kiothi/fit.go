package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/alphabeta"
	"kiothi/agent/alphabeta/fit"
	"kiothi/env/durable"
	"kiothi/env/games"
)

// This file is the command fit, which made agent/alphabeta/weights.json.

func newFit(a *app) *cobra.Command {
	var show progressFlag
	var o fit.Options
	var out string
	cmd := &cobra.Command{
		Use:   "fit",
		Short: "Fit the evaluation of alphabeta to self-play",
		Long: `Fits the weights of alphabeta's evaluation for every game: alphabeta plays against
itself from random openings, half of them improved by the evaluation, a share of its
moves at random, and least squares find the weights that predict the final margin best.
Each round plays with the weights of the one before, the first with the difference of
the stores alone.

The weights are printed as JSON, or written to --out. The program has those in
agent/alphabeta/weights.json built in; with the flags' defaults the command writes
that file again, byte for byte, whatever the number of workers.`,
		Example: `  kiothi fit --out agent/alphabeta/weights.json
  kiothi fit --games 200 --depth 2`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := pathsGiven(cmd, "out"); err != nil {
				return err
			}
			if err := o.Check(); err != nil {
				return asUsage(err)
			}
			reporter, err := show.reporter(a)
			if err != nil {
				return err
			}
			// The file is begun before the games, so that these are not lost to a path that cannot be written.
			var file *durable.File
			if out != "" {
				if file, err = durable.Create(out); err != nil {
					return fmt.Errorf("--out: %w", err)
				}
				defer file.Abort()
			}
			ctx, stop := interruptible(cmd.Context(), reporter)
			defer stop()
			all := map[string]*alphabeta.Weights{}
			for _, name := range games.Names() {
				g, err := games.Open(name, "")
				if err != nil {
					return err
				}
				phase := reporter.Start(name, "games", 0, int64(o.Rounds*o.Games))
				o.Progress = func(n int) { phase.Set(int64(n)) }
				w, rounds, err := fit.Weights(ctx, g, o)
				phase.End()
				if errors.Is(err, context.Canceled) {
					return errors.New("stopped before its end")
				}
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				for i, r := range rounds {
					fmt.Fprintf(reporter, "%s, round %d: the final margin of %d positions within %.2f seeds, of the stores alone within %.2f\n",
						name, i+1, r.Positions, r.Deviation, r.Stores)
				}
				all[name] = w
			}
			to := a.out
			if file != nil {
				to = file
			}
			encoder := json.NewEncoder(to)
			encoder.SetIndent("", "  ")
			if err := encoder.Encode(all); err != nil {
				return err
			}
			if file == nil {
				return nil
			}
			if err := file.Commit(); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			_, err = fmt.Fprintf(a.out, "%s: the weights of %d games\n", out, len(all))
			return err
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.Rounds, "rounds", 3, "number of rounds")
	flags.IntVar(&o.Games, "games", 8000, "number of games a round")
	flags.IntVar(&o.Depth, "depth", 4, "depth of the search that plays")
	flags.Float64Var(&o.Random, "random", 0.2, "share of random moves, 0 to 1")
	bindSeed(cmd, &o.Seed)
	flags.IntVar(&o.Workers, "workers", 0, "number of threads (default: one a processor)")
	flags.StringVar(&out, "out", "", "file to write the weights to (default: standard output)")
	show.bind(cmd)
	return cmd
}
