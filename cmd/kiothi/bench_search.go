package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/alphabeta"
	"kiothi/agent/nnue"
	"kiothi/agent/scripted"
	"kiothi/agent/uct"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the command bench search.

// benchSearchFlags is the flags of bench search.
type benchSearchFlags struct {
	game      gameFlag
	positions int
	length    time.Duration
	net       string
}

func newBenchSearch(a *app) *cobra.Command {
	var f benchSearchFlags
	cmd := &cobra.Command{
		Use:   "search",
		Short: "Speed and depth of alphabeta and uct",
		Long: `Lets alphabeta and uct think for a time about positions from the middle of games,
always the same ones, one after the other on one core, and prints medians:
  nodes/s   positions that alphabeta reaches by a turn, millions a second
  depth     turns that alphabeta has searched ahead when the time is up
  sims/s    simulations of uct, thousands a second, each to the end of the game
  start     the same where the sowing begins, after random openings

The positions are from games that alphabeta plays against itself at a small depth, a
quarter of its moves at random, from four to twelve turns after the opening. Without
--game both games are measured, or that of --net, with which a second row shows
alphabeta with an evaluation network, which thinks about each position in turn with
the other.`,
		Example: `  kiothi bench search
  kiothi bench search --game kiothi --time 500ms --positions 20
  kiothi bench search --net kiothi-mancala-world`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return stoppedEarly(f.run(cmd, a)) },
	}
	f.game.bind(cmd)
	cmd.Flags().IntVar(&f.positions, "positions", 41, "number of positions")
	cmd.Flags().StringVar(&f.net, "net", "", "evaluation network to measure as well, a file or a folder")
	cmd.Flags().DurationVar(&f.length, "time", 100*time.Millisecond, "time for each position")
	return cmd
}

// check refuses what cannot be measured.
func (f *benchSearchFlags) check(cmd *cobra.Command) error {
	if f.positions < 1 || f.length <= 0 {
		return usage("%d positions for %v each, expected positive numbers", f.positions, f.length)
	}
	return pathsGiven(cmd, "net")
}

// run measures, and prints the rows of each game when they are known.
func (f *benchSearchFlags) run(cmd *cobra.Command, a *app) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	selected, network, err := f.open(cmd)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context(), a.err)
	defer stop()
	fmt.Fprintf(a.out, "medians of %d positions, %v each\n%-12s %-16s %8s %6s %8s %6s\n", f.positions, f.length, "game", "rules", "Mnodes/s", "depth", "ksims/s", "start")
	for _, g := range selected {
		r, err := measureSearch(ctx, g, network, f.positions, f.length)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%-12s %-16s %8.2f %6.3g %8.0f %6.0f\n", g.Name(), g.Rules(), r.nodes/1e6, r.depth, r.simulations/1e3, r.fromStart/1e3)
		if network != nil {
			fmt.Fprintf(a.out, "%-12s %-16s %8.2f %6.3g\n", g.Name(), "with network", r.netNodes/1e6, r.netDepth)
		}
	}
	return nil
}

// open opens the network if there is one, and what is measured: the game that is asked for, or that of the network, or the default
// rule set of each game.
func (f *benchSearchFlags) open(cmd *cobra.Command) (selected []mancala.Game, network *nnue.Network, err error) {
	if f.net != "" {
		if network, err = nnue.Open(f.net); err != nil {
			return nil, nil, fmt.Errorf("--net: %w", err)
		}
	}
	var g mancala.Game
	switch {
	case cmd.Flags().Changed("game") || cmd.Flags().Changed("rules"):
		if g, err = f.game.open(); err != nil {
			return nil, nil, err
		}
	case network != nil:
		if g, err = games.Open(network.Game(), network.Rules()); err != nil {
			return nil, nil, fmt.Errorf("--net: %s: %w", f.net, err)
		}
	default:
		for _, name := range games.Names() {
			if g, err = games.Open(name, ""); err != nil {
				return nil, nil, err
			}
			selected = append(selected, g)
		}
		return selected, nil, nil
	}
	if network != nil {
		if err := network.Check(g); err != nil {
			return nil, nil, fmt.Errorf("--net: %s: %w", f.net, err)
		}
	}
	return []mancala.Game{g}, network, nil
}

// searchRates are medians over positions.
type searchRates struct {
	nodes, depth           float64
	netNodes, netDepth     float64 // with a network; 0 without
	simulations, fromStart float64
}

// measureSearch lets both players think about some positions, and alphabeta with a network as well if there is one.
func measureSearch(ctx context.Context, g mancala.Game, network *nnue.Network, positions int, length time.Duration) (searchRates, error) {
	config := alphabeta.Config{Limits: alphabeta.Limits{Time: length}, Hash: alphabeta.DefaultHash}
	deep, err := alphabeta.New(g, config)
	if err != nil {
		return searchRates{}, err
	}
	config.Network = network
	learned, err := alphabeta.New(g, config)
	if err != nil {
		return searchRates{}, err
	}
	wide, err := uct.New(g, uct.Config{Time: length})
	if err != nil {
		return searchRates{}, err
	}
	list, err := middleGames(ctx, g, positions)
	if err != nil {
		return searchRates{}, err
	}
	starts := benchStarts(g)
	var nodes, depths, netNodes, netDepths, simulations, fromStart []float64
	// The first search also pays for the memory of its table and tree; it is done again.
	for i, s := range append(list[:1:1], list...) {
		rate, depth, err := nodeRateOf(ctx, deep, &s)
		if err != nil {
			return searchRates{}, err
		}
		netRate, netDepth := 0.0, 0.0
		if network != nil {
			if netRate, netDepth, err = nodeRateOf(ctx, learned, &s); err != nil {
				return searchRates{}, err
			}
		}
		middle, err := simulationRate(ctx, wide, &s, i)
		if err != nil {
			return searchRates{}, err
		}
		start, err := simulationRate(ctx, wide, &starts[i%len(starts)], i)
		if err != nil {
			return searchRates{}, err
		}
		if i > 0 {
			nodes, depths = append(nodes, rate), append(depths, depth)
			netNodes, netDepths = append(netNodes, netRate), append(netDepths, netDepth)
			simulations, fromStart = append(simulations, middle), append(fromStart, start)
		}
	}
	return searchRates{median(nodes), median(depths), median(netNodes), median(netDepths), median(simulations), median(fromStart)}, nil
}

// nodeRateOf returns the nodes a second of a search, and its depth.
func nodeRateOf(ctx context.Context, p *alphabeta.Player, s *mancala.State) (rate, depth float64, err error) {
	began := time.Now()
	found, err := p.Analyse(ctx, s)
	return float64(found.Nodes) / time.Since(began).Seconds(), float64(found.Depth), err
}

// simulationRate returns the simulations a second of a search, whose chance a number stands for.
func simulationRate(ctx context.Context, p *uct.Player, s *mancala.State, number int) (float64, error) {
	began := time.Now()
	found, err := p.Analyse(ctx, s, seed.Rand(1, seed.Match, uint64(number)))
	return float64(found.Simulations) / time.Since(began).Seconds(), err
}

// middleGames returns positions from the middle of games, always the same ones for a game and its rules.
func middleGames(ctx context.Context, g mancala.Game, n int) ([]mancala.State, error) {
	player, err := alphabeta.New(g, alphabeta.Config{Limits: alphabeta.Limits{Depth: 3}, Hash: 1})
	if err != nil {
		return nil, err
	}
	mixed := scripted.NewMixed(g, player, 0.25)
	starts := benchStarts(g)
	var list []mancala.State
	for game := 0; len(list) < n; game++ {
		rng := seed.Rand(1, seed.Match, uint64(game))
		s := starts[game%len(starts)]
		for range 4 + rng.IntN(9) {
			if s.Over() {
				break
			}
			action, err := mixed.Choose(ctx, &s, rng)
			if err != nil {
				return nil, err
			}
			mancala.MustPlay(g, &s, action)
		}
		if !s.Over() {
			list = append(list, s)
		}
	}
	return list, nil
}
