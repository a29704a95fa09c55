package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/agent/nnue"
	"kiothi/env/child"
	"kiothi/env/mancala"
	"kiothi/train/distill"
	"kiothi/train/progress"
	"kiothi/train/replay"
)

// This file is the command distill learn.

// learnFlags is the flags of distill learn.
type learnFlags struct {
	game    gameFlag
	show    progressFlag
	options distill.LearnOptions
	dir     string
}

func newDistillLearn(a *app) *cobra.Command {
	f := learnFlags{options: distill.DefaultLearnOptions()}
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
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, a, args) },
	}
	f.game.bind(cmd)
	flags := cmd.Flags()
	o := &f.options
	flags.StringVar(&f.dir, "dir", "", "folder of the network and its metrics")
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
	f.show.bind(cmd)
	return cmd
}

// check refuses what is missing, and what cannot be learned.
func (f *learnFlags) check(cmd *cobra.Command, folders []string) error {
	if err := required(cmd, "kiothi distill learn games1 --dir first", "dir"); err != nil {
		return err
	}
	if err := pathsGiven(cmd, "dir", "init"); err != nil {
		return err
	}
	if err := f.options.Validate(); err != nil {
		return usage("--%w", err)
	}
	return distinct(folders, f.dir)
}

// run learns, and prints where the network is.
func (f *learnFlags) run(cmd *cobra.Command, a *app, folders []string) error {
	if err := f.check(cmd, folders); err != nil {
		return err
	}
	g, err := f.game.open()
	if err != nil {
		return err
	}
	paths, teacher, err := inputs(folders)
	if err != nil {
		return err
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	o := &f.options
	k := &keeper{
		game: g, path: filepath.Join(f.dir, nnue.FileName), messages: reporter,
		origin: nnue.Provenance{Commit: commit(), Command: originOf(cmd, folders), Seed: o.Seed, Teacher: teacher},
	}
	o.OnEpoch, o.OnRestore = k.onEpoch, k.onRestore
	var phase *progress.Phase
	o.Progress = func(done, total int) {
		if phase == nil {
			phase = reporter.Start("learning", "steps", int64(done-1), int64(total))
		}
		phase.Set(int64(done))
	}
	_, err = distill.Learn(ctx, g, paths, f.dir, *o)
	if phase != nil {
		phase.End()
	}
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped, and the epoch under way is to be learned again; go on with the same command")
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, k.path)
	return err
}

// inputs returns the files of games in some folders, and who played them.
func inputs(folders []string) (paths []string, teacher string, err error) {
	for _, folder := range folders {
		found, err := distill.Files(folder)
		if err != nil {
			return nil, "", err
		}
		if len(found) == 0 {
			return nil, "", fmt.Errorf("%s: found no files of games (*%s), expected a folder that distill games made", folder, replay.Extension)
		}
		paths = append(paths, found...)
	}
	teacher, err = distill.Teacher(folders...)
	return paths, teacher, err
}

// A keeper keeps the network that is being learned, as alphabeta reads it.
type keeper struct {
	game     mancala.Game
	path     string
	origin   nnue.Provenance // but for how much the network has learned from
	messages io.Writer
}

// save writes the network as it is after an epoch.
func (k *keeper) save(m distill.Metrics, f *nnue.Float) (nnue.Report, error) {
	origin := k.origin
	origin.Games, origin.Positions = int64(m.Games), int64(m.Positions)
	network, report, err := f.Quantise(k.game, origin)
	if err != nil {
		return report, err
	}
	return report, network.Save(k.path)
}

// onEpoch saves the network, and tells how well it judges.
func (k *keeper) onEpoch(m distill.Metrics, f *nnue.Float) error {
	report, err := k.save(m, f)
	if err != nil {
		return err
	}
	v := m.Validation
	fmt.Fprintf(k.messages, "epoch %d: loss %.4f; validation %.4f, of which %.4f can be learned; results %.4f (search %.4f), winner right %.1f %% (search %.1f %%); %s\n",
		m.Epoch, m.Loss, v.Loss, v.Loss-v.Floor, v.Result, v.SearchResult, 100*v.Right, 100*v.SearchRight, report)
	return nil
}

// onRestore saves the network if it was lost. One that is sound stays: it says by which command it was made.
func (k *keeper) onRestore(m distill.Metrics, f *nnue.Float) error {
	if _, err := nnue.OpenFor(k.path, k.game); err == nil {
		return nil
	}
	_, err := k.save(m, f)
	return err
}

// distinct refuses a folder of games that is given twice, by whatever name, which would count its games twice, and one that
// the network is to go into.
func distinct(folders []string, dir string) error {
	for i, folder := range folders {
		if sameFile(folder, dir) {
			return usage("--dir %s is a folder of games, expected one of its own for the network", dir)
		}
		for _, other := range folders[:i] {
			if sameFile(folder, other) {
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
		line += " " + child.Quote(distill.Name(arg))
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		value := f.Value.String()
		if value == "" || slices.Contains([]string{"dir", "help", "progress", "workers"}, f.Name) {
			return
		}
		if f.Name == "init" {
			value = distill.Name(value)
		}
		line += " --" + f.Name + "=" + child.Quote(value)
	})
	return line
}
