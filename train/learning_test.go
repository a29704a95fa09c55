package train

import (
	"testing"
)

// The whole loop has to learn something: after a few seconds the network's player beats random play.
func TestARunLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds, and minutes with the race detector")
	}
	c := tiny("rio-kadalis")
	c.Workers = 2
	c.Network.Width, c.Network.ValueWidth = 64, 32
	c.SelfPlay.Streams, c.SelfPlay.GamesPerStream, c.SelfPlay.Games, c.SelfPlay.Simulations = 2, 32, 64, 16
	c.Training.Batch, c.Training.Steps, c.Training.Window, c.Training.Warmup = 128, 60, 50_000, 20
	c.Run.Iterations, c.Run.CheckpointEvery = 6, 100
	c.Evaluation.Every, c.Evaluation.Games, c.Evaluation.Simulations = 0, 100, 16
	c.Evaluation.Opponents = []string{"random"}
	dir := folder(t)
	mustBegin(t, dir, c)
	lines := metricLines(t, dir)
	if score := lines[len(lines)-1].Evaluation.Result.Score; score < 0.75 {
		t.Errorf("scores %.0f %% against random, want 75 %% at least", 100*score)
	} else {
		t.Logf("scores %.0f %% against random", 100*score)
	}
}
