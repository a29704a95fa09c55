package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kiothi/agent/model"
	"kiothi/agent/zero"
	"kiothi/env/seed"
	"kiothi/train/arena"
	"kiothi/train/history"
	"kiothi/train/rating"
)

// This file is gating: the network that learns, the candidate, takes over self-play only when it has won a match against the
// network that plays there, the incumbent. A sequential test ends the match when it is decided. A candidate that is refused
// learns on.

// An incumbent is what the network that plays had learned from when it took over.
type incumbent struct {
	Iteration int   `json:"iteration"` // after which it took over; 0 is the network before any training
	Steps     int   `json:"steps"`
	Games     int64 `json:"games"`
	Positions int64 `json:"positions"`
}

// gated reports whether the run has gating.
func (r *run) gated() bool { return r.Config.Gating.Every > 0 }

// gatedGames is the number of games of a match that run at once: large batches, but not many games to drop when it is decided.
const gatedGames = 128

// gate plays the match of the current iteration's candidate, where it is due. A match that was stopped is played again.
func (r *run) gate(ctx context.Context) (err error) {
	c, n := r.Config.Gating, r.state.Iteration+1
	if !r.gated() || n%c.Every != 0 {
		return nil
	}
	began := time.Now()
	settings := zero.DefaultConfig()
	settings.Simulations = c.Simulations
	candidate, err := zero.NewPlayer(r.game, r.weights, settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, candidate.Close()) }()
	champion, err := zero.NewPlayer(r.game, r.playing, settings)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, champion.Close()) }()

	phase := r.Progress.Start(r.phaseName("gate"), "games", 0, int64(c.Games))
	defer phase.End()
	result, err := arena.Match(ctx, r.game, arena.Contender{Name: "candidate", Agent: candidate}, arena.Contender{Name: "incumbent", Agent: champion}, arena.Options{
		Games: c.Games, Seed: seed.Mix(r.Config.Seed, seed.Gate, uint64(n)), Workers: r.workers, Concurrent: gatedGames,
		SPRT:     &rating.SPRTConfig{Elo0: c.Elo0, Elo1: c.Elo1, Alpha: c.Alpha, Beta: c.Beta},
		Progress: func(done int) { phase.Set(int64(done)) },
	})
	if err != nil {
		return err
	}
	phase.End()
	line := &history.Gate{Accepted: result.SPRT.Accepted(), Incumbent: r.state.Incumbent.Iteration, Games: result.Games, Score: result.Score, SPRT: result.SPRT}
	r.line.Gate, r.line.Phases.Gate = line, time.Since(began).Seconds()
	verdict := "refused"
	if line.Accepted {
		verdict = "accepted"
		if err := r.playing.CopyFrom(r.weights); err != nil {
			return err
		}
		r.state.Incumbent = &incumbent{n, r.state.Steps, r.state.Games, r.state.Positions}
	}
	fmt.Fprintf(r.Results, "gate: %s against the network of iteration %d: %.1f %% of %d games, %s\n",
		verdict, line.Incumbent, 100*line.Score, line.Games, line.SPRT.Decision)
	return nil
}

// saveCandidate writes the network that learns into a checkpoint, where it is not the one that plays.
func (r *run) saveCandidate(dir string) (err error) {
	if r.gated() {
		r.state.Candidate, err = model.WriteTensors(filepath.Join(dir, candidateFile), zero.ToModel(r.weights.Tensors()))
	}
	return err
}

// restoreCandidate reads what saveCandidate wrote.
func (r *run) restoreCandidate(dir string, s state) error {
	if !r.gated() {
		return nil
	}
	path := filepath.Join(dir, candidateFile)
	if s.Incumbent == nil {
		return fmt.Errorf("%s: found no incumbent in a run with gating", filepath.Join(dir, stateFile))
	}
	tensors, err := model.ReadTensors(path, s.Candidate)
	if err != nil {
		return err
	}
	if err := r.weights.SetTensors(zero.ToNetwork(tensors)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
