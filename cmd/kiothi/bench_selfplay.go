package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"kiothi/agent/network"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train"
	"kiothi/train/config"
	"kiothi/train/replay"
	"kiothi/train/selfplay"
)

// This file is the command bench selfplay.

func newBenchSelfPlay(a *app) *cobra.Command {
	var model benchModel
	var timing benchTiming
	var workers []int
	var slots, simulations int
	cmd := &cobra.Command{
		Use:   "selfplay",
		Short: "Evaluations, moves and games a second of self-play",
		Long: `Plays a new network against itself with a preset's settings, and prints
  evaluations/s   positions that the network judged
  recalled        share of the judgements known from the search of the move before
  moves/s         searched plies
  games/s         games that ended
  in network      share of the workers' time inside the network
  forward/s       evaluations of the network alone, at the same batch
  share           evaluations/s by forward/s
  training/s      positions learned, at the preset's batch
  times           evaluations/s and training/s by those of the first line

The games begin in the middle, at positions that random play has led to, as it
is in a long run. A machine may be shared, so all these are measured in turn, a
run after the other. At the end stand the figures that the preset small is meant
to reach, whatever was measured.`,
		Example: `  kiothi bench selfplay
  kiothi bench selfplay --game rio-kadalis --preset quick --workers 1
  kiothi bench selfplay --games 512 --simulations 64 --runs 3 --time 5s`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := timing.check(); err != nil {
				return err
			}
			if err := checkList("workers", workers, 1024); err != nil {
				return err
			}
			g, c, w, err := model.open(cmd, func(c *config.Config) {
				if cmd.Flags().Changed("games") {
					c.SelfPlay.GamesPerStream = slots
				}
				if cmd.Flags().Changed("simulations") {
					c.SelfPlay.Simulations = simulations
				}
			})
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			fmt.Fprintf(a.out, "%s\n%s\n", machine(), describe(g, w))
			fmt.Fprintf(a.out, "%d games a worker at once, %d simulations a move and %d in the opening, %v\n\n", c.SelfPlay.GamesPerStream,
				c.SelfPlay.Simulations, c.SelfPlay.OpeningSimulations, &timing)
			fmt.Fprintf(a.out, "%7s %14s %6s %9s %9s %9s %11s %11s %6s %11s %6s\n", "workers", "evaluations/s", "times", "recalled", "moves/s", "games/s",
				"in network", "forward/s", "share", "training/s", "times")
			rates, err := playRates(ctx, g, w, &c, workers, &timing)
			if err != nil {
				return stoppedEarly(err)
			}
			for i, n := range workers {
				r := &rates[i]
				fmt.Fprintf(a.out, "%7d %14.0f %6.2f %7.0f %% %9.0f %9.2f %9.0f %% %11.0f %4.0f %% %11.0f %6.2f\n", n, r.evaluations, r.evaluationsTimes,
					100*r.recalled, r.moves, r.games, 100*r.inside, r.forward, 100*r.share, r.training, r.trainingTimes)
			}
			fmt.Fprintf(a.out, "\nmeant to be reached with the preset small, on two idle cores\n%s", playBars)
			return nil
		},
	}
	model.bind(cmd)
	timing.bind(cmd, time.Second)
	cmd.Flags().IntSliceVar(&workers, "workers", []int{1, 2}, "workers, each with games of its own")
	cmd.Flags().IntVar(&slots, "games", 0, "games that a worker plays at once (default: the preset's)")
	cmd.Flags().IntVar(&simulations, "simulations", 0, "simulations a move (default: the preset's)")
	bindKernel(cmd)
	return cmd
}

// playBars says how fast self-play of the preset small is meant to be.
const playBars = `    one worker   60,000 evaluations/s with AVX-512, 30,000 with AVX2
                 70 % in the network
   two workers   1.80 times the evaluations/s of one
`

// benchPlay returns the settings of self-play that does not end, with a stream for each worker.
func benchPlay(c *config.Config, workers int) selfplay.Config {
	play := train.SelfPlayConfig(c)
	play.Seed, play.Streams, play.Quota = 1, workers, math.MaxInt
	return play
}

// selfPlayRates is how fast self-play is, and training beside it.
type selfPlayRates struct {
	evaluations, moves, games       float64 // a second
	recalled                        float64 // share of the judgements
	inside                          float64 // share of the workers' time inside the network
	forward                         float64 // evaluations a second of the network alone
	share                           float64 // evaluations by forward
	training                        float64 // positions learned a second
	evaluationsTimes, trainingTimes float64 // of the first number of workers' in the same run
}

// fields returns the rates, for what is done to all of them alike.
func (r *selfPlayRates) fields() []*float64 {
	return []*float64{&r.evaluations, &r.moves, &r.games, &r.recalled, &r.inside, &r.forward, &r.share, &r.training, &r.evaluationsTimes, &r.trainingTimes}
}

// medianRates returns the median of each rate.
func medianRates(runs []selfPlayRates) (middle selfPlayRates) {
	for i, field := range middle.fields() {
		values := make([]float64, len(runs))
		for run := range runs {
			values[run] = *runs[run].fields()[i]
		}
		*field = median(values)
	}
	return middle
}

// A playBench is what is measured of some workers.
type playBench struct {
	workers           int
	pool              *selfplay.Pool
	forward, training *load
	runs              []selfPlayRates
}

func newPlayBench(g mancala.Game, w *network.Weights, c *config.Config, workers int) (_ *playBench, err error) {
	b := &playBench{workers: workers}
	play := benchPlay(c, workers)
	if b.pool, err = selfplay.NewPool(g, w, play); err != nil {
		return nil, err
	}
	if err := b.pool.Restore(underWay(g, &play)); err != nil {
		return nil, err
	}
	if b.forward, err = newForward(g, w, play.Slots, workers); err != nil {
		return nil, err
	}
	b.training, err = newTraining(g, w, c.Training.Batch, workers)
	return b, err
}

// run measures everything once.
func (b *playBench) run(ctx context.Context, length time.Duration) (r selfPlayRates, err error) {
	if r, err = playFor(ctx, b.pool, b.workers, length); err != nil {
		return r, err
	}
	if r.forward, err = b.forward.rate(ctx, length/4); err != nil {
		return r, err
	}
	r.training, err = b.training.rate(ctx, length/4)
	r.share = r.evaluations / r.forward
	return r, err
}

// playRates measures self-play, the network alone and training in turn, with each number of workers.
func playRates(ctx context.Context, g mancala.Game, w *network.Weights, c *config.Config, workers []int, timing *benchTiming) (_ []selfPlayRates, err error) {
	benches := make([]*playBench, len(workers))
	for i, n := range workers {
		if benches[i], err = newPlayBench(g, w, c, n); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, benches[i].training.close()) }()
	}
	for run := range 1 + timing.runs {
		var first selfPlayRates
		for i, b := range benches {
			r, err := b.run(ctx, timing.length)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				first = r
			}
			r.evaluationsTimes, r.trainingTimes = over(r.evaluations, first.evaluations), over(r.training, first.training)
			if run > 0 { // the first warms up
				b.runs = append(b.runs, r)
			}
		}
	}
	rates := make([]selfPlayRates, len(workers))
	for i, b := range benches {
		rates[i] = medianRates(b.runs)
	}
	return rates, nil
}

// playFor goes on with self-play for a time.
func playFor(ctx context.Context, pool *selfplay.Pool, workers int, length time.Duration) (selfPlayRates, error) {
	before := searched(pool)
	limited, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var games atomic.Int64
	_, cost, err := pool.Play(limited, workers, func() { games.Add(1) })
	if ctx.Err() != nil { // it may have ended after its time was up
		return selfPlayRates{}, ctx.Err()
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		return selfPlayRates{}, err
	}
	seconds := cost.Elapsed.Seconds() / float64(workers)
	return selfPlayRates{
		evaluations: over(float64(cost.Evaluations), seconds),
		moves:       over(float64(searched(pool)-before), seconds),
		games:       over(float64(games.Load()), seconds),
		recalled:    over(float64(cost.Recalled), float64(cost.Recalled+cost.Evaluations)),
		inside:      over(cost.Network.Seconds(), cost.Elapsed.Seconds()),
	}, nil
}

// over divides. Over nothing it is 0: on a busy machine nothing is done in a short time.
func over(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}

// searched returns how many plies of the pool's games were searched.
func searched(pool *selfplay.Pool) int {
	state := pool.State()
	n := 0
	for _, games := range [][]*replay.Game{state.UnderWay, state.Finished} {
		for _, g := range games {
			for _, ply := range g.Plies {
				if ply.Flags&replay.PolicyTarget != 0 {
					n++
				}
			}
		}
	}
	return n
}

// underWay returns games that have come as far as those of a long run: each at some ply of a random game where there is a
// choice. Were all at the start, they would also end all at once.
func underWay(g mancala.Game, c *selfplay.Config) selfplay.State {
	var state selfplay.State
	for stream := range uint64(c.Streams) {
		for slot := range uint64(c.Slots) {
			rng := seed.Rand(c.Seed, seed.Opening, stream, slot)
			game := randomGame(g, rng)
			plies := choices(g, game)
			record := &replay.Game{ID: replay.ID{Stream: stream, Number: slot}, Seed: rng.Uint64(), Resume: []byte{0}}
			for _, action := range game[:plies[rng.IntN(len(plies))]] {
				if err := record.Append(action, 0, replay.Random, nil, nil); err != nil {
					panic("kiothi: a record refuses an action of the engine: " + err.Error())
				}
			}
			state.UnderWay = append(state.UnderWay, record)
		}
		state.Begun = append(state.Begun, uint64(c.Slots))
	}
	return state
}
