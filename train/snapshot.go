package train

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kiothi/agent/model"
	"kiothi/agent/network"
	"kiothi/agent/zero"
	"kiothi/env/durable"
	"kiothi/train/checkpoint"
	"kiothi/train/config"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
	"kiothi/train/selfplay"
)

// This file is what a checkpoint holds: all that a run needs to go on to the same bits. A checkpoint is taken in the middle of
// an iteration (of self-play, or of its training steps) or between two, which is the very start of the next one.
//
//	model.json, model.safetensors   the network that plays, as agents load it
//	candidate.safetensors           with gating: the network that learns, which otherwise is the one that plays
//	optimizer.safetensors           the optimizer's moments
//	under-way.kgr, finished.kgr     self-play: the games under way, and those of the iteration that are finished
//	state.json                      counters, the configuration, and the checksum of the moments

// stateFormat is the version of these files.
const stateFormat = 1

// maxState is the largest state.json that is read, in bytes. It has a number for each stream of self-play, and little else.
const maxState = 8 << 20

const (
	stateFile     = "state.json"
	candidateFile = "candidate.safetensors"
	optimizerFile = "optimizer.safetensors"
	underWayFile  = "under-way.kgr"
	finishedFile  = "finished.kgr"
)

// state is the content of state.json.
type state struct {
	Format    int      `json:"format"`
	Iteration int      `json:"iteration"` // iterations completed
	Collected bool     `json:"collected"` // the games of the current iteration are finished and in its file of records
	Learned   int      `json:"learned"`   // training steps done in the current iteration
	Stops     int      `json:"stops"`     // checkpoints taken in the middle of the current iteration
	Steps     int      `json:"steps"`     // training steps done in all
	Games     int64    `json:"games"`     // finished games that were collected
	Positions int64    `json:"positions"` // positions in those games
	Begun     []uint64 `json:"begun"`     // games begun by each stream of self-play
	Moments   string   `json:"moments"`   // SHA-256 of the optimizer's file
	Config    string   `json:"config"`    // the keys that make the run what it is, in TOML

	Parent *parent `json:"parent,omitempty"` // of a run that began with another's network

	// With gating: the network that plays, and the SHA-256 of the file of the one that learns.
	Incumbent *incumbent `json:"incumbent,omitempty"`
	Candidate string     `json:"candidate,omitempty"`
	// Seconds of training so far, in the middle of an iteration. Between two, the last line of metrics has them, and the
	// files of a checkpoint depend on no clock. Older versions of the program wrote none.
	Seconds float64 `json:"seconds,omitempty"`
}

// save takes a checkpoint between two iterations, or in the middle of one.
func (r *run) save(middle bool) error {
	began := time.Now()
	defer func() { r.saving += time.Since(began) }()
	if middle {
		r.state.Stops++
	}
	err := r.store.Create(checkpoint.Name(r.state.Iteration, r.state.Stops), r.fill)
	var prune *checkpoint.PruneError
	if errors.As(err, &prune) {
		fmt.Fprintf(r.Messages, "%v\n", err)
		err = nil
	}
	r.saved = err == nil
	return err
}

// fill writes the files of a checkpoint.
func (r *run) fill(dir string) error {
	description := model.Description{
		Steps: int64(r.state.Steps), Games: r.state.Games, Positions: r.state.Positions, Seed: r.Config.Seed,
		Commit: r.Commit, CreatedWith: r.Version,
	}
	if p := r.state.Incumbent; p != nil {
		description.Steps, description.Games, description.Positions = int64(p.Steps), p.Games, p.Positions
	}
	if p := r.state.Parent; p != nil {
		description.Steps += p.Steps
		description.Games += p.Games
		description.Positions += p.Positions
	}
	if err := zero.Save(dir, r.game, r.playing, description); err != nil {
		return err
	}
	if err := r.saveCandidate(dir); err != nil {
		return err
	}
	moments := r.trainer.State()
	sum, err := model.WriteTensors(filepath.Join(dir, optimizerFile), momentTensors(moments))
	if err != nil {
		return err
	}
	pool := r.pool.State()
	header := replay.HeaderOf(r.game)
	if err := replay.WriteFile(filepath.Join(dir, underWayFile), header, pool.UnderWay); err != nil {
		return err
	}
	if err := replay.WriteFile(filepath.Join(dir, finishedFile), header, pool.Finished); err != nil {
		return err
	}
	r.state.Seconds = 0
	if r.state.Stops > 0 {
		r.state.Seconds = r.seconds()
	}
	r.state.Format, r.state.Begun, r.state.Moments, r.state.Config = stateFormat, pool.Begun, sum, r.Config.Identity()
	return durable.WriteJSON(filepath.Join(dir, stateFile), r.state)
}

// The moments are stored under the names of the weights they belong to, with the moment in front.
const firstMoment, secondMoment = "first.", "second."

func momentTensors(s network.OptimizerState) []model.Tensor {
	var tensors []model.Tensor
	for _, t := range s.M {
		tensors = append(tensors, model.Tensor{Name: firstMoment + t.Name, Shape: t.Shape, Data: t.Data})
	}
	for _, t := range s.V {
		tensors = append(tensors, model.Tensor{Name: secondMoment + t.Name, Shape: t.Shape, Data: t.Data})
	}
	return tensors
}

func momentsOf(tensors []model.Tensor, steps int) network.OptimizerState {
	s := network.OptimizerState{Step: steps}
	for _, t := range tensors {
		if name, ok := strings.CutPrefix(t.Name, firstMoment); ok {
			s.M = append(s.M, network.Tensor{Name: name, Shape: t.Shape, Data: t.Data})
		} else if name, ok := strings.CutPrefix(t.Name, secondMoment); ok {
			s.V = append(s.V, network.Tensor{Name: name, Shape: t.Shape, Data: t.Data})
		}
	}
	return s
}

// readState reads a checkpoint's state.json and the configuration in it.
func readState(dir string) (state, config.Config, error) {
	path := filepath.Join(dir, stateFile)
	data, err := durable.ReadFile(path, maxState)
	if err != nil {
		return state{}, config.Config{}, fmt.Errorf("reading a checkpoint: %w", err)
	}
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return state{}, config.Config{}, fmt.Errorf("%s: expected JSON: %w", path, err)
	}
	if version.Format != stateFormat {
		return state{}, config.Config{}, fmt.Errorf("%s: expected format %d, found %d; the run was made by another version of kiothi: go on with that one", path, stateFormat, version.Format)
	}
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return state{}, config.Config{}, fmt.Errorf("%s: %w", path, err)
	}
	c, err := config.Parse([]byte(s.Config), config.Default())
	if err != nil {
		return state{}, config.Config{}, fmt.Errorf("%s: the configuration in it: %w", path, err)
	}
	return s, c, nil
}

// restore puts the run where the checkpoint in dir was taken.
func (r *run) restore(dir string, s state) error {
	weights, _, err := zero.Load(dir, r.game)
	if err != nil {
		return err
	}
	if err := r.playing.CopyFrom(weights); err != nil {
		return fmt.Errorf("%s: the network is not the one of the configuration: %w", dir, err)
	}
	if err := r.restoreCandidate(dir, s); err != nil {
		return err
	}
	tensors, err := model.ReadTensors(filepath.Join(dir, optimizerFile), s.Moments)
	if err != nil {
		return err
	}
	if err := r.trainer.SetState(momentsOf(tensors, s.Steps)); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, optimizerFile), err)
	}
	r.state, r.saved = s, true
	if err := r.loadWindow(); err != nil {
		return err
	}
	pool := selfplay.State{Begun: s.Begun}
	if _, pool.UnderWay, err = replay.ReadFile(filepath.Join(dir, underWayFile)); err != nil {
		return err
	}
	if _, pool.Finished, err = replay.ReadFile(filepath.Join(dir, finishedFile)); err != nil {
		return err
	}
	return r.pool.Restore(pool)
}

// loadWindow fills the window from the files of the iterations that the state has behind it. Files of later ones, left by a
// run that was killed, are written again.
func (r *run) loadWindow() error {
	collected := r.state.Iteration
	if r.state.Collected {
		collected++
	}
	var paths []string
	for i := range collected {
		paths = append(paths, runfiles.GamesOf(r.Dir, i+1))
	}
	damage, err := r.window.Load(paths)
	if err == nil && len(damage) > 0 {
		err = fmt.Errorf("%w, or begin a new run: without all games the window cannot be rebuilt to the same bits", damage[0])
	}
	return err
}
