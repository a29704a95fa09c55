package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/agent/alphabeta"
	"kiothi/agent/nnue"
	"kiothi/env/mancala"
	"kiothi/train/distill"
	"kiothi/train/replay"
)

// This file is the command distill, which learns networks for alphabeta: the games of which it learns.

func newDistill(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "distill",
		Short: "Learn a small network for alphabeta from its own games",
		Long: `Learns the small network by which alphabeta:net=FILE judges positions. A generation
is two steps: alphabeta plays games against itself, and a network learns from what the
search said of each position and from how the games ended. The next generation plays
with that network:

  kiothi distill games --dir games1
  kiothi distill learn games1 --dir first
  kiothi distill games --dir games2 --net first
  kiothi distill learn games2 --dir second
  kiothi evaluate alphabeta:nodes=5000,net=second alphabeta:nodes=5000,net=first`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDistillGames(a), newDistillLearn(a))
	return cmd
}

// distillGamesFlags is the flags of distill games.
type distillGamesFlags struct {
	game     gameFlag
	show     progressFlag
	options  distill.GamesOptions
	dir, net string
	depth    int
}

func newDistillGames(a *app) *cobra.Command {
	f := distillGamesFlags{options: distill.DefaultGamesOptions()}
	cmd := &cobra.Command{
		Use:   "games",
		Short: "Play the games of which a network learns",
		Long: `Plays games of alphabeta against itself into the folder --dir, in files of --shard
games. Opening turns are drawn at random, half of them improved by the evaluation, or
planned; a share of the other turns is random. Each position is searched to --depth.

Games that are there already stay, so that what was stopped goes on with the same
command. Ctrl-C stops after the games that are finished, and keeps them; a second one
ends at once. The files are the same for any number of workers.`,
		Example: "  kiothi distill games --dir games1",
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd, a) },
	}
	f.game.bind(cmd)
	flags := cmd.Flags()
	o := &f.options
	flags.StringVar(&f.dir, "dir", "", "folder of the games")
	flags.StringVar(&f.net, "net", "", "network that judges positions, a file or a folder (default: the linear terms)")
	flags.IntVar(&f.depth, "depth", 4, "depth of the search that plays and judges")
	flags.IntVar(&o.Games, "games", o.Games, "number of games")
	flags.IntVar(&o.Shard, "shard", o.Shard, "games a file")
	flags.IntVar(&o.First, "first", o.First, "greatest number of random turns at the beginning of a game")
	flags.Float64Var(&o.Random, "random", o.Random, "share of random turns later on, 0 to 1")
	flags.Float64Var(&o.Planned, "planned", o.Planned, "share of games with planned opening turns, 0 to 1")
	bindSeed(cmd, &o.Seed)
	bindWorkers(cmd, &o.Workers)
	f.show.bind(cmd)
	return cmd
}

// check refuses what is missing, and what cannot be played.
func (f *distillGamesFlags) check(cmd *cobra.Command) error {
	if err := required(cmd, "kiothi distill games --dir games1", "dir"); err != nil {
		return err
	}
	if err := pathsGiven(cmd, "dir", "net"); err != nil {
		return err
	}
	if err := f.options.Validate(); err != nil {
		return usage("--%w", err)
	}
	if f.depth < 1 || f.depth > alphabeta.MaxDepth {
		return usage("--depth: found %d, expected 1 to %d", f.depth, alphabeta.MaxDepth)
	}
	return nil
}

// player returns who plays, and the text that names it.
func (f *distillGamesFlags) player(g mancala.Game) (*alphabeta.Player, string, error) {
	c := alphabeta.Config{Limits: alphabeta.Limits{Depth: f.depth}, Hash: 1}
	name := fmt.Sprintf("alphabeta:depth=%d", f.depth)
	if f.net != "" {
		name += ",net=" + strings.ReplaceAll(f.net, ",", ",,")
		var err error
		if c.Network, err = nnue.OpenFor(f.net, g); err != nil {
			return nil, "", fmt.Errorf("--net: %w", err)
		}
	}
	player, err := alphabeta.New(g, c)
	return player, name, err
}

// run plays games, and says what is there then.
func (f *distillGamesFlags) run(cmd *cobra.Command, a *app) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	g, err := f.game.open()
	if err != nil {
		return err
	}
	o := &f.options
	var player *alphabeta.Player
	if player, o.Agent, err = f.player(g); err != nil {
		return err
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	phase := reporter.Start(g.Name(), "games", 0, int64(o.Games))
	there := 0
	o.Progress = func(n int) {
		there = n
		phase.Set(int64(n))
	}
	paths, err := distill.Games(ctx, g, player, f.dir, *o)
	phase.End()
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("stopped after %d of %d games; go on with the same command", there, o.Games)
	}
	if err != nil {
		return err
	}
	return reportGames(a.out, f.dir, o.Games, o.Shard, paths)
}

// reportGames says what was asked for and is there, and what else the folder holds, since distill learn reads all of it.
func reportGames(out io.Writer, dir string, games, shard int, paths []string) error {
	all, err := distill.Files(dir)
	if err != nil {
		return err
	}
	// The last file may hold more than was asked for, from a call that asked for more.
	_, last, err := replay.ReadFile(paths[len(paths)-1])
	if err != nil {
		return err
	}
	more := ""
	if extra := (len(paths)-1)*shard + len(last) - games; extra > 0 {
		more = fmt.Sprintf("; %s more there", plural(extra, "game"))
	}
	if extra := len(all) - len(paths); extra > 0 {
		more += fmt.Sprintf("; %s of more games there", plural(extra, "file"))
	}
	_, err = fmt.Fprintf(out, "%s: %s in %s%s\n", dir, plural(games, "game"), plural(len(paths), "file"), more)
	return err
}
