package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the command bench env.

func newBenchEnv(a *app) *cobra.Command {
	var game gameFlag
	var timing benchTiming
	cmd := &cobra.Command{
		Use:   "env",
		Short: "Turns a second of random play, by rule set",
		Long: `Plays uniformly random games, without their openings, on one core, and prints
millions of turns a second, the median of several runs:
  playout   a turn drawn and played in one call, as playouts do
  list      the legal actions listed, one of them drawn and played, as a search does

Without --game and --rules all rule sets of all games are measured.`,
		Example: `  kiothi bench env
  kiothi bench env --game kiothi --rules mancala-world --runs 9`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := timing.check(); err != nil {
				return err
			}
			selected, err := benchGames(cmd, &game)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			fmt.Fprintf(a.out, "millions of turns a second, %v\n%-12s %-24s %8s %8s\n", &timing, "game", "rules", "playout", "list")
			for _, g := range selected {
				playout, err := turnRate(ctx, g, playoutTurns, &timing)
				if err != nil {
					return stoppedEarly(err)
				}
				list, err := turnRate(ctx, g, listTurns, &timing)
				if err != nil {
					return stoppedEarly(err)
				}
				fmt.Fprintf(a.out, "%-12s %-24s %8.2f %8.2f\n", g.Name(), g.Rules(), playout/1e6, list/1e6)
			}
			return nil
		},
	}
	game.bind(cmd)
	timing.bind(cmd, 300*time.Millisecond)
	return cmd
}

// benchGames opens the game that is asked for, or every rule set of those that are not narrowed down.
func benchGames(cmd *cobra.Command, flag *gameFlag) ([]mancala.Game, error) {
	if cmd.Flags().Changed("rules") {
		g, err := flag.open()
		return []mancala.Game{g}, err
	}
	if _, err := games.Find(flag.game); err != nil {
		return nil, asUsage(err)
	}
	var selected []mancala.Game
	for _, e := range games.All() {
		if cmd.Flags().Changed("game") && e.Name != flag.game {
			continue
		}
		for _, set := range e.Sets {
			g, err := games.Open(e.Name, set.Name)
			if err != nil {
				return nil, err
			}
			selected = append(selected, g)
		}
	}
	return selected, nil
}

// turnRate returns the median rate of several runs, in turns a second.
func turnRate(ctx context.Context, g mancala.Game, play func(mancala.Game, mancala.State, *rand.PCG) int, timing *benchTiming) (float64, error) {
	starts := benchStarts(g)
	var rates []float64
	for run := range timing.runs {
		var source rand.PCG
		seed.Reseed(&source, seed.Mix(uint64(run), seed.Match))
		turns, games := 0, 0
		began := time.Now()
		for time.Since(began) < timing.length {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			// Reading the clock takes as long as a few turns: do it once in many games.
			for range 16 {
				turns += play(g, starts[games%len(starts)], &source)
				games++
			}
		}
		rates = append(rates, float64(turns)/time.Since(began).Seconds())
	}
	return median(rates), nil
}

// benchStarts returns positions in which the sowing begins.
func benchStarts(g mancala.Game) []mancala.State {
	rng := seed.Rand(1, seed.Opening)
	starts := make([]mancala.State, 256)
	for i := range starts {
		starts[i] = g.Start()
		for starts[i].Opening > 0 && !starts[i].Over() {
			for _, action := range scripted.SampleOpening(g, &starts[i], rng) {
				mancala.MustPlay(g, &starts[i], action)
			}
		}
	}
	return starts
}

// playoutTurns plays a random game to its end and returns its turns.
func playoutTurns(g mancala.Game, s mancala.State, source *rand.PCG) int {
	sampler := g.(mancala.Sampler) // all games in package games are
	turns := 0
	for ; !s.Over(); turns++ {
		sampler.RandomTurn(&s, source)
	}
	return turns
}

// listTurns plays a random game to its end by the list of the legal actions and returns its turns.
func listTurns(g mancala.Game, s mancala.State, source *rand.PCG) int {
	var buffer [mancala.MaxSeeds]mancala.Action
	rng := rand.New(source)
	turns := 0
	for ; !s.Over(); turns++ {
		legal := g.AppendLegal(buffer[:0], &s)
		mancala.MustPlay(g, &s, legal[rng.IntN(len(legal))])
	}
	return turns
}
