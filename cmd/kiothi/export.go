package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/bot"
	"kiothi/agent/export"
	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/agent/zero"
	"kiothi/cmd/kiothi/internal/page"
	"kiothi/cmd/kiothi/internal/parts"
	"kiothi/env/games"
)

// This file is the command export.

func newExport(a *app) *cobra.Command {
	var out, web string
	var without []string
	var force bool
	cmd := &cobra.Command{
		Use:   "export PATH --out DIR | export --web DIR",
		Short: "Take a trained network out of its run, for this program and for others",
		Long: `Checks the network of a checkpoint, of a run's newest one, or of a release by its
name, such as kiothi-quick, and writes it into a folder of its own, from which agents play: weights in safetensors, and a
description in JSON that says what game, rule set, encoding and architecture they
are for.

Beside them stands what other programs need: the network in ONNX, once from the
observation of a position and once from features; positions with what the network
says about them, to test a port with; a manifest that says what all the numbers
mean; an npm package that plays the bot with rules and search (the part npm); a page
to play against it, for any web host (the part web); and examples in Python and
JavaScript. The folder's README.md explains it.

With --web it writes the page of kiothi serve alone, with the bots that the program
carries: a folder of static files, which any web host serves as they are.`,
		Example: `  kiothi export runs/kiothi-quick --out mybot
  kiothi play --agent zero:mybot
  kiothi export rio-kadalis-quick --out network --without npm,web
  kiothi export --web public`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := pathsGiven(cmd, "out", "web"); err != nil {
				return err
			}
			if web != "" {
				if len(args) > 0 || out != "" || without != nil {
					return usage("--web takes the folder to write to, and neither a network nor --out nor --without")
				}
				return nil
			}
			if err := parts.Check(without); err != nil {
				return usage("--without: %w", err)
			}
			if len(args) != 1 {
				return usage("needs the folder of a checkpoint or of a run, or a release, as in kiothi export runs/kiothi-quick --out mybot; found %d arguments", len(args))
			}
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if web != "" {
				return a.exportPage(web, force)
			}
			if out == "" {
				return usage("--out is missing: the folder to write to")
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			d, err := exportBot(ctx, args[0], out, without, force)
			if errors.Is(err, context.Canceled) {
				return errors.New("stopped before its end")
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.out, "%s: %s (%s), %d weights after %d training steps on %d games\n", out, d.Game, d.Rules, d.Parameters, d.Steps, d.Games)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to, made where it is missing")
	cmd.Flags().StringVar(&web, "web", "", "folder to write the page to play on to, made where it is missing")
	cmd.Flags().StringSliceVar(&without, "without", nil, "parts to leave out of the folder: npm, web or both, with a comma between")
	cmd.Flags().BoolVar(&force, "force", false, "replace an export that is in the folder")
	complete(cmd, "without", parts.Names)
	return cmd
}

// exportPage writes the page to play on into a folder.
func (a *app) exportPage(dir string, force bool) error {
	files, err := page.Read()
	if err == nil {
		err = files.Write(dir, force)
	}
	if err != nil {
		return fmt.Errorf("--web: %w", err)
	}
	_, err = fmt.Fprintf(a.out, "%s: the page to play on, %d files\n", dir, len(files))
	return err
}

// The moves in the vectors are those of the agent zero:FOLDER,sims=64.
const (
	vectorSimulations = 64
	vectorSeed        = 1
	vectorBatch       = 128
)

// exportBot writes the export of the model that a path means into a folder.
func exportBot(ctx context.Context, path, out string, without []string, force bool) (model.Description, error) {
	dir, d, tensors, err := zero.Read(path)
	if err != nil {
		return d, err
	}
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return d, err
	}
	w, err := zero.Weights(dir, d, tensors, g)
	if err != nil {
		return d, err
	}
	strength, err := export.ReadStrength(dir)
	if err != nil {
		return d, err
	}
	more, err := parts.For(&d, without)
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
	config.Simulations = vectorSimulations
	player, err := zero.NewPlayer(g, w, config)
	if err != nil {
		return d, err
	}
	return d, export.Write(ctx, out, force, &export.Bot{
		Game: g, Description: d, Tensors: tensors, Strength: strength, Parts: more,
		Judge: judge, Player: player, Search: export.Search{Agent: fmt.Sprintf("zero:FOLDER,sims=%d", vectorSimulations), Simulations: vectorSimulations},
		Seed: vectorSeed, CreatedWith: version(),
	})
}
