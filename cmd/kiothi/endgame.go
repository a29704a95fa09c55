package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/endgame"
	"kiothi/env/durable"
)

// This file is the command endgame.

// megabyte is the unit in which people are told about memory and files.
const megabyte = 1 << 20

func newEndgame(a *app) *cobra.Command {
	var game gameFlag
	var show progressFlag
	var o endgame.Options
	var stones, memory int
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "endgame --stones N --out FILE",
		Short: "Build a table of exact end games",
		Long: `Builds a table of the exact results of all positions with at most N seeds on the
board, and writes it to a file. Players and kiothi evaluate --oracle read it.

A result is the final margin when both players play best for it. The clock of turns
without a capture is treated exactly: near its end, where the result is another than
with a fresh clock, the table does not answer.

In Rio Kadalis stones leave the board in fours, so that only the multiples of four
are built, unless --all-totals is given. In Kiothi positions with protected pits are
many more than those without, so that they have a bound of their own, --marked; no
table is built for protection=unmoved, where there are a million times as many.

The file does not depend on the number of workers. Ctrl-C stops without a file.`,
		Example: `  kiothi endgame --game rio-kadalis --stones 12 --out rio12.kend
  kiothi endgame --stones 8 --marked 5 --out kiothi8.kend
  kiothi evaluate greedy random --game rio-kadalis --oracle rio12.kend`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"stones", "out"} {
				if !cmd.Flags().Changed(name) {
					return usage("--%s is missing, as in kiothi endgame --game rio-kadalis --stones 12 --out rio12.kend", name)
				}
			}
			if err := pathsGiven(cmd, "out"); err != nil {
				return err
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			cost, err := endgame.Estimate(g, stones, o)
			if err != nil {
				return asUsage(err)
			}
			reporter, err := show.reporter(a)
			if err != nil {
				return err
			}
			needed := (cost.Memory + megabyte - 1) / megabyte
			fmt.Fprintf(reporter, "%s %s, up to %d seeds: %s, about %d MB of memory\n",
				g.Name(), g.Rules(), stones, plural(int(cost.Positions), "position"), needed)
			if needed > int64(memory) {
				return usage("that is more than the %d MB that --memory allows; choose fewer seeds, or --memory %d", memory, needed)
			}
			if err := replaceable(out, force); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			// The file is begun before the work, so that no work is lost to a path that cannot be written.
			file, err := durable.Create(out)
			if err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			defer file.Abort()
			ctx, stop := interruptible(cmd.Context(), reporter)
			defer stop()
			began := time.Now()
			phase := reporter.Start("end games", "steps", 0, 2*cost.Positions)
			o.Progress = func(done, _ int64) { phase.Set(done) }
			table, err := endgame.Build(ctx, g, stones, o)
			phase.End()
			if errors.Is(err, context.Canceled) {
				return errors.New("stopped; no file was written")
			}
			if err != nil {
				return err
			}
			took := time.Since(began)
			if err := table.Write(file); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			if err := file.Commit(); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			info, err := os.Stat(out)
			if err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			_, err = fmt.Fprintf(a.out, "%s: %s in %.1f s, %.1f MB\n", out, plural(int(table.Positions()), "position"), took.Seconds(), float64(info.Size())/megabyte)
			return err
		},
	}
	game.bind(cmd)
	flags := cmd.Flags()
	flags.IntVar(&stones, "stones", 0, "largest number of seeds on the board")
	flags.IntVar(&o.Marked, "marked", 0, "Kiothi: largest number of seeds for positions with protected pits")
	flags.BoolVar(&o.AllTotals, "all-totals", false, "Rio Kadalis: also numbers of stones that are no multiple of four")
	flags.IntVar(&memory, "memory", 4096, "megabytes of memory that may be used")
	flags.IntVar(&o.Workers, "workers", 0, "number of threads (default: one a processor)")
	flags.StringVar(&out, "out", "", "file to write the table to")
	flags.BoolVar(&force, "force", false, "replace a table that is in the file")
	show.bind(cmd)
	return cmd
}

// replaceable refuses a file that is no table, and one that is unless it may be replaced: a larger one has taken hours. Nothing
// is lost with an empty file.
func replaceable(path string, force bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	table, err := endgame.IsFile(path)
	switch {
	case err != nil:
		return err
	case !table:
		return fmt.Errorf("%s: found a file that is no end-game table: choose another name", path)
	case !force:
		return fmt.Errorf("%s: found an end-game table: add --force to replace it, or choose another name", path)
	}
	return nil
}
