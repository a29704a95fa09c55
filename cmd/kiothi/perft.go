package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/env/mancala"
)

// This file is the command perft (rules, section 6).

func newPerft(a *app) *cobra.Command {
	var game gameFlag
	var position positionFlag
	var depth int
	var divide bool
	cmd := &cobra.Command{
		Use:   "perft --depth D",
		Short: "Count the sequences of exactly D actions",
		Long: `Counts the sequences of exactly --depth actions from a position. A game that ends
sooner adds nothing; depth 0 is 1. With --divide, each first action gets a line of
its own, with its id, its text and its count, and the total stands last.`,
		Example: `  kiothi perft --depth 3
  kiothi perft --game rio-kadalis --depth 6 --divide`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := required(cmd, "kiothi perft --depth 3", "depth"); err != nil {
				return err
			}
			if depth < 0 {
				return usage("--depth: found %d, expected 0 or more", depth)
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			s, err := position.parse(cmd, g)
			if err != nil {
				return err
			}
			if !divide {
				_, err = fmt.Fprintln(a.out, mancala.Perft(g, s, depth))
				return err
			}
			total := uint64(0)
			for action, count := range mancala.Divide(g, s, depth) {
				total += count
				if _, err := fmt.Fprintf(a.out, "%d %s %d\n", action, g.ActionText(&s, action), count); err != nil {
					return err
				}
			}
			if depth == 0 {
				total = 1
			}
			_, err = fmt.Fprintln(a.out, "total", total)
			return err
		},
	}
	game.bind(cmd)
	position.bind(cmd)
	cmd.Flags().IntVar(&depth, "depth", 0, "number of actions in a sequence")
	cmd.Flags().BoolVar(&divide, "divide", false, "split the count by first action")
	return cmd
}
