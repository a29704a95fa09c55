package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/endgame"
	"kiothi/env/mancala"
	"kiothi/train/progress"
)

// This file is the command endgame.

// mebibyte is the unit in which people are told about memory and files, MiB.
const mebibyte = 1 << 20

// endgameFlags is the flags of endgame.
type endgameFlags struct {
	game           gameFlag
	show           progressFlag
	options        endgame.Options
	stones, memory int
	out            string
	force          bool
}

func newEndgame(a *app) *cobra.Command {
	var f endgameFlags
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
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, a) },
	}
	f.game.bind(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.stones, "stones", 0, "largest number of seeds on the board")
	flags.IntVar(&f.options.Marked, "marked", 0, "Kiothi: largest number of seeds for positions with protected pits")
	flags.BoolVar(&f.options.AllTotals, "all-totals", false, "Rio Kadalis: also numbers of stones that are no multiple of four")
	flags.IntVar(&f.memory, "memory", 4096, "memory that may be used, in MiB")
	bindWorkers(cmd, &f.options.Workers)
	flags.StringVar(&f.out, "out", "", "file to write the table to")
	bindForce(cmd, &f.force, "a table that is in the file")
	f.show.bind(cmd)
	return cmd
}

// check refuses what is missing.
func (f *endgameFlags) check(cmd *cobra.Command) error {
	if err := required(cmd, "kiothi endgame --game rio-kadalis --stones 12 --out rio12.kend", "stones", "out"); err != nil {
		return err
	}
	return pathsGiven(cmd, "out")
}

// run builds a table. All that can be found wrong before the work is.
func (f *endgameFlags) run(cmd *cobra.Command, a *app) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	g, err := f.game.open()
	if err != nil {
		return err
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	steps, err := f.estimate(g, reporter)
	if err != nil {
		return err
	}
	file, err := beginFile("out", f.out, replacing{force: f.force, kind: "end-game table", isKind: endgame.IsFile})
	if err != nil {
		return err
	}
	defer file.abort()

	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	began := time.Now()
	table, err := f.build(ctx, g, reporter, steps)
	if err != nil {
		return err
	}
	took := time.Since(began)
	if err := file.finish(table.Write); err != nil {
		return err
	}
	info, err := os.Stat(f.out)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	_, err = fmt.Fprintf(a.out, "%s: %s in %.1f s, %.1f MiB\n", f.out, plural(int(table.Positions()), "position"), took.Seconds(), float64(info.Size())/mebibyte)
	return err
}

// estimate tells what the table will take, refuses one that takes more than there may be, and returns the steps of the work.
func (f *endgameFlags) estimate(g mancala.Game, reporter *progress.Reporter) (steps int64, err error) {
	cost, err := endgame.Estimate(g, f.stones, f.options)
	if err != nil {
		return 0, asUsage(err)
	}
	needed := (cost.Memory + mebibyte - 1) / mebibyte
	fmt.Fprintf(reporter, "%s %s, up to %d seeds: %s, about %d MiB of memory\n",
		g.Name(), g.Rules(), f.stones, plural(int(cost.Positions), "position"), needed)
	if needed > int64(f.memory) {
		return 0, usage("that is more than the %d MiB that --memory allows; choose fewer seeds, or --memory %d", f.memory, needed)
	}
	return 2 * cost.Positions, nil
}

// build builds the table, and shows how far that is.
func (f *endgameFlags) build(ctx context.Context, g mancala.Game, reporter *progress.Reporter, steps int64) (*endgame.Table, error) {
	phase := reporter.Start("end games", "steps", 0, steps)
	defer phase.End()
	f.options.Progress = func(done, _ int64) { phase.Set(done) }
	table, err := endgame.Build(ctx, g, f.stones, f.options)
	if errors.Is(err, context.Canceled) {
		return nil, errors.New("stopped; no file was written")
	}
	return table, err
}
