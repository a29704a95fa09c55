package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kiothi/env/durable"
	"kiothi/train/runfiles"
)

// This file reads and writes metrics.jsonl.

// Lines reads the metrics of the run in a folder, none where it has no such file. A last line without its end is one that is
// being written, or that a crash has torn; it does not count. Any other line that cannot be read is an error that names the
// file and the line.
func Lines(dir string) ([]Line, error) {
	path := filepath.Join(dir, runfiles.Metrics)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	var lines []Line
	for text := range bytes.Lines(data) {
		if !bytes.HasSuffix(text, []byte("\n")) {
			break
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: expected an object of metrics in JSON: %w", path, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// Append appends a line to the metrics of the run in a folder.
func Append(dir string, line Line) error {
	data, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(dir, runfiles.Metrics), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	_, err = file.Write(append(data, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	return nil
}

// Trim takes the lines of iterations after the given one out of the metrics of the run in a folder, for they are done again, and
// with them what a crash has torn. It returns the lines that stay.
func Trim(dir string, iteration int) ([]Line, error) {
	path := filepath.Join(dir, runfiles.Metrics)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	var kept bytes.Buffer
	var lines []Line
	for text := range bytes.Lines(data) {
		var line Line
		if !bytes.HasSuffix(text, []byte("\n")) || json.Unmarshal(text, &line) != nil || line.Number() > iteration {
			continue
		}
		kept.Write(text)
		lines = append(lines, line)
	}
	if kept.Len() == len(data) {
		return lines, nil
	}
	return lines, durable.WriteBytes(path, kept.Bytes())
}
