package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kiothi/agent/model"
	"kiothi/agent/zero"
	"kiothi/env/games"
)

// This file is the command export.

func newExport(a *app) *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "export PATH",
		Short: "Take a trained network out of its run",
		Long: `Checks the network of a checkpoint, or of a run's newest one, and writes it into a
folder of its own, from which agents play: weights in safetensors, and a
description in JSON that says what game, rule set, encoding and architecture they
are for.`,
		Example: `  kiothi export runs/kiothi-quick --out mybot
  kiothi play --agent zero:mybot`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("export needs the folder of a checkpoint or of a run, as in kiothi export runs/kiothi-quick --out mybot; found %d arguments", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return usage("export: --out is missing: the folder to write to")
			}
			d, err := exportModel(args[0], out)
			if err != nil {
				return fmt.Errorf("export: %w", err)
			}
			_, err = fmt.Fprintf(a.out, "%s: %s (%s), %d weights after %d training steps on %d games\n", out, d.Game, d.Rules, d.Parameters, d.Steps, d.Games)
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "folder to write to, made where it is missing")
	return cmd
}

// exportModel writes the model that a path means into a folder.
func exportModel(path, out string) (model.Description, error) {
	dir, err := model.Find(path)
	if err != nil {
		return model.Description{}, err
	}
	d, err := model.ReadDescription(dir)
	if err != nil {
		return d, err
	}
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return d, err
	}
	w, d, err := zero.Load(dir, g)
	if err != nil {
		return d, err
	}
	if err := makeEmptyDir(out); err != nil {
		return d, err
	}
	return d, zero.Save(out, g, w, d)
}

// makeEmptyDir makes a folder, or accepts one that is empty: nothing is written over.
func makeEmptyDir(path string) error {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s: found %d files in it, expected a folder that is empty or does not exist: choose another --out", path, len(entries))
	}
	return err
}
