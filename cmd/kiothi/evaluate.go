package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kiothi/agent"
	"kiothi/env/durable"
	"kiothi/env/mancala"
	"kiothi/train/arena"
)

// This file is the command evaluate.

func newEvaluate(a *app) *cobra.Command {
	var game gameFlag
	var show progressFlag
	var o arena.Options
	var openings, gamesOut string
	var asJSON bool
	var oracle oracleFlag
	cmd := &cobra.Command{
		Use:   "evaluate A B",
		Short: "Play a match between two agents",
		Long: `Plays a match between two agents and prints the score of the first with its 95 %
interval. Each opening is played twice, with the seats changed. Openings are
random: in Kiothi both players' opening turns, in Rio Kadalis the first four
plies. The same seed gives the same games, whatever the number of workers.

The first Ctrl-C stops the match and prints the result of the pairs finished so
far, with exit status 1; a second one ends at once.`,
		Example: `  kiothi evaluate greedy random --games 200
  kiothi evaluate greedy random --game rio-kadalis --rules five-holes --json
  kiothi evaluate greedy random --games 20 --games-out games.jsonl
  kiothi trace --batch < games.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 && !oracle.given() {
				return usage("evaluate needs two agents, as in kiothi evaluate greedy random; found %d", len(args))
			}
			return nil
		},
		ValidArgsFunction: a.completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := pathsGiven(cmd, "games-out", "oracle"); err != nil {
				return err
			}
			if oracle.given() {
				return oracle.run(cmd, a, oracleRun{game, show, args, o.Seed, o.Workers, asJSON})
			}
			g, err := game.open()
			if err != nil {
				return err
			}
			if o.Openings, err = arena.ParseOpenings(openings); err != nil {
				return asUsage(err)
			}
			if err := o.Check(); err != nil {
				return asUsage(err)
			}
			reporter, err := show.reporter(a)
			if err != nil {
				return err
			}
			first, second, done, err := a.openPair(g, args)
			if err != nil {
				return err
			}
			defer done()
			// The file is begun before the match, so that a match is not lost to a path that cannot be written.
			save, err := saveGames(gamesOut)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), reporter)
			defer stop()
			phase := reporter.Start(fmt.Sprintf("%s against %s", args[0], args[1]), "games", 0, int64(o.Games))
			o.Progress = func(n int) { phase.Set(int64(n)) }
			r, err := arena.Match(ctx, g, first, second, o)
			phase.End()
			saved := save(r)
			if r != nil {
				if err := writeResult(a.out, r, asJSON); err != nil {
					return fmt.Errorf("evaluate: %w", err)
				}
			}
			if errors.Is(err, context.Canceled) {
				return errors.New("evaluate: the match was stopped; the result is of the pairs of games that were finished")
			}
			if err != nil {
				return fmt.Errorf("evaluate: %w", err)
			}
			return saved
		},
	}
	game.bind(cmd)
	flags := cmd.Flags()
	flags.IntVar(&o.Games, "games", 200, "number of games, even")
	bindSeed(cmd, &o.Seed)
	flags.StringVar(&openings, "openings", "random", "how games begin: random, or own (the agents play from the start)")
	flags.IntVar(&o.Warrior, "warrior", 1, "wins that a win by exactly two seeds counts in match points: 1, 2 or 10")
	flags.IntVar(&o.Workers, "workers", 0, "number of threads for agents without a network (default: one a processor)")
	flags.IntVar(&o.Concurrent, "concurrent", 0, "number of games at once, the largest batch of a network (default 256)")
	flags.StringVar(&gamesOut, "games-out", "", "file to write the games to, for kiothi trace --batch")
	flags.BoolVar(&asJSON, "json", false, "print the result as JSON")
	oracle.bind(cmd)
	bindKernel(cmd)
	show.bind(cmd)
	complete(cmd, "openings", func() []string { return []string{"random", "own"} })
	return cmd
}

// saveGames begins a file for the games of a match, none when the path is empty. The function it returns writes the games
// and finishes the file, or removes it when there is no result.
func saveGames(path string) (func(*arena.Result) error, error) {
	if path == "" {
		return func(*arena.Result) error { return nil }, nil
	}
	file, err := durable.Create(path)
	if err != nil {
		return nil, fmt.Errorf("evaluate: --games-out: %w", err)
	}
	return func(r *arena.Result) error {
		if r == nil {
			return file.Abort()
		}
		err := r.WriteGames(file)
		if err == nil {
			err = file.Commit()
		}
		if err != nil {
			return fmt.Errorf("evaluate: --games-out: %w", errors.Join(err, file.Abort()))
		}
		return nil
	}, nil
}

// openPair makes two agents. Call done when they are used no more.
func (a *app) openPair(g mancala.Game, specs []string) (first, second arena.Contender, done func(), err error) {
	var opened []agent.Agent
	done = func() {
		for _, player := range opened {
			closeAgent(a, player)
		}
	}
	for _, spec := range specs {
		player, err := a.kinds.Open(g, spec)
		if err != nil {
			done()
			return first, second, nil, err
		}
		opened = append(opened, player)
	}
	return arena.Contender{Name: specs[0], Agent: opened[0]}, arena.Contender{Name: specs[1], Agent: opened[1]}, done, nil
}

// closeAgent closes an agent that wants to be.
func closeAgent(a *app, player agent.Agent) {
	if c, ok := player.(io.Closer); ok {
		if err := c.Close(); err != nil {
			fmt.Fprintf(a.err, "kiothi: closing an agent: %v\n", err)
		}
	}
}

// writeResult prints the result of a match.
func writeResult(w io.Writer, r *arena.Result, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(r)
	}
	_, err := io.WriteString(w, resultText(r))
	return err
}

// resultText describes the result of a match.
func resultText(r *arena.Result) string {
	var text strings.Builder
	line := func(label, format string, values ...any) {
		fmt.Fprintf(&text, "  %-10s "+format+"\n", append([]any{label}, values...)...)
	}
	fmt.Fprintf(&text, "%s against %s\n", r.Agents[0], r.Agents[1])
	line("match", "%d games of %s %s from both seats", r.Games, r.Game, r.Rules)
	line("openings", "%s, seed %d", r.Openings, r.Seed)
	if r.Games == 0 {
		line("score", "none, for no pair of games was finished")
		return text.String()
	}
	tally := func(t arena.Tally) string {
		return fmt.Sprintf("%d won, %d drawn, %d lost", t.Wins, t.Draws, t.Losses)
	}
	line("score", "%.1f %% (95 %% interval %.1f %% to %.1f %%)", 100*r.Score, 100*r.Low, 100*r.High)
	line("games", "%s", tally(r.Total))
	line("as South", "%s", tally(r.South))
	line("as North", "%s", tally(r.North))
	line("warriors", "%d won by exactly two seeds, %d lost so", r.WarriorWins[0], r.WarriorWins[1])
	if r.Warrior > 1 {
		line("points", "%g to %g, such a win counting %d", r.Points[0], r.Points[1], r.Warrior)
	}
	line("margin", "%+.1f seeds a game", r.MeanMargin)
	line("length", "%.1f turns a game; %d games ended by the clock; %d relays cut", r.MeanTurns, r.Exhausted, r.CutTurns)
	line("distinct", "%d of %d games", r.Distinct, r.Games)
	if 2*r.Distinct < r.Games {
		line("warning", "games repeat, so the interval is narrower than the match deserves")
	}
	return text.String()
}
