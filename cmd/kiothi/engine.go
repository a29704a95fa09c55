package main

import (
	"os/signal"
	"runtime"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"kiothi/agent/engine/server"
)

// This file is the command engine.

func newEngine(a *app) *cobra.Command {
	var game gameFlag
	var seed uint64
	var spec string
	cmd := &cobra.Command{
		Use:   "engine",
		Short: "Let other programs ask an agent for moves, by a text protocol",
		Long: `Answers commands on standard input, a line each, in the manner of UCI: ugi lists
the options, position sets a position, go asks for a turn, quit ends. The page
agent/engine/README.md specifies the protocol. What is wrong is said on a line that
begins with "info string error:", and changes nothing.

The program ends with its input, or with Ctrl-C; a search under way is then stopped
and answered.`,
		Example: `  kiothi engine --agent alphabeta:depth=8
  kiothi engine --game rio-kadalis --agent zero:rio-kadalis-quick
  kiothi evaluate "engine:kiothi engine --agent greedy" random`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := game.open(); err != nil {
				return err
			}
			if seed > server.MaxSeed {
				return usage("a seed of %d, expected at most %d", seed, uint64(server.MaxSeed))
			}
			// A reader that has gone is told by a failed write, and everything ends in good order.
			signal.Ignore(syscall.SIGPIPE)
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			err := server.Serve(ctx, a.in, a.out, server.Options{
				Name: "kiothi " + strings.TrimSuffix(strings.Fields(version())[0], ","), Kinds: a.kinds, Agent: spec, Game: game.game, Rules: game.rules, Seed: seed,
				Threads: runtime.GOMAXPROCS(0), SetThreads: func(n int) { runtime.GOMAXPROCS(n) },
			})
			return err
		},
	}
	game.bind(cmd)
	cmd.Flags().StringVar(&spec, "agent", "greedy", "who chooses the moves (see kiothi help agents)")
	bindSeed(cmd, &seed)
	complete(cmd, "agent", a.kinds.Names)
	return cmd
}
