package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/bot"
	"kiothi/agent/export"
	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/agent/zero"
	"kiothi/env/games"
)

// This file is the command export.

func newExport(a *app) *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "export PATH",
		Short: "Take a trained network out of its run, for this program and for others",
		Long: `Checks the network of a checkpoint, or of a run's newest one, and writes it into a
folder of its own, from which agents play: weights in safetensors, and a
description in JSON that says what game, rule set, encoding and architecture they
are for.

Beside them stands what other programs need: the network in ONNX, once from the
observation of a position and once from features; positions with what the network
says about them, to test a port with; a manifest that says what all the numbers
mean; and examples in Python and JavaScript. The folder's README.md explains it.`,
		Example: `  kiothi export runs/kiothi-quick --out mybot
  kiothi play --agent zero:mybot`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("export needs the folder of a checkpoint or of a run, as in kiothi export runs/kiothi-quick --out mybot; found %d arguments", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usage("export: --out is missing: the folder to write to")
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			d, err := exportBot(ctx, args[0], out, force)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			_, err = fmt.Fprintf(a.out, "%s: %s (%s), %d weights after %d training steps on %d games\n", out, d.Game, d.Rules, d.Parameters, d.Steps, d.Games)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to, made where it is missing")
	cmd.Flags().BoolVar(&force, "force", false, "replace an export that is in the folder")
	return cmd
}

const (
	vectorSimulations = 64 // an action, of the moves in the vectors
	vectorSeed        = 1
	vectorBatch       = 128
)

// exportBot writes the export of the model that a path means into a folder.
func exportBot(ctx context.Context, path, out string, force bool) (model.Description, error) {
	dir, err := model.Find(path)
	if err != nil {
		return model.Description{}, err
	}
	d, tensors, err := model.Read(dir)
	if err != nil {
		return d, err
	}
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return d, err
	}
	w, _, err := zero.Load(dir, g)
	if err != nil {
		return d, err
	}
	strength, err := export.ReadStrength(dir)
	if err != nil {
		return d, err
	}
	inference, err := bot.NewInference(bot.NewNetwork(w), vectorBatch)
	if err != nil {
		return d, err
	}
	judge, err := zero.NewEvaluator(g, inference, margin.Utility{})
	if err != nil {
		return d, err
	}
	config := zero.DefaultConfig()
	config.Simulations, config.Batch = vectorSimulations, vectorBatch
	player, err := zero.NewPlayer(g, w, config)
	if err != nil {
		return d, err
	}
	defer player.Close()
	return d, export.Write(ctx, out, force, &export.Bot{
		Game: g, Description: d, Tensors: tensors, Strength: strength,
		Judge: judge, Player: player, Seed: vectorSeed, CreatedWith: version(),
		Search: export.Search{Agent: fmt.Sprintf("zero:FOLDER,sims=%d", vectorSimulations), Simulations: vectorSimulations},
	})
}
