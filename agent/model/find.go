package model

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kiothi/env/durable"
)

// This file finds the model that a path means.

// CheckpointsDir is the folder of a run's checkpoints inside the run's own. Their names sort by age.
const CheckpointsDir = "checkpoints"

// Find returns the folder of the model that a path means: the path itself when it is a checkpoint, the newest complete
// checkpoint when it is a run. Complete means that both files are there; Read tells whether they are sound.
func Find(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("%s: no such folder; expected a checkpoint, or the folder of a run", path)
	case err != nil:
		return "", fmt.Errorf("looking for a model: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("%s: found a file, expected the folder of a checkpoint (it holds %s) or of a run", path, DescriptionFile)
	case complete(path):
		return path, nil
	}
	checkpoints := filepath.Join(path, CheckpointsDir)
	entries, err := os.ReadDir(checkpoints)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s: found neither %s and %s nor a folder %s, expected a checkpoint or a run", path, DescriptionFile, WeightsFile, CheckpointsDir)
	}
	if err != nil {
		return "", fmt.Errorf("looking for a model: %w", err)
	}
	for i := len(entries) - 1; i >= 0; i-- { // ReadDir sorts by name, so the newest is the last
		dir := filepath.Join(checkpoints, entries[i].Name())
		if entries[i].IsDir() && !strings.HasSuffix(dir, durable.Temporary) && complete(dir) {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%s: found no complete checkpoint in this run, expected one; let it train until the first is saved", path)
}

// complete reports whether a folder holds both files of a model.
func complete(dir string) bool {
	for _, name := range []string{DescriptionFile, WeightsFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}
