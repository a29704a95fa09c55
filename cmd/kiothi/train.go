package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kiothi/env/child"
	"kiothi/env/games"
	"kiothi/train"
	"kiothi/train/config"
)

// This file is the command train.

// trainFlags is the flags of train.
type trainFlags struct {
	preset, file string
	assignments  []string
	print        bool
	dir          string
	resume       string
	listen       string
	limit        time.Duration
	show         progressFlag
}

func newTrain(a *app) *cobra.Command {
	var f trainFlags
	cmd := &cobra.Command{
		Use:   "train",
		Short: "Train a network by self-play",
		Long: `Trains a network by self-play, in a folder that holds everything of the run: the
configuration, checkpoints, games and metrics. At the end the network plays
against random and greedy.

The configuration is a preset, then the file of --config, then --set and the flags
that stand for a key. "kiothi train --print-config" prints it with the meaning and
the range of every key; what it prints can be given to --config.

Presets:
  ` + strings.Join(config.PresetDocs(), "\n  ") + `

The first Ctrl-C, or the end of the time of --for, stops after the step under way and
takes a checkpoint; a second Ctrl-C ends at once. --resume goes on, to the same bits as
a run without a stop. The same seed gives the same network, whatever the number of
workers.

--init-from begins a new run with the network of another one of the same game and
sizes: to go on with other settings, or to move to another rule set. Its optimizer and
its window of games begin empty; the counts of games and steps in the model go on.`,
		Example: `  kiothi train --preset quick
  kiothi train --preset quick --game rio-kadalis --dir runs/rio
  kiothi train --preset small --set selfplay.simulations=64 --set run.iterations=50
  kiothi train --print-config > my.toml
  kiothi train --config my.toml
  kiothi train --preset small --listen localhost:8080
  kiothi train --preset small --for 8h
  kiothi train --resume runs/rio --set run.iterations=60
  kiothi train --init-from runs/kiothi-quick --rules wikipedia-it`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := pathsGiven(cmd, "config", "dir", "resume", "init-from"); err != nil {
				return err
			}
			c, err := f.config(cmd)
			if err != nil {
				return err
			}
			if f.print {
				return config.Print(a.out, c)
			}
			return f.run(cmd, a, c)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.preset, "preset", config.PresetNames()[0], "configuration to start from: "+strings.Join(config.PresetNames(), ", "))
	flags.StringVar(&f.file, "config", "", "file of TOML on top of the preset")
	flags.StringArrayVar(&f.assignments, "set", nil, "key=value on top of both, any number of times; of a list, a;b")
	for _, k := range keyFlags {
		flags.String(k.flag, "", k.doc+" (key "+k.key+")")
	}
	flags.StringVar(&f.dir, "dir", "", "folder of the run (default: a new one in runs, named after game and preset)")
	flags.StringVar(&f.resume, "resume", "", "folder of a run to go on with")
	flags.StringVar(&f.listen, "listen", "", "address, HOST:PORT, of a page with the run's curves and games, as kiothi watch shows it; localhost:8080 is seen on this machine only, :8080 on all its networks")
	alias(cmd, "http", "listen")
	flags.DurationVar(&f.limit, "for", 0, "time after which the run stops as with Ctrl-C, such as 8h or 90m; 0 for no limit")
	flags.BoolVar(&f.print, "print-config", false, "print the configuration and end")
	bindKernel(cmd)
	f.show.bind(cmd)
	complete(cmd, "preset", config.PresetNames)
	complete(cmd, "game", games.Names)
	complete(cmd, "set", keyNames)
	return cmd
}

// keyFlags are the keys that have a flag of their own.
var keyFlags = []struct{ flag, key, doc string }{
	{"game", "game", "game: " + strings.Join(games.Names(), " or ")},
	{"rules", "rules", "rule set, such as mancala-world,bonus=run"},
	{"seed", "seed", "seed of all chance, 0 for a new one"},
	{"workers", "workers", "goroutines, 0 for one a processor"},
	{"iterations", "run.iterations", "iterations of self-play and training"},
	{"init-from", "network.init_from", "network to begin with: a run, a checkpoint or an exported model"},
}

func keyNames() []string {
	var names []string
	for _, k := range config.Keys() {
		names = append(names, k.Name+"=\t"+k.Doc)
	}
	return names
}

// config puts the configuration together.
func (f *trainFlags) config(cmd *cobra.Command) (config.Config, error) {
	c, err := config.Preset(f.preset)
	if err != nil {
		return c, asUsage(err)
	}
	if f.resume != "" {
		for _, flag := range []string{"preset", "config", "dir"} {
			if cmd.Flags().Changed(flag) {
				return c, usage("--resume and --%s exclude each other: a run goes on with its own configuration", flag)
			}
		}
		if c, err = train.Settings(f.resume); err != nil {
			return c, fmt.Errorf("--resume: %w", err)
		}
	}
	if f.file != "" {
		if c, err = config.Load(f.file, c); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return c, fmt.Errorf("--config: %w", err)
			}
			return c, usage("--config: %w", err)
		}
	}
	for _, assignment := range f.assignments {
		if err := c.Set(assignment); err != nil {
			return c, usage("--set: %w", err)
		}
	}
	for _, k := range keyFlags {
		if cmd.Flags().Changed(k.flag) {
			if err := c.Override(k.key, cmd.Flags().Lookup(k.flag).Value.String()); err != nil {
				return c, usage("--%s: %w", k.flag, err)
			}
		}
	}
	if err := c.Validate(); err != nil {
		return c, asUsage(err)
	}
	if _, err := games.Open(c.Game, c.Rules); err != nil {
		return c, asUsage(err)
	}
	return c, nil
}

// run begins a run or goes on with one.
func (f *trainFlags) run(cmd *cobra.Command, a *app, c config.Config) error {
	if f.limit < 0 {
		return usage("--for: found %v, expected a time of 0 or more", f.limit)
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	if f.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.limit)
		defer cancel()
	}
	dir, work := f.resume, train.Resume
	if dir == "" {
		work = train.Begin
		if dir = f.dir; dir == "" {
			if dir, err = freeDir(filepath.Join("runs", c.Game+"-"+f.name())); err != nil {
				return err
			}
		}
		c.DrawSeed()
	}
	served := func(error) {}
	if cmd.Flags().Changed("listen") {
		// The address is taken before anything is trained or written.
		if served, err = serveTraining(ctx, f.listen, dir, reporter); err != nil {
			return fmt.Errorf("--listen: %w", err)
		}
	}
	err = work(ctx, train.Options{
		Dir: dir, Config: c, Opponents: a.kinds, Progress: reporter, Messages: reporter, Results: a.out,
		Version: version(), Commit: commit(),
	})
	served(err)
	switch {
	case errors.As(err, new(*train.MemoryError)):
		return asUsage(err)
	case errors.Is(err, train.ErrExists):
		return usage("%w: go on with --resume %s, or choose another --dir", err, child.Quote(dir))
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped; go on with: kiothi train --resume %s", child.Quote(dir))
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintf(a.out, "stopped after %v; go on with: kiothi train --resume %s\n", f.limit, child.Quote(dir))
	case err != nil:
		return err
	}
	return nil
}

// name returns what the configuration is called: the file's name, or the preset's.
func (f *trainFlags) name() string {
	if f.file != "" {
		return strings.TrimSuffix(filepath.Base(f.file), filepath.Ext(f.file))
	}
	return f.preset
}

// freeDir returns a path that does not exist yet: the one wanted, or the first free one of those with a number behind it.
func freeDir(want string) (string, error) {
	for n := 1; ; n++ {
		path := want
		if n > 1 {
			path = fmt.Sprintf("%s-%d", want, n)
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return path, nil
		} else if err != nil {
			return "", err
		}
	}
}
