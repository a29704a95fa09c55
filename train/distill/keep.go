// This file is the state of learning on disk: after every epoch, what a run needs to go on, and a line of metrics.

package distill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	files   []string // of games
	games   int      // to learn from
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

func newKeeper(dir string, paths []string, games int, o *LearnOptions) *keeper {
	options := *o
	options.Workers, options.Progress, options.OnEpoch, options.OnRestore = 0, nil, nil, nil
	return &keeper{dir: dir, options: options, files: paths, games: games}
}

// tensorsPath returns where the tensors after an epoch are.
func tensorsPath(dir string, epoch int) string {
	return filepath.Join(dir, tensorsFile+strconv.Itoa(epoch)+".safetensors")
}

// restore puts a learner where the run in the folder stopped, and returns the epochs that are done. A run that has not begun
// takes the weights of the one that it is to begin with, if there is one. The lines of metrics are written again, should they
// have been lost.
func (k *keeper) restore(t *learner) (epochs int, err error) {
	s, list, err := readState(k.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, k.begin(t)
	}
	if err != nil {
		return 0, err
	}
	d := difference(s.Options, k.options)
	if d == "" {
		d = differentFiles(s.Games, k.files)
	}
	if n := len(s.Metrics); d == "" && n > 0 && s.Metrics[n-1].Games != k.games {
		d = fmt.Sprintf("games to learn from: found %d, expected %d", s.Metrics[n-1].Games, k.games)
	}
	if d != "" {
		return 0, fmt.Errorf("%s holds a run of other options or games: %s: give the same to go on, or another folder, where --init %[1]s begins with its weights", k.dir, d)
	}
	if err := t.restore(s.Steps, list); err != nil {
		return 0, err
	}
	k.metrics = s.Metrics
	return len(s.Metrics), k.saveMetrics()
}

// differentFiles says how two lists of files of games differ; "" if they do not.
func differentFiles(found, expected []string) string {
	for i := range min(len(found), len(expected)) {
		if found[i] != expected[i] {
			return fmt.Sprintf("file of games %d: found %s, expected %s", i+1, found[i], expected[i])
		}
	}
	if len(found) != len(expected) {
		return fmt.Sprintf("files of games: found %d, expected %d", len(found), len(expected))
	}
	return ""
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
		return fmt.Errorf("the network to begin with: %w: expected the folder of a run of distill learn with as many hidden units", err)
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
		return s, nil, fmt.Errorf("%s is damaged: %w: begin again in another folder, or put a sound copy back", path, err)
	}
	if list, err = model.ReadTensors(tensorsPath(dir, len(s.Metrics)), s.Checksum); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s names tensors that are not there: %w", path, errors.New(err.Error())) // the state itself is there
	}
	return s, list, err
}

// save keeps the state after an epoch, and removes the one before.
func (k *keeper) save(t *learner, m Metrics) error {
	k.metrics = append(k.metrics, m)
	s := state{Options: k.options, Games: k.files, Steps: t.steps, Metrics: k.metrics}
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
	return k.saveMetrics()
}

// saveMetrics writes the lines of metrics, which the state holds as well.
func (k *keeper) saveMetrics() error {
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
