package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kiothi/agent/alphabeta"
	"kiothi/agent/alphabeta/fit"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/train/progress"
)

// This file is the command fit, which made agent/alphabeta/weights.json.

// fitFlags is the flags of fit.
type fitFlags struct {
	show    progressFlag
	options fit.Options
	out     string
	force   bool
}

func newFit(a *app) *cobra.Command {
	var f fitFlags
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
		Example: `  kiothi fit --out agent/alphabeta/weights.json --force
  kiothi fit --games 200 --depth 2`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, a) },
	}
	flags := cmd.Flags()
	o := &f.options
	flags.IntVar(&o.Rounds, "rounds", 3, "number of rounds")
	flags.IntVar(&o.Games, "games", 8000, "number of games a round")
	flags.IntVar(&o.Depth, "depth", 4, "depth of the search that plays")
	flags.Float64Var(&o.Random, "random", 0.2, "share of random moves, 0 to 1")
	bindSeed(cmd, &o.Seed)
	bindWorkers(cmd, &o.Workers)
	flags.StringVar(&f.out, "out", "", "file to write the weights to (default: standard output)")
	bindForce(cmd, &f.force, "weights that are in the file")
	f.show.bind(cmd)
	return cmd
}

// fittedWeights is the weights of each game by its name.
type fittedWeights map[string]*alphabeta.Weights

// run fits. All that can be found wrong before the games is.
func (f *fitFlags) run(cmd *cobra.Command, a *app) error {
	if err := pathsGiven(cmd, "out"); err != nil {
		return err
	}
	if err := f.options.Validate(); err != nil {
		return asUsage(err)
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	file, err := beginFile("out", f.out, replacing{force: f.force, kind: "file of weights", isKind: isWeights})
	if err != nil {
		return err
	}
	defer file.abort()

	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	all := fittedWeights{}
	for _, name := range games.Names() {
		if all[name], err = f.fit(ctx, name, reporter); err != nil {
			return stoppedEarly(err)
		}
	}
	if file == nil {
		return all.write(a.out)
	}
	if err := file.finish(all.write); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s: the weights of %d games\n", f.out, len(all))
	return err
}

// fit fits the weights of a game, and tells how well they predict.
func (f *fitFlags) fit(ctx context.Context, name string, reporter *progress.Reporter) (*alphabeta.Weights, error) {
	g, err := games.Open(name, "")
	if err != nil {
		return nil, err
	}
	phase := reporter.Start(name, "games", 0, int64(f.options.Rounds*f.options.Games))
	f.options.Progress = func(n int) { phase.Set(int64(n)) }
	w, rounds, err := fit.Weights(ctx, g, f.options)
	phase.End()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, r := range rounds {
		fmt.Fprintf(reporter, "%s, round %d: the final margin of %d positions within %.2f seeds, of the stores alone within %.2f\n",
			name, i+1, r.Positions, r.Deviation, r.Stores)
	}
	return w, nil
}

// write writes the weights as they stand in agent/alphabeta/weights.json.
func (w fittedWeights) write(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(w)
}

// maxWeights is the size that no file of weights has, in bytes.
const maxWeights = 1 << 20

// isWeights reports whether a file is one of weights: JSON of weights of games that there are, and nothing else.
func isWeights(path string) (bool, error) {
	data, err := durable.ReadHead(path, maxWeights)
	return len(data) < maxWeights && areWeights(data), err
}

// areWeights is isWeights for the content of a file. It is stricter than JSON of alphabeta.Weights, which takes lists of any length.
func areWeights(data []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var all map[string]struct {
		Terms map[string][]*float64 `json:"terms"`
		Fit   string                `json:"fit"`
	}
	if decoder.Decode(&all) != nil || len(all) == 0 {
		return false
	}
	if _, err := decoder.Token(); err != io.EOF { // something follows
		return false
	}
	for name, w := range all {
		if !slices.Contains(games.Names(), name) || len(w.Terms) == 0 {
			return false
		}
		for _, values := range w.Terms {
			if len(values) != 2 || slices.Contains(values, nil) {
				return false
			}
		}
	}
	return true
}
