// Package runfiles names what lies in the folder of a run of training, for the run and for those who read it.
package runfiles

import (
	"path/filepath"

	"kiothi/agent/folders"
	"kiothi/agent/model"
	"kiothi/train/replay"
)

// The names in a run's folder.
const (
	Config      = folders.RunFile      // the configuration
	Metrics     = "metrics.jsonl"      // a line of JSON an iteration, and an evaluation
	Games       = "games"              // the folder of its games, a file an iteration
	Checkpoints = model.CheckpointsDir // the folder of its checkpoints
)

// GamesOf returns the path of the games of an iteration, the first of which is 1, of the run in a folder.
func GamesOf(dir string, iteration int) string {
	return filepath.Join(dir, Games, replay.FileName(iteration))
}
