package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kiothi/agent/endgame"
	"kiothi/train/oracle"
)

// This file is evaluate --oracle: agents against exact end games.

// An oracleFlag is --oracle and what belongs to it.
type oracleFlag struct {
	path      string
	source    string
	positions int
}

func (f *oracleFlag) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.path, "oracle", "", "instead of a match, compare each agent's choices with a table made by kiothi endgame")
	flags.StringVar(&f.source, "oracle-source", oracle.Uniform.String(), "--oracle: where positions come from: uniform (all of the table), or play (games between greedy players, a fifth of the moves at random)")
	flags.IntVar(&f.positions, "oracle-positions", 1000, "--oracle: number of positions")
	complete(cmd, "oracle-source", func() []string { return oracle.SourceNames })
}

// given reports whether the flag is given.
func (f *oracleFlag) given() bool { return f.path != "" }

// The flags that need --oracle, and those of evaluate that mean the same with it as without.
var (
	ofOracle   = []string{"oracle-source", "oracle-positions"}
	withOracle = []string{"oracle", "game", "rules", "seed", "workers", "json", "blas", "progress"}
)

// check refuses flags that would be passed over: those of --oracle without it, and with it those of a match.
func (f *oracleFlag) check(cmd *cobra.Command) error {
	meaningful := func(name string) bool {
		if slices.Contains(ofOracle, name) {
			return f.given()
		}
		return !f.given() || slices.Contains(withOracle, name)
	}
	var idle []string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !meaningful(flag.Name) {
			idle = append(idle, "--"+flag.Name)
		}
	})
	switch {
	case idle == nil:
		return nil
	case f.given():
		return usage("with --oracle no games are played, and %s would be passed over: leave out either", strings.Join(idle, ", "))
	}
	return usage("%s would be passed over without --oracle FILE: give that too, or leave it out", strings.Join(idle, ", "))
}

// run measures agents, as the other flags of evaluate say, and prints the result.
func (f *oracleFlag) run(cmd *cobra.Command, a *app, e *evaluateFlags, specs []string) error {
	if len(specs) == 0 {
		return usage("--oracle needs agents, as in kiothi evaluate greedy random --game rio-kadalis --oracle rio12.kend")
	}
	g, err := e.game.open()
	if err != nil {
		return err
	}
	o := oracle.Options{Positions: f.positions, Seed: e.options.Seed, Workers: e.options.Workers}
	if o.Source, err = oracle.ParseSource(f.source); err != nil {
		return asUsage(err)
	}
	if err := o.Validate(); err != nil {
		return usage("--oracle-positions: %w", err)
	}
	reporter, err := e.show.reporter(a)
	if err != nil {
		return err
	}
	table, err := endgame.OpenFor(f.path, g)
	if err != nil {
		return fmt.Errorf("--oracle: %w", err)
	}
	contenders, done, err := a.openContenders(g, specs)
	if err != nil {
		return err
	}
	defer done()
	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	phase := reporter.Start("end games", "answers", 0, int64(f.positions*len(specs)))
	o.Progress = func(n int) { phase.Set(int64(n)) }
	result, err := oracle.Measure(ctx, g, table, contenders, o)
	phase.End()
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before all agents had answered")
	}
	if err != nil {
		return err
	}
	if e.output.json {
		encoder := json.NewEncoder(a.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(result)
	} else {
		_, err = io.WriteString(a.out, oracleText(result))
	}
	return err
}

// oracleText describes how well agents play end games.
func oracleText(r *oracle.Result) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%d end games of %s %s in which the moves' margins differ, found in %d draws (%s, seed %d);\nin %d of them some move changes the result\n\n",
		r.Positions, r.Game, r.Rules, r.Draws, r.Source, r.Seed, r.Decisive)
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "agent\tkeeps the result\t95 %\twhere it can change\t95 %\tkeeps the margin\t95 %\tseeds lost")
	for i := range r.Agents {
		s := &r.Agents[i]
		fmt.Fprintf(w, "%s", s.Agent)
		for _, share := range []oracle.Share{s.Result, s.Decisive, s.Margin} {
			fmt.Fprintf(w, "\t%.1f %%\t%.1f to %.1f", 100*share.Share, 100*share.Low, 100*share.High)
		}
		fmt.Fprintf(w, "\t%.2f\n", s.MeanLoss)
	}
	fmt.Fprintf(w, "(a random move)\t%.1f %%\t\t%.1f %%\t\t%.1f %%\n", 100*r.Chance.Result, 100*r.Chance.Decisive, 100*r.Chance.Margin)
	w.Flush()
	return text.String()
}
