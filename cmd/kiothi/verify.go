package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/solve/certificate"
	"kiothi/env/games"
)

// This file is the command verify.

func newVerify(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Check a certificate of a result",
		Long: `Checks a certificate that kiothi solve wrote. Every claim in it is checked on its
own: its moves are played on the rules engine, and each position after them has to
be over, or decided whatever is played, or stand among the claims with a result
that suffices. Positions are compared whole. Nothing of the solver is used.`,
		Example: `  kiothi verify standard.certificate`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("needs the file of a certificate, as in kiothi verify standard.certificate; found %d arguments", len(args))
			}
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := certificate.Open(args[0])
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			report, err := certificate.Verify(ctx, c)
			if errors.Is(err, context.Canceled) {
				return errors.New("stopped before its end: nothing is found wrong so far, and nothing proved")
			}
			if err != nil {
				return fmt.Errorf("%s: not proved: %w", args[0], err)
			}
			g, err := games.Open(c.Game, c.Rules)
			if err != nil {
				return err
			}
			state, err := g.Parse(c.Position)
			if err != nil {
				return err
			}
			result := fmt.Sprintf("%s, to move, gets a margin from %d to %d", state.Player, c.Low, c.High)
			if c.Low == c.High {
				result = marginText(state.Player, c.Low)
			}
			_, err = fmt.Fprintf(a.out, `%s %s, %s
proved: %s
checked: %d claims about %d positions, %d actions played on the rules engine,
%d ends of the game, %d positions that are decided whatever is played
`, c.Game, c.Rules, c.Position, result, report.Claims, report.Positions, report.Actions, report.Ends, report.Trivial)
			return err
		},
	}
}
