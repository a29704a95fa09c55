package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kiothi/train/replay"
	"kiothi/train/runfiles"
)

// This file is the command games.

func newGames(a *app) *cobra.Command {
	var iteration int
	cmd := &cobra.Command{
		Use:   "games RUN",
		Short: "Print the games that a run played against itself",
		Long: `Prints the games of self-play, a JSON object a line, in the form that kiothi trace
--batch plays again: of the run's newest iteration, or of the one that is asked for.
RUN is the folder of a run, or one of its files of games.`,
		Example: `  kiothi games runs/kiothi-quick --iteration 1 > selfplay.jsonl
  kiothi trace --batch < selfplay.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("needs the folder of a run, as in kiothi games runs/kiothi-quick; found %d arguments", len(args))
			}
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("iteration") && iteration < 1 {
				return usage("--iteration: %d, expected 1 or more", iteration)
			}
			path, err := gamesFile(args[0], iteration)
			if err != nil {
				return err
			}
			header, records, err := replay.ReadFile(path)
			var damaged *replay.DamageError
			if err != nil && !errors.As(err, &damaged) {
				return err
			}
			// Of a damaged file the sound games are printed, and what is wrong is told.
			return errors.Join(replay.WriteLines(a.out, header, records), err)
		},
	}
	cmd.Flags().IntVar(&iteration, "iteration", 0, "iteration whose games are printed, 1 or more (default: the newest)")
	return cmd
}

// gamesFile returns the file of games that a path and an iteration, 0 for the newest, mean.
func gamesFile(path string, iteration int) (string, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w; expected the folder of a run, or one of its files of games", err)
	}
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		if iteration > 0 {
			return "", usage("%s is a file of games, expected the folder of a run, of which --iteration chooses a file: leave it out", path)
		}
		return path, nil
	}
	if iteration > 0 {
		file := runfiles.GamesOf(path, iteration)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("%s: found no such file: iteration %d is not played yet, or this is no run", file, iteration)
		}
		return file, nil
	}
	dir := filepath.Join(path, runfiles.Games)
	entries, err := os.ReadDir(dir) // sorted by name, the newest last
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, e := range slices.Backward(entries) {
		if filepath.Ext(e.Name()) == replay.Extension {
			return filepath.Join(dir, e.Name()), nil
		}
	}
	return "", fmt.Errorf("%s: found no games: give the folder of a run that has completed an iteration", path)
}
