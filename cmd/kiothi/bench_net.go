package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/network"
	"kiothi/env/mancala"
	"kiothi/train/config"
)

// This file is the command bench net. What it measures is in bench_load.go.

func newBenchNet(a *app) *cobra.Command {
	var model benchModel
	var timing benchTiming
	var batches, workers []int
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := timing.check(); err != nil {
				return err
			}
			if err := checkList("batch", batches, 65536); err != nil {
				return err
			}
			if err := checkList("workers", workers, 1024); err != nil {
				return err
			}
			g, c, w, err := model.open(cmd, func(*config.Config) {})
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			measure := func(l, beside *load, err error) (loadRates, error) {
				if err != nil {
					return loadRates{}, err
				}
				rates, err := l.compare(ctx, &timing, beside)
				if err != nil {
					return loadRates{}, err
				}
				return rates, nil
			}

			fmt.Fprintf(a.out, "%s\n%s\n%v\n", machine(), describe(g, w), &timing)
			fmt.Fprintf(a.out, "\nforward pass\n%7s %6s %16s %14s %6s %10s\n", "workers", "batch", "product GFLOP/s", "evaluations/s", "share", "players'")
			for _, n := range workers {
				for _, batch := range batches {
					forward, err := newForward(g, w, batch, n)
					if err != nil {
						return err
					}
					playing, err := newPlaying(g, w, batch, n)
					rates, err := measure(forward, playing, err)
					if err != nil {
						return err
					}
					fmt.Fprintf(a.out, "%7d %6d %16.1f %14.0f %4.0f %% %10.0f\n", n, batch, rates.product/1e9, rates.rows, 100*rates.share, rates.beside)
				}
			}
			fmt.Fprintf(a.out, "\ntraining step\n%7s %6s %16s %14s %6s %8s\n", "workers", "batch", "product GFLOP/s", "positions/s", "share", "ms")
			for _, n := range workers {
				batch := c.Training.Batch
				training, err := newTraining(g, w, batch, n)
				rates, err := measure(training, nil, err)
				if err != nil {
					return err
				}
				fmt.Fprintf(a.out, "%7d %6d %16.1f %14.0f %4.0f %% %8.2f\n", n, batch, rates.product/1e9, rates.rows, 100*rates.share, 1e3*float64(batch)/rates.rows)
			}
			return nil
		},
	}
	model.bind(cmd)
	timing.bind(cmd, 100*time.Millisecond)
	cmd.Flags().IntSliceVar(&batches, "batch", []int{1, 32, 128, 256, 512}, "positions in an evaluation")
	cmd.Flags().IntSliceVar(&workers, "workers", []int{1, 2}, "evaluations side by side, and goroutines of a training step")
	bindKernel(cmd)
	return cmd
}

// describe tells the sizes of a network.
func describe(g mancala.Game, w *network.Weights) string {
	c := w.Config()
	return fmt.Sprintf("network for %s %s: %d weights (inputs %d, width %d, blocks %d, actions %d, bins %d, value width %d)",
		g.Name(), g.Rules(), w.Count(), c.Inputs, c.Width, c.Blocks, c.Actions, c.Bins, c.ValueWidth)
}
