package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kiothi/agent/solve"
	"kiothi/agent/solve/certificate"
	"kiothi/env/child"
	"kiothi/env/mancala"
	"kiothi/train/progress"
)

// This file is the command solve.

// solveFlags is the flags of solve.
type solveFlags struct {
	game              gameFlag
	position          positionFlag
	show              progressFlag
	options           solve.Options
	out, save, resume string
	force             bool
}

func newSolve(a *app) *cobra.Command {
	var f solveFlags
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
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, a) },
	}
	f.game.bind(cmd)
	f.position.bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "", "file to write a certificate to")
	flags.StringVar(&f.save, "save", "", "file to write all that was proved to, also when the search is stopped (default: that of --resume)")
	flags.StringVar(&f.resume, "resume", "", "file of an earlier search to go on from")
	flags.IntVar(&f.options.Memory, "memory", solve.DefaultMemory, "memory of the search, in MiB")
	bindForce(cmd, &f.force, "a certificate that is in the file of --out")
	f.show.bind(cmd)
	return cmd
}

// check refuses flags that do not go together.
func (f *solveFlags) check(cmd *cobra.Command) error {
	if err := pathsGiven(cmd, "out", "save", "resume"); err != nil {
		return err
	}
	out := flagPath{"out", f.out}
	if err := separate(flagPath{"save", f.save}, out); err != nil {
		return err
	}
	return separate(flagPath{"resume", f.resume}, out)
}

// run proves. All that can be found wrong before the search is.
func (f *solveFlags) run(cmd *cobra.Command, a *app) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	g, err := f.game.open()
	if err != nil {
		return err
	}
	state, err := f.position.parse(cmd, g)
	if err != nil {
		return err
	}
	if state.Over() {
		return usage("the position is over (%s), expected one in which there is something to play", state.End)
	}
	reporter, err := f.show.reporter(a)
	if err != nil {
		return err
	}
	var tell func(solve.Progress)
	f.options.Progress = func(p solve.Progress) { tell(p) }
	s, err := solve.New(g, f.options)
	if err != nil {
		return asUsage(err)
	}
	if f.resume != "" {
		if err := s.Load(f.resume); err != nil {
			return fmt.Errorf("--resume: %w", err)
		}
	}
	claims, proof, err := f.begin()
	if err != nil {
		return err
	}
	defer claims.abort()
	defer proof.abort()

	ctx, stop := interruptible(cmd.Context(), reporter)
	defer stop()
	phase := reporter.Start("solve", "positions", 0, 0)
	tell = tellBounds(reporter, phase)
	r, err := s.Solve(ctx, &state, 0)
	phase.Set(int64(s.Nodes()))
	phase.End()
	if claims != nil {
		if saveErr := claims.finish(s.Write); saveErr != nil {
			return unsaved(err, saveErr)
		}
	}
	if err != nil {
		return stopped(err, claims)
	}
	if err := writeSolution(a, g, &state, r, s); err != nil || proof == nil {
		return err
	}
	return certify(a, s, &state, r, proof)
}

// begin begins the files of what is proved and of the certificate. That of a search that is gone on with is replaced: all that it
// holds goes into the new one.
func (f *solveFlags) begin() (claims, proof *begunFile, err error) {
	flag, path := "save", f.save
	if path == "" {
		flag, path = "resume", f.resume
	}
	again := f.resume != "" && samePath(path, f.resume)
	claims, err = beginFile(flag, path, replacing{force: again, advice: "go on with what it holds by --resume " + child.Quote(path) + ", or choose another name"})
	if err != nil {
		return nil, nil, err
	}
	if proof, err = beginFile("out", f.out, replacing{force: f.force, kind: "certificate", isKind: certificate.IsFile}); err != nil {
		claims.abort()
		return nil, nil, err
	}
	return claims, proof, nil
}

// certify writes the certificate of a result.
func certify(a *app, s *solve.Solver, state *mancala.State, r solve.Result, proof *begunFile) error {
	c, err := s.Certify(state, r)
	if err != nil {
		return err
	}
	if err := proof.finish(c.Write); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.out, "%s: a certificate of %s\n", proof.path, plural(len(c.Claims), "claim"))
	return err
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

// unsaved explains why what was proved is not kept, after a search that may have ended early for a reason of its own.
func unsaved(err, saveErr error) error {
	switch {
	case err == nil:
		return fmt.Errorf("what was proved could not be saved: %w", saveErr)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("stopped, and what was proved could not be saved: %w", saveErr)
	}
	return fmt.Errorf("%w; what was proved could not be saved: %w", err, saveErr)
}

// stopped explains why there is no result, and how to go on with the file in which all is kept, if there is one.
func stopped(err error, claims *begunFile) error {
	path := ""
	if claims != nil {
		path = claims.path
	}
	switch {
	case errors.Is(err, context.Canceled) && path != "":
		return fmt.Errorf("stopped; go on with --resume %s", child.Quote(path))
	case errors.Is(err, context.Canceled):
		return errors.New("stopped, and nothing is kept; with --save, a search can go on later")
	case errors.Is(err, solve.ErrMemory) && path != "":
		return fmt.Errorf("%w: go on with --resume %s and a larger --memory", err, child.Quote(path))
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
