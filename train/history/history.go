// Package history is what a run of training writes about itself: the lines of metrics.jsonl, for the run that writes them and for
// those who draw, compare or watch runs. Reading opens nothing for writing, and a run may be under way.
package history

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"kiothi/train/config"
	"kiothi/train/runfiles"
)

// A Run is the history of a run. Both lists are in the order in which things happened.
type Run struct {
	Dir         string
	Config      config.Config
	Iterations  []Iteration
	Evaluations []Evaluation
}

// Read reads the history of the run in a folder, which has completed an iteration; see Lines for what counts.
func Read(dir string) (*Run, error) {
	r := &Run{Dir: dir}
	var err error
	if r.Config, err = config.Load(filepath.Join(dir, runfiles.Config), config.Default()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: found no run, for it has no %s: give the folder of a run", dir, runfiles.Config)
		}
		return nil, err
	}
	lines, err := Lines(dir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, runfiles.Metrics)
	for i, l := range lines {
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, i+1, err)
		}
		if l.Evaluation == nil {
			r.Iterations = append(r.Iterations, *l.Iteration)
			continue
		}
		// The bounds can miss the score by a rounding error.
		result := l.Evaluation.Result
		result.Low, result.High = min(result.Low, result.Score), max(result.High, result.Score)
		r.Evaluations = append(r.Evaluations, *l.Evaluation)
	}
	if len(r.Iterations) == 0 {
		return nil, fmt.Errorf("%s: the run has not completed an iteration yet: wait for the first", path)
	}
	return r, nil
}

// Positions returns how many positions the run had played up to the end of an iteration.
func (r *Run) Positions(iteration int) int64 {
	positions := int64(0)
	for i := range r.Iterations {
		if r.Iterations[i].Iteration <= iteration {
			positions = r.Iterations[i].TotalPositions
		}
	}
	return positions
}

// Loss returns the loss that training lowers: policy + weight × value + L2.
func (r *Run) Loss(i *Iteration) float64 {
	return i.PolicyLoss + r.Config.Training.ValueWeight*i.ValueLoss + i.L2Loss
}
