// This file is the state of learning on disk: after every epoch, what a run needs to go on, and a line of metrics.

package distill

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"kiothi/agent/model"
	"kiothi/env/durable"
)

// The files of a run.
const (
	stateFile   = "state.json"
	tensorsFile = "state-" // and the epoch, and .safetensors
	MetricsFile = "metrics.jsonl"
)

// A keeper keeps the state of a run in a folder. The state names the tensors' file, so that it changes all at once.
type keeper struct {
	dir     string
	options LearnOptions
	games   []string
	metrics []Metrics
}

// state is the content of stateFile.
type state struct {
	Options  LearnOptions `json:"options"`
	Games    []string     `json:"games"` // files, in order
	Steps    int          `json:"steps"`
	Checksum string       `json:"checksum"` // of the tensors, SHA-256
	Metrics  []Metrics    `json:"metrics"`  // of all epochs
}

func newKeeper(dir string, paths []string, o *LearnOptions) *keeper {
	options := *o
	options.Workers, options.Progress, options.OnEpoch = 0, nil, nil
	return &keeper{dir: dir, options: options, games: paths}
}

// tensorsPath returns where the tensors after an epoch are.
func tensorsPath(dir string, epoch int) string {
	return filepath.Join(dir, tensorsFile+strconv.Itoa(epoch)+".safetensors")
}

// restore puts a learner where the run in the folder stopped, and returns the epochs that are done. A run that has not begun
// takes the weights of the one that it is to begin with, if there is one.
func (k *keeper) restore(t *learner) (epochs int, err error) {
	s, list, err := readState(k.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, errors.Join(k.begin(t), os.MkdirAll(k.dir, 0o755))
	}
	if err != nil {
		return 0, err
	}
	if !same(s.Options, k.options) || !slices.Equal(s.Games, k.games) {
		return 0, fmt.Errorf("%s: found a run with other options or games: give the same to go on, or another folder", k.dir)
	}
	k.metrics = s.Metrics
	return len(s.Metrics), t.restore(s.Steps, list)
}

// begin takes the weights of another run, and nothing else of it.
func (k *keeper) begin(t *learner) error {
	if k.options.Init == "" {
		return nil
	}
	_, list, err := readState(k.options.Init)
	if err == nil {
		err = t.restore(0, list)
	}
	if err != nil {
		return fmt.Errorf("the network to begin with: %w", err)
	}
	for p := range parameterNames {
		clear(t.m[p])
		clear(t.v[p])
	}
	return nil
}

// readState reads the state in a folder.
func readState(dir string) (s state, list []model.Tensor, err error) {
	path := filepath.Join(dir, stateFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return s, nil, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, nil, fmt.Errorf("%s: %w", path, err)
	}
	if list, err = model.ReadTensors(tensorsPath(dir, len(s.Metrics)), s.Checksum); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s names tensors that are not there: %w", path, errors.New(err.Error())) // the state itself is there
	}
	return s, list, err
}

// same compares options by what is written of them.
func same(a, b LearnOptions) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// save keeps the state after an epoch, and removes the one before.
func (k *keeper) save(t *learner, m Metrics) error {
	k.metrics = append(k.metrics, m)
	s := state{Options: k.options, Games: k.games, Steps: t.steps, Metrics: k.metrics}
	var err error
	if s.Checksum, err = model.WriteTensors(tensorsPath(k.dir, len(k.metrics)), t.tensors()); err != nil {
		return err
	}
	err = durable.WriteFile(filepath.Join(k.dir, stateFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
	if err != nil {
		return err
	}
	if err := os.Remove(tensorsPath(k.dir, len(k.metrics)-1)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return durable.WriteFile(filepath.Join(k.dir, MetricsFile), func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		for _, m := range k.metrics {
			if err := encoder.Encode(m); err != nil {
				return err
			}
		}
		return nil
	})
}
