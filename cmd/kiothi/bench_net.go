package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/network"
	"kiothi/env/mancala"
	"kiothi/train/config"
)

// This file is the command bench net. What it measures is in bench_load.go.

// benchNetFlags is the flags of bench net.
type benchNetFlags struct {
	model            benchModel
	timing           benchTiming
	batches, workers []int
}

func newBenchNet(a *app) *cobra.Command {
	var f benchNetFlags
	cmd := &cobra.Command{
		Use:   "net",
		Short: "Evaluations and training steps a second of a network",
		Long: `Measures a new network of a preset's size, on positions of random games:
  forward pass    evaluations of a batch; several workers have a batch each. In
                  training these are Gorgonia's; players have an evaluation of
                  their own, whose speed is measured with features, and for the
                  policy's logits of legal actions only
  training step   at the preset's batch, whose products several workers share

Beside each stands the rate of the bare matrix products of the same sizes, each
on its own and warm in the cache, and the share of that rate that the network
reaches. A multiplication and an addition are 2 FLOP; a training step has those
of the forward pass three times, less the gradient of the features, which is of
no use. A machine may be shared, so products and network are measured in turn.`,
		Example: `  kiothi bench net
  kiothi bench net --game rio-kadalis --preset quick --workers 1
  kiothi bench net --width 512 --blocks 6 --batch 256,1024 --blas auto`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return stoppedEarly(f.run(cmd, a)) },
	}
	f.model.bind(cmd)
	f.timing.bind(cmd, 100*time.Millisecond)
	cmd.Flags().IntSliceVar(&f.batches, "batch", []int{1, 32, 128, 256, 512}, "positions in an evaluation")
	cmd.Flags().IntSliceVar(&f.workers, "workers", []int{1, 2}, "evaluations side by side, and goroutines of a training step")
	bindKernel(cmd)
	return cmd
}

// check refuses what cannot be measured.
func (f *benchNetFlags) check() error {
	if err := f.timing.check(); err != nil {
		return err
	}
	if err := checkList("batch", f.batches, 65536); err != nil {
		return err
	}
	return checkList("workers", f.workers, 1024)
}

// run measures, and prints each row when it is known.
func (f *benchNetFlags) run(cmd *cobra.Command, a *app) error {
	if err := f.check(); err != nil {
		return err
	}
	g, c, w, err := f.model.open(cmd, func(*config.Config) {})
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context(), a.err)
	defer stop()
	fmt.Fprintf(a.out, "%s\n%s\n%v\n", machine(), describe(g, w), &f.timing)
	if err := f.forward(ctx, a.out, g, w); err != nil {
		return err
	}
	return f.training(ctx, a.out, g, w, c.Training.Batch)
}

// forward measures evaluations.
func (f *benchNetFlags) forward(ctx context.Context, out io.Writer, g mancala.Game, w *network.Weights) error {
	fmt.Fprintf(out, "\nforward pass\n%7s %6s %16s %14s %6s %10s\n", "workers", "batch", "product GFLOP/s", "evaluations/s", "share", "players'")
	for _, n := range f.workers {
		for _, batch := range f.batches {
			graph, err := newForward(g, w, batch, n)
			if err != nil {
				return err
			}
			playing, err := newPlaying(g, w, batch, n)
			if err != nil {
				return errors.Join(err, graph.close())
			}
			rates, err := graph.compare(ctx, &f.timing, playing)
			if err != nil {
				return err
			}
			fmt.Fprintf(out, "%7d %6d %16.1f %14.0f %4.0f %% %10.0f\n", n, batch, rates.product/1e9, rates.rows, 100*rates.share, rates.beside)
		}
	}
	return nil
}

// training measures training steps.
func (f *benchNetFlags) training(ctx context.Context, out io.Writer, g mancala.Game, w *network.Weights, batch int) error {
	fmt.Fprintf(out, "\ntraining step\n%7s %6s %16s %14s %6s %8s\n", "workers", "batch", "product GFLOP/s", "positions/s", "share", "ms")
	for _, n := range f.workers {
		steps, err := newTraining(g, w, batch, n)
		if err != nil {
			return err
		}
		rates, err := steps.compare(ctx, &f.timing, nil)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%7d %6d %16.1f %14.0f %4.0f %% %8.2f\n", n, batch, rates.product/1e9, rates.rows, 100*rates.share, 1e3*float64(batch)/rates.rows)
	}
	return nil
}

// describe tells the sizes of a network.
func describe(g mancala.Game, w *network.Weights) string {
	c := w.Config()
	return fmt.Sprintf("network for %s %s: %d weights (inputs %d, width %d, blocks %d, actions %d, bins %d, value width %d)",
		g.Name(), g.Rules(), w.Count(), c.Inputs, c.Width, c.Blocks, c.Actions, c.Bins, c.ValueWidth)
}
