package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/train/history"
	"kiothi/train/plot"
)

// This file is the command plot.

func newPlot(a *app) *cobra.Command {
	var out, over string
	cmd := &cobra.Command{
		Use:   "plot RUN...",
		Short: "Draw the curves of runs",
		Long: `Draws what runs have measured: losses, entropies, the rating and the score against
each opponent with 95 % intervals, the length of games and the speed of self-play. Several runs
share each picture. A run may be under way; nothing in its folder is changed.

--out FILE.png or FILE.svg puts all curves into one picture. With a folder, each goes
into a picture of its own there, in both formats, beside the one of all.

Training time counts self-play, training and evaluations, over all stops of a run,
and not the pauses between them.`,
		Example: `  kiothi plot runs/kiothi-quick --out curves.png
  kiothi plot runs/kiothi-quick --x iteration --out curves`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("needs the folder of a run, as in kiothi plot runs/kiothi-quick --out curves.png")
			}
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := required(cmd, "kiothi plot runs/kiothi-quick --out curves.png", "out"); err != nil {
				return err
			}
			if err := pathsGiven(cmd, "out"); err != nil {
				return err
			}
			x, err := plot.ParseX(over)
			if err != nil {
				return usage("--x: %w", err)
			}
			if err := plot.CheckEnding(out); err != nil {
				return usage("--out: %w", err)
			}
			return plotRuns(a, args, x, out)
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "picture to write, .png or .svg, or a folder for many")
	cmd.Flags().StringVar(&over, "x", plot.XNames[0], "what to draw over: "+strings.Join(plot.XNames, ", "))
	complete(cmd, "x", func() []string { return plot.XNames })
	return cmd
}

// plotRuns draws runs into a file or a folder, and prints the names of the files.
func plotRuns(a *app, dirs []string, x plot.X, out string) error {
	var runs []*history.Run
	for _, dir := range dirs {
		r, err := history.Read(dir)
		if err != nil {
			return err
		}
		runs = append(runs, r)
	}
	charts, err := plot.RunCharts(runs, x)
	if err != nil {
		return err
	}
	names := plot.RunNames(runs)
	title := plotTitle(runs, names)
	save := func(path string, charts ...plot.Chart) error {
		if err := pictures.check(path); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		picture, err := plot.Curves(title, names, charts)
		if err != nil {
			return err
		}
		if err := picture.Save(path); err != nil {
			return err
		}
		_, err = fmt.Fprintln(a.out, path)
		return err
	}
	if isPicture(out) {
		return save(out, charts...)
	}
	if info, err := os.Stat(out); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is a file, expected .png, .svg or a folder", out)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, ending := range plot.Endings {
		if err := save(filepath.Join(out, "all"+ending), charts...); err != nil {
			return err
		}
		for _, c := range charts {
			if err := save(filepath.Join(out, c.Name+ending), c); err != nil {
				return err
			}
		}
	}
	return nil
}

// plotTitle says what the runs have in common: the run itself if it is alone, and the games.
func plotTitle(runs []*history.Run, names []string) string {
	var games []string
	for _, r := range runs {
		game := strings.TrimSpace(r.Config.Game + " " + r.Config.Rules)
		if !slices.Contains(games, game) {
			games = append(games, game)
		}
	}
	title := strings.Join(games, ", ")
	if len(runs) == 1 {
		title = names[0] + ": " + title
	}
	return title
}
