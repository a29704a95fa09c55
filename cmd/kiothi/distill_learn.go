package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/agent/nnue"
	"kiothi/train"
	"kiothi/train/distill"
	"kiothi/train/progress"
	"kiothi/train/replay"
)

// This file is the command distill learn.

func newDistillLearn(a *app) *cobra.Command {
	var game gameFlag
	var show progressFlag
	var dir string
	o := distill.DefaultLearnOptions()
	cmd := &cobra.Command{
		Use:   "learn GAMES...",
		Short: "Learn a network from games",
		Long: `Learns a network from folders of games that distill games played. The target of a
position is a mixture of how its game ended (--lambda) and what the search said of it;
one game in 20 is kept out and validates. After every epoch the network so far is in
--dir, as ` + nnue.FileName + `, with ` + distill.MetricsFile + ` and what a stopped run needs to go on with the same command.

The network is the same for any number of workers.`,
		Example: "  kiothi distill learn games1 --dir first",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("found no arguments, expected folders of games")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := pathsGiven(cmd, "dir", "init"); err != nil {
				return err
			}
			if dir == "" {
				return usage("there is no --dir, expected a folder for the network")
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			if err := o.Check(); err != nil {
				return usage("--%w", err)
			}
			if err := distinct(args, dir); err != nil {
				return err
			}
			var paths []string
			for _, folder := range args {
				found, err := distill.Files(folder)
				if err != nil {
					return err
				}
				if len(found) == 0 {
					return fmt.Errorf("%s: found no files of games (*%s), expected a folder that distill games made", folder, replay.Extension)
				}
				paths = append(paths, found...)
			}
			teacher, err := distill.Teacher(args...)
			if err != nil {
				return err
			}
			command := originOf(cmd, args)
			reporter, err := show.reporter(a)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), reporter)
			defer stop()
			var phase *progress.Phase
			o.Progress = func(done, total int) {
				if phase == nil {
					phase = reporter.Start("learning", "steps", int64(done-1), int64(total))
				}
				phase.Set(int64(done))
			}
			path := filepath.Join(dir, nnue.FileName)
			save := func(m distill.Metrics, f *nnue.Float) (nnue.Report, error) {
				network, report, err := f.Quantise(g, nnue.Provenance{
					Commit: commit(), Command: command, Seed: o.Seed, Teacher: teacher, Games: int64(m.Games), Positions: int64(m.Positions),
				})
				if err != nil {
					return report, err
				}
				return report, network.Save(path)
			}
			o.OnEpoch = func(m distill.Metrics, f *nnue.Float) error {
				report, err := save(m, f)
				if err != nil {
					return err
				}
				v := m.Validation
				fmt.Fprintf(reporter, "epoch %d: loss %.4f; validation %.4f, of which %.4f can be learned; results %.4f (search %.4f), winner right %.1f %% (search %.1f %%); %s\n",
					m.Epoch, m.Loss, v.Loss, v.Loss-v.Floor, v.Result, v.SearchResult, 100*v.Right, 100*v.SearchRight, report)
				return nil
			}
			// A network that is sound stays: it says by which command it was made.
			o.OnRestore = func(m distill.Metrics, f *nnue.Float) error {
				if _, err := nnue.OpenFor(path, g); err == nil {
					return nil
				}
				_, err := save(m, f)
				return err
			}
			_, err = distill.Learn(ctx, g, paths, dir, o)
			if phase != nil {
				phase.End()
			}
			if errors.Is(err, context.Canceled) {
				return errors.New("stopped, and the epoch under way is to be learned again; go on with the same command")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(a.out, path)
			return err
		},
	}
	flags := cmd.Flags()
	game.bind(cmd)
	flags.StringVar(&dir, "dir", "", "folder of the network and its metrics")
	flags.IntVar(&o.Hidden, "hidden", o.Hidden, fmt.Sprintf("width of the first layer, a multiple of %d up to %d", nnue.HiddenStep, nnue.MaxHidden))
	flags.Float64Var(&o.Lambda, "lambda", o.Lambda, "part of the game's result in the target, 0 to 1")
	flags.IntVar(&o.Epochs, "epochs", o.Epochs, "times that each position is seen")
	flags.IntVar(&o.Batch, "batch", o.Batch, "positions a step")
	flags.Float64Var(&o.Rate, "rate", o.Rate, "learning rate at the beginning; it falls to a hundredth")
	flags.Float64Var(&o.Decay, "decay", o.Decay, "weight decay of the tables")
	flags.BoolVar(&o.Factors, "factors", o.Factors, "share what is known of single pits among all rows")
	flags.StringVar(&o.Init, "init", "", "folder of a run with whose weights to begin (default: random ones)")
	bindSeed(cmd, &o.Seed)
	bindWorkers(cmd, &o.Workers)
	show.bind(cmd)
	return cmd
}

// distinct refuses a folder of games that is given twice, by whatever name, which would count its games twice, and one that
// the network is to go into.
func distinct(folders []string, dir string) error {
	same := func(a, b string) bool {
		x, err := os.Stat(a)
		y, other := os.Stat(b)
		return err == nil && other == nil && os.SameFile(x, y)
	}
	for i, folder := range folders {
		if same(folder, dir) {
			return usage("--dir %s is a folder of games, expected one of its own for the network", dir)
		}
		for _, other := range folders[:i] {
			if same(folder, other) {
				return usage("%s and %s are the same folder, expected each folder of games once", other, folder)
			}
		}
	}
	return nil
}

// originOf returns the command for the record of a network that it makes: with all options that decide what is learned, so that
// equal networks are equal files, and with the names of folders but not where they lie, because networks are published.
func originOf(cmd *cobra.Command, args []string) string {
	line := cmd.CommandPath()
	for _, arg := range args {
		line += " " + train.Quote(distill.Name(arg))
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		if value == "" || slices.Contains([]string{"dir", "help", "progress", "workers"}, f.Name) {
			return
		}
		if f.Name == "init" {
			value = distill.Name(value)
		}
		line += " --" + f.Name + "=" + train.Quote(value)
	})
	return line
}
