// Package train is the training loop: self-play, a window of the newest games, training steps, checkpoints and evaluation,
// over and over, in a folder of its own.
//
//	RUN/config.toml          what was asked for
//	RUN/checkpoints/000012   what there is to go on from (see snapshot.go)
//	RUN/games/000012.kgr     the games of an iteration
//	RUN/metrics.jsonl        a line an iteration
//	RUN/events.out.tfevents… the same for TensorBoard
//
// A run is a function of its configuration, the worker count not counted: the same seed gives the same games and the same
// weights, on one core or on many, in one go or stopped and resumed anywhere.
package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"kiothi/agent"
	"kiothi/agent/folders"
	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/agent/search"
	"kiothi/agent/zero"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
	"kiothi/env/seed"
	"kiothi/train/arena"
	"kiothi/train/checkpoint"
	"kiothi/train/config"
	"kiothi/train/events"
	"kiothi/train/history"
	"kiothi/train/progress"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
	"kiothi/train/selfplay"
)

// Options of a run.
type Options struct {
	Dir    string        // the run's folder
	Config config.Config // complete; its seed is not 0

	Opponents agent.Kinds        // the agents that evaluation.opponents may name
	Progress  *progress.Reporter // shows the phases
	Messages  io.Writer          // what a person is to know beside results
	Results   io.Writer          // a line an iteration, and the evaluations

	Version, Commit string // of the program, for the descriptions of models

	memory int64 // bytes that the process may use; 0: those of the machine
}

// A run is a run under way.
type run struct {
	Options
	game    mancala.Game
	workers int

	store   *checkpoint.Store
	weights *network.Weights // of the network that learns
	playing *network.Weights // of the network that plays: the same, or with gating the incumbent
	trainer *network.Trainer
	pool    *selfplay.Pool
	window  *replay.Window
	learner *learner
	rate    network.Schedule
	state   state
	saved   bool          // nothing has happened since the newest checkpoint
	saving  time.Duration // for checkpoints, since the last iteration's line

	began    time.Time
	spent    float64                        // seconds, in earlier processes
	line     history.Iteration              // of the current iteration
	spread   []events.Value                 // histograms of its games
	events   *events.Writer                 // nil where TensorBoard sees nothing
	measured map[string]*history.Evaluation // evaluations after the last iteration, by opponent
}

// ErrExists is what Begin returns for a folder that holds a run.
var ErrExists = errors.New("there is a run already")

// Begin starts a run in a folder that does not exist or is empty, others being refused, and works until it is complete. When ctx ends, the run
// stops after its current step, takes a checkpoint, and returns ctx's error; Resume goes on. A run that needs more memory than
// there is is a *MemoryError, before anything is made.
func Begin(ctx context.Context, o Options) error {
	if _, err := os.Stat(filepath.Join(o.Dir, runfiles.Config)); err == nil {
		return fmt.Errorf("%s: %w", o.Dir, ErrExists)
	}
	if err := folders.Check(o.Dir, folders.Run); err != nil {
		return err
	}
	parent, err := o.parent()
	if err != nil {
		return err
	}
	r, err := open(o)
	if err != nil {
		return err
	}
	defer r.close()
	if err := r.begin(parent); err != nil {
		return err
	}
	if err := r.writeConfig(); err != nil {
		return err
	}
	if err := r.save(false); err != nil {
		return err
	}
	return r.work(ctx)
}

// Resume goes on with the run in o.Dir from its newest checkpoint. o.Config may differ from what the run began with only in
// keys that have no part in what the run is; see Settings for the one to start from.
func Resume(ctx context.Context, o Options) error {
	r, err := open(o)
	if err != nil {
		return err
	}
	defer r.close()
	for _, path := range r.store.Removed() {
		fmt.Fprintf(o.Messages, "removed what a crash left half done: %s\n", path)
	}
	anew := false
	name, skipped, err := r.store.Latest()
	for _, broken := range skipped {
		fmt.Fprintln(o.Messages, broken)
	}
	switch {
	case errors.Is(err, checkpoint.ErrNone):
		// The run was killed before its first checkpoint, and begins anew from the same seed.
		if err := r.wantNoGames(err); err != nil {
			return err
		}
		parent, err := o.parent()
		if err != nil {
			return err
		}
		if err := r.begin(parent); err != nil {
			return err
		}
		anew = true
	case err != nil:
		return err
	default:
		s, began, err := readState(r.store.Path(name))
		if err != nil {
			return err
		}
		if err := config.Compatible(began, r.Config); err != nil {
			return err
		}
		if found := r.Config.Run.Iterations; found < s.Iteration {
			return fmt.Errorf("key run.iterations: found %d, expected at least the %d that are done", found, s.Iteration)
		}
		if err := r.restore(r.store.Path(name), s); err != nil {
			return fmt.Errorf("resuming from checkpoint %s: %w", r.store.Path(name), err)
		}
		fmt.Fprintf(o.Messages, "going on from checkpoint %s: %d of %d iterations are done, %d games, %d training steps\n",
			name, s.Iteration, o.Config.Run.Iterations, s.Games, s.Steps)
	}
	if err := r.writeConfig(); err != nil {
		return err
	}
	if r.spent, r.measured, err = resumeMetrics(o.Dir, r.state.Iteration); err != nil {
		return err
	}
	r.spent = max(r.spent, r.state.Seconds)
	if anew { // before there are games, without which a run that fails again can still begin anew
		if err := r.save(false); err != nil {
			return err
		}
	}
	return r.work(ctx)
}

// wantNoGames refuses to begin a run anew whose checkpoints are lost when that would write over its games. The cause says that
// there is no checkpoint.
func (r *run) wantNoGames(cause error) error {
	dir := filepath.Join(r.Dir, runfiles.Games)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%w, and to begin anew would write over the games in %s: put a sound checkpoint back, or begin a run in another folder", cause, dir)
	}
	return nil
}

// Settings reads the configuration of the run in a folder.
func Settings(dir string) (config.Config, error) {
	path := filepath.Join(dir, runfiles.Config)
	c, err := config.Load(path, config.Default())
	if errors.Is(err, os.ErrNotExist) {
		return c, fmt.Errorf("%s: found no run, for it has no %s: give the folder of a run, or begin one without --resume", dir, runfiles.Config)
	}
	return c, err
}

// open makes everything that a run needs, and holds its folder.
func open(o Options) (_ *run, err error) {
	r := &run{Options: o, workers: o.Config.Workers, began: time.Now()}
	if r.workers == 0 {
		r.workers = runtime.GOMAXPROCS(0)
	}
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	c := &r.Config
	if r.game, err = games.Open(c.Game, c.Rules); err != nil {
		return nil, err
	}
	if err := checkMemory(c, cmp.Or(o.memory, machineMemory())); err != nil {
		return nil, err
	}
	c.Rules = r.game.Rules()
	for _, name := range c.Evaluation.Opponents {
		if _, _, err := o.Opponents.Parse(name); err != nil {
			return nil, fmt.Errorf("key evaluation.opponents: %w", err)
		}
	}
	if c.Evaluation.Games > 0 || c.Evaluation.Every > 0 || r.gated() {
		if err := arena.Playable(r.game); err != nil {
			return nil, fmt.Errorf("%w, so that there is no evaluation: set evaluation.games, evaluation.every and gating.every to 0", err)
		}
	}
	for _, dir := range []string{runfiles.Games, runfiles.Checkpoints} {
		if err := os.MkdirAll(filepath.Join(o.Dir, dir), 0o755); err != nil {
			return nil, fmt.Errorf("making the run's folder: %w", err)
		}
	}
	if r.store, err = checkpoint.Open(filepath.Join(o.Dir, runfiles.Checkpoints), c.Run.Keep); err != nil {
		return nil, err
	}
	shape, err := zero.ConfigOf(r.game, c.Network.Width, c.Network.Blocks, c.Network.ValueWidth)
	if err != nil {
		return nil, err
	}
	if r.weights, err = weights.New(shape, seed.Rand(c.Seed, seed.Weights)); err != nil {
		return nil, err
	}
	if r.trainer, err = network.NewTrainer(r.weights, r.optimizer(), c.Training.Batch); err != nil {
		return nil, err
	}
	r.playing = r.weights
	if r.gated() {
		r.playing, r.state.Incumbent = r.weights.Clone(), &incumbent{}
	}
	if r.pool, err = selfplay.NewPool(r.game, r.playing, SelfPlayConfig(c)); err != nil {
		return nil, err
	}
	if r.window, err = replay.NewWindow(r.game, c.Training.Window); err != nil {
		return nil, err
	}
	if r.learner, err = newLearner(r.game, r.trainer, r.window); err != nil {
		return nil, err
	}
	t := c.Training
	r.rate = network.Schedule{Kind: t.Schedule, Rate: t.LearningRate, Final: t.FinalLearningRate, Warmup: t.Warmup, Steps: t.Steps * c.Run.Iterations}
	return r, r.rate.Validate()
}

// optimizer returns the settings of the optimizer.
func (r *run) optimizer() network.OptimizerConfig {
	o := network.DefaultOptimizerConfig()
	t := r.Config.Training
	o.ClipNorm, o.L2, o.ValueWeight, o.Workers = t.Clip, t.L2, t.ValueWeight, r.workers
	return o
}

// SelfPlayConfig returns the settings of a run's self-play.
func SelfPlayConfig(c *config.Config) selfplay.Config {
	return selfplay.Config{
		Seed: c.Seed, Streams: c.SelfPlay.Streams, Slots: c.SelfPlay.GamesPerStream, Quota: c.SelfPlay.Games / c.SelfPlay.Streams,
		Simulations: c.SelfPlay.Simulations, OpeningSimulations: c.SelfPlay.OpeningSimulations,
		Temperature: c.SelfPlay.Temperature, RandomOpenings: c.SelfPlay.RandomOpenings,
		Search: searchConfig(c), Utility: margin.Utility{MarginShare: c.Search.MarginShare},
	}
}

// searchConfig returns the settings of the searches.
func searchConfig(c *config.Config) search.Config {
	s := search.Config{Considered: c.Search.Considered, CVisit: c.Search.CVisit, CScale: c.Search.CScale,
		CPUCT: c.Search.CPUCT, DirichletAlpha: c.Search.DirichletAlpha, DirichletShare: c.Search.DirichletShare}
	for kind, name := range search.KindNames {
		if name == c.Search.Kind {
			s.Kind = search.Kind(kind)
		}
	}
	return s
}

// writeConfig writes the configuration into the run's folder.
func (r *run) writeConfig() error {
	return durable.WriteFile(filepath.Join(r.Dir, runfiles.Config), func(w io.Writer) error { return config.Print(w, r.Config) })
}

// seconds returns how long the run has taken, the time between its processes not counted.
func (r *run) seconds() float64 { return r.spent + time.Since(r.began).Seconds() }

// close releases what open made.
func (r *run) close() {
	r.closeEvents()
	var errs []error
	if r.trainer != nil {
		errs = append(errs, r.trainer.Close())
	}
	if r.store != nil {
		errs = append(errs, r.store.Close())
	}
	if err := errors.Join(errs...); err != nil {
		fmt.Fprintf(r.Messages, "closing the run: %v\n", err)
	}
}
