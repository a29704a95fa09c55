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
	"strings"

	"kiothi/agent/folders"
	"kiothi/agent/model"
	"kiothi/env/durable"
)

// The files of a run.
const (
	stateFile   = folders.NetworkFile
	tensorsFile = "state-" // and the epoch, and .safetensors
	MetricsFile = "metrics.jsonl"
)

// A keeper keeps the state of a run in a folder, with the options as they were asked for. The state names the tensors' file, so that it changes all at once.
type keeper struct {
	dir       string
	options   LearnOptions
	files     []string // of games
	games     int      // to learn from
	positions int      // in them
	metrics   []Metrics
}

// state is the content of stateFile.
type state struct {
	Options  LearnOptions `json:"options"`
	Games    []string     `json:"games"` // files, in order, from the folder of the state
	Steps    int          `json:"steps"`
	Checksum string       `json:"checksum"` // of the tensors, SHA-256
	Metrics  []Metrics    `json:"metrics"`  // of all epochs
}

func newKeeper(dir string, paths []string, learn *samples, o *LearnOptions) *keeper {
	options := *o
	options.Workers, options.Progress, options.OnEpoch, options.OnRestore = 0, nil, nil, nil
	return &keeper{dir: dir, options: options, files: paths, games: learn.games, positions: learn.len()}
}

// tensorsPath returns where the tensors after an epoch are.
func tensorsPath(dir string, epoch int) string {
	return filepath.Join(dir, tensorsFile+strconv.Itoa(epoch)+".safetensors")
}

// restore puts a learner where the run in the folder stopped, and returns the epochs that are done. Where none is, whatever was
// asked for before, it takes the weights of the run that it is to begin with, if there is one, and makes the folder its own. The
// lines of metrics are written again, should they have been lost.
func (k *keeper) restore(t *learner) (epochs int, err error) {
	s, list, err := readState(k.dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(s.Metrics) == 0 {
		return 0, k.begin(t)
	}
	if err != nil {
		return 0, err
	}
	if d := k.difference(&s); d != "" {
		return 0, fmt.Errorf("%s holds a run of other options or games: %s: give the same to go on, or another folder, where --init %[1]s begins with its weights", k.dir, d)
	}
	if err := t.restore(s.Steps, list); err != nil {
		return 0, err
	}
	k.metrics = s.Metrics
	return len(s.Metrics), k.saveMetrics()
}

// difference says how the games and options of a state, which has epochs, differ from those of the run; "" if they do not.
func (k *keeper) difference(s *state) string {
	var all []string
	if d := k.differentFiles(s.Games); d != "" {
		all = append(all, d)
	} else if n := s.Metrics[len(s.Metrics)-1].Games; n != k.games {
		all = append(all, fmt.Sprintf("games to learn from: found %d, expected %d", n, k.games))
	}
	found := s.Options
	if min(found.Batch, k.positions) == min(k.options.Batch, k.positions) { // a batch of all positions, whatever was asked for
		found.Batch = k.options.Batch
	}
	if k.same(found.Init, k.options.Init) {
		found.Init = k.options.Init
	}
	if d := difference(found, k.options); d != "" {
		all = append(all, d)
	}
	return strings.Join(all, ", ")
}

// differentFiles says how the files of games of a state differ from those of the run; "" if they do not.
func (k *keeper) differentFiles(stored []string) string {
	for i := range min(len(stored), len(k.files)) {
		if !k.same(stored[i], k.files[i]) {
			return fmt.Sprintf("file of games %d: found %s, expected %s", i+1, k.resolve(stored[i]), k.files[i])
		}
	}
	if len(stored) != len(k.files) {
		return fmt.Sprintf("files of games: found %d, expected %d", len(stored), len(k.files))
	}
	return ""
}

// stored returns a path as it is kept in the state: from the folder of the state to the file, so that it means the same from
// wherever the command is given, and after both have been moved together.
func (k *keeper) stored(path string) string {
	if path == "" {
		return ""
	}
	to, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	from, err := filepath.Abs(k.dir)
	if err != nil {
		return to
	}
	if short, err := filepath.Rel(from, to); err == nil {
		return short
	}
	return to // on another drive
}

// resolve returns the path that stored was given.
func (k *keeper) resolve(stored string) string {
	if stored == "" || filepath.IsAbs(stored) {
		return stored
	}
	return filepath.Join(k.dir, stored)
}

// same reports whether a stored path means the file or folder at path, however that is spelled. States of older versions hold
// paths as they were given.
func (k *keeper) same(stored, path string) bool {
	if stored == "" || path == "" {
		return stored == path
	}
	if info, err := os.Stat(path); err == nil {
		for _, candidate := range []string{k.resolve(stored), stored} {
			if other, err := os.Stat(candidate); err == nil {
				return os.SameFile(info, other)
			}
		}
	}
	return k.stored(path) == stored
}

// begin takes the weights of another run, and nothing else of it, if the options name one, and writes a state without epochs:
// from then on the folder is that of a network, whatever is written into it first.
func (k *keeper) begin(t *learner) error {
	if k.options.Init != "" {
		if err := t.inherit(k.options.Init); err != nil {
			return fmt.Errorf("the network to begin with: %w: expected the folder of a run of distill learn with as many hidden units", err)
		}
	}
	return k.write(state{})
}

// inherit takes the weights of the run in a folder.
func (t *learner) inherit(dir string) error {
	s, list, err := readState(dir)
	if err != nil {
		return err
	}
	if len(s.Metrics) == 0 {
		return fmt.Errorf("%s: found no epoch that is done, expected one", dir)
	}
	if err := t.restore(0, list); err != nil {
		return err
	}
	for p := range parameterNames {
		clear(t.m[p])
		clear(t.v[p])
	}
	return nil
}

// readState reads the state in a folder; its tensors are there if an epoch is done.
func readState(dir string) (s state, list []model.Tensor, err error) {
	path := filepath.Join(dir, stateFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return s, nil, err
	}
	err = json.Unmarshal(data, &s)
	if err == nil {
		err = s.Options.Validate()
	}
	if err != nil {
		return s, nil, fmt.Errorf("%s is damaged, or not the state of distill learn: %w: begin again in another folder, or put a sound copy back", path, err)
	}
	if len(s.Metrics) == 0 {
		return s, nil, nil
	}
	if list, err = model.ReadTensors(tensorsPath(dir, len(s.Metrics)), s.Checksum); errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s names tensors that are not there: %w", path, errors.New(err.Error())) // the state itself is there
	}
	return s, list, err
}

// write writes a state, after what is the same in all of a run.
func (k *keeper) write(s state) error {
	s.Options = k.options
	s.Options.Init = k.stored(k.options.Init)
	for _, path := range k.files {
		s.Games = append(s.Games, k.stored(path))
	}
	return durable.WriteFile(filepath.Join(k.dir, stateFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}

// save keeps the state after an epoch, and removes the one before.
func (k *keeper) save(t *learner, m Metrics) error {
	k.metrics = append(k.metrics, m)
	s := state{Steps: t.steps, Metrics: k.metrics}
	var err error
	if s.Checksum, err = model.WriteTensors(tensorsPath(k.dir, len(k.metrics)), t.tensors()); err != nil {
		return err
	}
	if err := k.write(s); err != nil {
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
