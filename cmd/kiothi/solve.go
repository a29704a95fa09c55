package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/solve"
	"kiothi/env/durable"
	"kiothi/env/mancala"
	"kiothi/train"
	"kiothi/train/progress"
)

// This file is the command solve.

func newSolve(a *app) *cobra.Command {
	var game gameFlag
	var position positionFlag
	var show progressFlag
	var o solve.Options
	var out, save, resume string
	cmd := &cobra.Command{
		Use:   "solve",
		Short: "Prove the result of a position",
		Long: `Proves who wins a position when both players play best, and by how much. Rio
Kadalis is solved from the start in seconds; of Kiothi, positions with few seeds
are, and games with few seeds from the start, opening included. A search that is
too hard ends when its --memory is full.

With --out it writes a certificate, which kiothi verify checks move by move. The
first Ctrl-C stops the search; with --save, or after --resume, all that was proved
until then goes to a file, from which --resume goes on.`,
		Example: `  kiothi solve --game rio-kadalis --out standard.certificate
  kiothi verify standard.certificate
  kiothi solve --game rio-kadalis --position "0,1,5,0,0,2/3,0,0,6,0,3 - 12-16 N sow 3"
  kiothi solve --rules mancala-world,start=1x3`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := pathsGiven(cmd, "out", "save", "resume"); err != nil {
				return err
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			state, err := position.parse(cmd, g)
			if err != nil {
				return err
			}
			if state.Over() {
				return usage("the position is over (%s), expected one in which there is something to play", state.End)
			}
			reporter, err := show.reporter(a)
			if err != nil {
				return err
			}
			var tell func(solve.Progress)
			o.Progress = func(p solve.Progress) { tell(p) }
			s, err := solve.New(g, o)
			if err != nil {
				return asUsage(err)
			}
			keep, keepFlag := save, "--save"
			if save == "" {
				keep, keepFlag = resume, "--resume"
			}
			if keep != "" && keep == out {
				return usage("--out and %s are both %s, expected two files", keepFlag, out)
			}
			if resume != "" {
				if err := s.Load(resume); err != nil {
					return fmt.Errorf("--resume: %w", err)
				}
			}
			// The files are begun before the search, so that no proof is lost to a path that cannot be written.
			var claims, certificate *durable.File
			if keep != "" {
				if claims, err = durable.Create(keep); err != nil {
					return fmt.Errorf("%s: %w", keepFlag, err)
				}
				defer claims.Abort()
			}
			if out != "" {
				if certificate, err = durable.Create(out); err != nil {
					return fmt.Errorf("--out: %w", err)
				}
				defer certificate.Abort()
			}
			ctx, stop := interruptible(cmd.Context(), reporter)
			defer stop()
			phase := reporter.Start("solve", "positions", 0, 0)
			tell = tellBounds(reporter, phase)
			r, err := s.Solve(ctx, &state, 0)
			phase.Set(int64(s.Nodes()))
			phase.End()
			if claims != nil {
				saveErr := s.Write(claims)
				if saveErr == nil {
					saveErr = claims.Commit()
				}
				if saveErr != nil {
					return errors.Join(err, fmt.Errorf("%s: %w", keepFlag, saveErr))
				}
			}
			if err != nil {
				return stopped(err, keep)
			}
			if err := writeSolution(a, g, &state, r, s); err != nil || out == "" {
				return err
			}
			c, err := s.Certify(&state, r)
			if err != nil {
				return err
			}
			if err := c.Write(certificate); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			if err := certificate.Commit(); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
			_, err = fmt.Fprintf(a.out, "%s: a certificate of %s\n", out, plural(len(c.Claims), "claim"))
			return err
		},
	}
	game.bind(cmd)
	position.bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&out, "out", "", "file to write a certificate to")
	flags.StringVar(&save, "save", "", "file to write all that was proved to, also when the search is stopped (default: that of --resume)")
	flags.StringVar(&resume, "resume", "", "file of an earlier search to go on from")
	flags.IntVar(&o.Memory, "memory", solve.DefaultMemory, "memory of the search, in MiB")
	show.bind(cmd)
	return cmd
}

// tellBounds returns what shows the progress of a search: the positions searched, and each new bound.
func tellBounds(reporter *progress.Reporter, phase *progress.Phase) func(solve.Progress) {
	var last solve.Progress
	return func(p solve.Progress) {
		phase.Set(int64(p.Nodes))
		if reporter.Mode() != progress.None && (p.Low != last.Low || p.High != last.High || p.Bound != last.Bound) {
			fmt.Fprintf(reporter, "the best margin is from %d to %d; is it %d or more? (%d positions, %d claims)\n", p.Low, p.High, p.Bound, p.Nodes, p.Claims)
		}
		last = p
	}
}

// stopped explains why there is no result, and how to go on with the file in which all is kept, if there is one.
func stopped(err error, path string) error {
	switch {
	case errors.Is(err, context.Canceled) && path != "":
		return fmt.Errorf("stopped; go on with --resume %s", train.Quote(path))
	case errors.Is(err, context.Canceled):
		return errors.New("stopped, and nothing is kept; with --save, a search can go on later")
	case errors.Is(err, solve.ErrMemory) && path != "":
		return fmt.Errorf("%w: go on with --resume %s and a larger --memory", err, train.Quote(path))
	case errors.Is(err, solve.ErrMemory):
		return fmt.Errorf("%w: try a larger --memory", err)
	}
	return err
}

// writeSolution prints what was proved.
func writeSolution(a *app, g mancala.Game, state *mancala.State, r solve.Result, s *solve.Solver) error {
	_, err := fmt.Fprintf(a.out, "%s %s, %s\n%s, with %s as a best move\n%s searched, %s proved\n",
		g.Name(), g.Rules(), g.Format(state), marginText(state.Player, r.Low), g.ActionText(state, r.Best), plural(int(s.Nodes()), "position"), plural(s.Claims(), "claim"))
	return err
}

// marginText says who wins by how much when the player to move gets a margin.
func marginText(mover mancala.Player, margin int) string {
	switch {
	case margin > 0:
		return fmt.Sprintf("%s, to move, wins by %d", mover, margin)
	case margin < 0:
		return fmt.Sprintf("%s, to move, loses by %d", mover, -margin)
	}
	return fmt.Sprintf("%s, to move, draws", mover)
}
