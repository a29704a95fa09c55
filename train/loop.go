package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"kiothi/agent/network"
	"kiothi/env/durable"
	"kiothi/env/seed"
	"kiothi/train/history"
	"kiothi/train/progress"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
	"kiothi/train/selfplay"
)

// This file is the loop: iterations of self-play, training, checkpoint and evaluation.

// work runs the iterations that are left, and the evaluation at the end.
func (r *run) work(ctx context.Context) error {
	r.announce()
	r.openEvents()
	for {
		if err := r.interimEvaluation(ctx); err != nil {
			return r.stop(ctx, err, false)
		}
		if r.state.Iteration >= r.Config.Run.Iterations {
			return r.finalEvaluation(ctx)
		}
		if err := r.iterate(ctx); err != nil {
			return r.stop(ctx, err, true)
		}
	}
}

// announce says what the run is and what it will take.
func (r *run) announce() {
	c := &r.Config
	fmt.Fprintf(r.Messages, "training %s (%s) in %s: seed %d, %d workers\n", r.game.Name(), r.game.Rules(), r.Dir, c.Seed, r.workers)
	count := func(n int, units string) string { return progress.Count(int64(n), units) }
	fmt.Fprintf(r.Messages, "  network of %d weights, %s of %s and %s\n",
		r.weights.Count(), count(c.Run.Iterations, "iterations"), count(c.SelfPlay.Games, "games"), count(c.Training.Steps, "steps"))
	window := replay.EstimateBytes(c.Training.Window, legalActions)
	fmt.Fprintf(r.Messages, "  the full window takes about %d MB of memory (training.window)\n", window>>20+1)
}

// iterate does what is left of the current iteration.
func (r *run) iterate(ctx context.Context) error {
	r.line, r.saved = history.Iteration{Iteration: r.state.Iteration + 1}, false
	r.line.Phases.Checkpoint, r.saving = r.saving.Seconds(), 0
	if err := r.collect(ctx); err != nil {
		return err
	}
	if err := r.learn(ctx); err != nil {
		return err
	}
	if err := r.gate(ctx); err != nil {
		return err
	}
	r.state.Iteration++
	r.state.Collected, r.state.Learned, r.state.Stops = false, 0, 0
	r.measured = map[string]*history.Evaluation{}
	// The line comes first: one whose checkpoint is missing is taken out when the run goes on, and one that is missing is lost.
	if err := r.report(); err != nil {
		return err
	}
	if r.events != nil {
		r.addEvents(r.line.Iteration, slices.Concat(iterationValues(&r.line), r.spread, r.weightHistograms()))
	}
	if n := r.state.Iteration; n%r.Config.Run.CheckpointEvery != 0 && n != r.Config.Run.Iterations {
		return nil
	}
	return r.save(false)
}

// collect plays the games of the current iteration, unless that is done, and puts them into the window.
func (r *run) collect(ctx context.Context) error {
	if r.state.Collected {
		_, records, err := replay.ReadFile(runfiles.GamesOf(r.Dir, r.state.Iteration+1))
		r.describe(records)
		return err
	}
	began := time.Now()
	finished := len(r.pool.State().Finished)
	phase := r.Progress.Start(r.phaseName("self-play"), "games", int64(finished), int64(r.Config.SelfPlay.Games))
	records, cost, err := r.pool.Play(ctx, r.workers, func() { phase.Add(1) })
	phase.End()
	if err != nil {
		return err
	}
	setCost(&r.line, cost, time.Since(began))

	began = time.Now()
	r.describe(records)
	if err := replay.WriteFile(runfiles.GamesOf(r.Dir, r.state.Iteration+1), replay.HeaderOf(r.game), records); err != nil {
		return err
	}
	for _, record := range records {
		if err := r.window.Add(record); err != nil {
			return err
		}
	}
	r.state.Collected = true
	r.state.Games += int64(len(records))
	r.state.Positions += int64(r.line.Positions)
	// The weights are about to change: the games under way go on with the new ones.
	err = r.pool.Begin()
	r.line.Phases.Replay = time.Since(began).Seconds()
	return err
}

// describe notes what the games of the iteration show.
func (r *run) describe(records []*replay.Game) {
	setGames(&r.line, selfplay.Describe(r.game, records))
	if r.events != nil {
		r.spread = gameHistograms(records)
	}
}

// learn does the training steps that are left in the current iteration. Each draws its samples from a generator of its own, so
// that it does not matter which process does it.
func (r *run) learn(ctx context.Context) error {
	began := time.Now()
	steps := r.Config.Training.Steps
	phase := r.Progress.Start(r.phaseName("training"), "steps", int64(r.state.Learned), int64(steps))
	defer phase.End()
	var sum network.Losses
	done := 0
	for ; r.state.Learned < steps; r.state.Learned++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.line.LearningRate = r.rate.At(r.state.Steps)
		rng := seed.Rand(r.Config.Seed, seed.Training, uint64(r.state.Iteration), uint64(r.state.Learned))
		losses, err := r.learner.step(rng, r.line.LearningRate)
		if err != nil {
			return r.spoiled(err)
		}
		addLosses(&sum, losses)
		r.state.Steps++
		done++
		phase.Add(1)
	}
	setLosses(&r.line, sum, done, time.Since(began))
	return nil
}

// spoiled keeps the batch of a training step that failed for a number that is not finite. The weights are as they were before
// the step, and the newest checkpoint is good.
func (r *run) spoiled(cause error) error {
	var notFinite *network.NotFiniteError
	if !errors.As(cause, &notFinite) {
		return cause
	}
	path := filepath.Join(r.Dir, fmt.Sprintf("not-finite-%06d-%06d.safetensors", r.state.Iteration+1, r.state.Learned+1))
	err := durable.WriteFile(path, r.trainer.DumpBatch)
	if err != nil {
		return fmt.Errorf("training step %d: %w (the batch could not be written: %w)", r.state.Steps+1, cause, err)
	}
	return fmt.Errorf("training step %d: %w; the batch is in %s, and the last checkpoint is good; begin a new run with a smaller training.learning_rate, or with training.clip", r.state.Steps+1, cause, path)
}

// stop ends a run that cannot go on, in the middle of an iteration or between two. When it was asked to, it takes a checkpoint
// first, unless there is one of this very state.
func (r *run) stop(ctx context.Context, cause error, middle bool) error {
	if ctx.Err() == nil || !errors.Is(cause, ctx.Err()) || r.saved {
		return cause
	}
	if err := r.save(middle); err != nil {
		return fmt.Errorf("stopping: %w", err)
	}
	return cause
}

func (r *run) phaseName(phase string) string {
	return fmt.Sprintf("iteration %d/%d %s", r.state.Iteration+1, r.Config.Run.Iterations, phase)
}
