package watch

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/env/lock"
	"kiothi/train/config"
	"kiothi/train/history"
	"kiothi/train/replay"
	"kiothi/train/runfiles"
)

// This file reads the files of a run. A run that is being written, that was cut off, that is not there yet or not any more is
// no error: what can be read is what there is.

// About is what a run is.
type About struct {
	Name       string   `json:"name"` // of its folder
	Game       string   `json:"game"`
	Rules      string   `json:"rules"`
	Seed       string   `json:"seed"` // too large for a number of JavaScript
	Iterations int      `json:"iterations"`
	Width      int      `json:"width"` // of the network
	Blocks     int      `json:"blocks"`
	Opponents  []string `json:"opponents"`

	evaluationGames int // at the end, 0 for none
}

// A folder is the folder of a run, with what was read of it last.
type folder struct {
	dir     string
	about   *About // nil while there is no run
	lines   []json.RawMessage
	newest  int // iteration whose games are on disk, 0 for none
	metrics os.FileInfo
	config  os.FileInfo
}

// read reads what has changed, and reports whether something has, and whether the lines read before are not the first ones
// any more.
func (f *folder) read() (changed, rewritten bool) {
	if f.readConfig() {
		changed = true
	}
	if f.about == nil {
		if len(f.lines) > 0 || f.newest > 0 {
			f.lines, f.newest, f.metrics = nil, 0, nil
			return true, true
		}
		return changed, false
	}
	if newest := f.newestGames(); newest != f.newest {
		f.newest = newest
		changed = true
	}
	more, rewritten := f.readMetrics()
	return changed || more, rewritten
}

// same reports whether a file is the one that was read.
func same(read, now os.FileInfo) bool {
	return read != nil && os.SameFile(read, now) && read.Size() == now.Size() && read.ModTime().Equal(now.ModTime())
}

// readConfig reads the configuration, and reports whether it has changed.
func (f *folder) readConfig() bool {
	path := filepath.Join(f.dir, runfiles.Config)
	info, err := os.Stat(path)
	if err != nil {
		gone := f.about != nil
		f.about, f.config = nil, nil
		return gone
	}
	if same(f.config, info) {
		return false
	}
	c, err := config.Load(path, config.Default())
	if err != nil {
		return false // it will be read again, and what was read before still holds
	}
	f.config = info
	f.about = &About{
		Name: name(f.dir), Game: c.Game, Rules: c.Rules, Seed: decimal(c.Seed), Iterations: c.Run.Iterations,
		Width: c.Network.Width, Blocks: c.Network.Blocks, Opponents: c.Evaluation.Opponents, evaluationGames: c.Evaluation.Games,
	}
	return true
}

// name returns what a run is called.
func name(dir string) string {
	if path, err := filepath.Abs(dir); err == nil {
		dir = path
	}
	return filepath.Base(dir)
}

// readMetrics reads the lines of metrics.jsonl, and reports whether there are others than before, and whether those that were
// read before are not the first of them.
func (f *folder) readMetrics() (changed, rewritten bool) {
	path := filepath.Join(f.dir, runfiles.Metrics)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		changed = len(f.lines) > 0
		f.lines, f.metrics = nil, nil
		return changed, changed
	}
	if err != nil || same(f.metrics, info) {
		return false, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return false, false
	}
	lines := wholeLines(data)
	before := f.lines
	f.lines, f.metrics = lines, info
	if len(lines) >= len(before) && slices.EqualFunc(before, lines[:len(before)], func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return len(lines) > len(before), false
	}
	return true, true
}

// wholeLines returns the lines that are complete. One that a crash has torn, or that is just being written, is left out.
func wholeLines(data []byte) (lines []json.RawMessage) {
	for line := range bytes.Lines(data) {
		text, whole := bytes.CutSuffix(line, []byte("\n"))
		if whole && json.Valid(text) && bytes.HasPrefix(text, []byte("{")) {
			lines = append(lines, text)
		}
	}
	return lines
}

// newestGames returns the newest iteration whose games are on disk, 0 for none. As long as files are only added it looks for the
// next one, and reads no folder.
func (f *folder) newestGames() int {
	newest := f.newest
	if newest > 0 && f.hasGames(newest) {
		for f.hasGames(newest + 1) {
			newest++
		}
		return newest
	}
	entries, err := os.ReadDir(filepath.Join(f.dir, runfiles.Games))
	if err != nil {
		return 0
	}
	newest = 0
	for _, e := range entries {
		if n, ok := iterationOf(e.Name()); ok {
			newest = max(newest, n)
		}
	}
	return newest
}

func (f *folder) hasGames(iteration int) bool {
	info, err := os.Stat(runfiles.GamesOf(f.dir, iteration))
	return err == nil && info.Mode().IsRegular()
}

// iterationOf returns the iteration that a file's name stands for.
func iterationOf(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, replay.Extension)
	n, err := number(digits)
	return n, ok && err == nil && replay.FileName(n) == name
}

// complete reports whether the run has done all that its configuration asks for.
func (f *folder) complete() bool {
	missing := map[string]bool{}
	if f.about.evaluationGames > 0 {
		for _, opponent := range f.about.Opponents {
			missing[opponent] = true
		}
	}
	for _, line := range slices.Backward(f.lines) {
		var last history.Line
		if json.Unmarshal(line, &last) != nil || last.Number() < f.about.Iterations {
			return false
		}
		e := last.Evaluation
		if e == nil {
			return len(missing) == 0
		}
		if e.Result.Games == f.about.evaluationGames {
			delete(missing, e.Opponent())
		}
	}
	return false
}

// owned reports whether a process of this machine has the run open, as far as can be told without a lock.
func (f *folder) owned() bool {
	pid := lock.Holder(filepath.Join(f.dir, runfiles.Checkpoints))
	return pid > 0 && alive(pid)
}
