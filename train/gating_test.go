package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/model"
	"kiothi/env/games"
	"kiothi/train/checkpoint"
	"kiothi/train/config"
	"kiothi/train/history"
	"kiothi/train/runfiles"
)

// gatedTiny returns the configuration of a tiny run whose gate accepts candidates of some strength.
func gatedTiny(game string, elo0, elo1 float64) config.Config {
	c := tiny(game)
	c.Evaluation.Every, c.Evaluation.Games = 0, 0
	c.Gating = config.Gating{Every: 1, Games: 20, Simulations: 4, Elo0: elo0, Elo1: elo1, Alpha: 0.05, Beta: 0.05}
	return c
}

// gates returns the lines of the gates of a run, in the order of the iterations.
func gates(t *testing.T, dir string) (lines []*history.Gate) {
	t.Helper()
	for _, l := range metricLines(t, dir) {
		if i := l.Iteration; i != nil && i.Gate != nil {
			lines = append(lines, i.Gate)
		}
	}
	return lines
}

// checkpointFile returns a file of the checkpoint after an iteration.
func checkpointFile(t *testing.T, dir string, iteration int, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, runfiles.Checkpoints, checkpoint.Name(iteration, 0), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestACandidateThatIsAlwaysAcceptedChangesNothing(t *testing.T) {
	for _, game := range games.Names() {
		c := gatedTiny(game, -800, 0)
		gated, plain := folder(t), folder(t)
		mustBegin(t, gated, c)
		for i, line := range gates(t, gated) {
			if !line.Accepted || line.Incumbent != i || line.Games > 20 || line.SPRT == nil || line.SPRT.LLR < line.SPRT.Upper {
				t.Errorf("%s: the gate of iteration %d is %+v", game, i+1, line)
			}
		}
		c.Gating.Every = 0
		mustBegin(t, plain, c)
		for name, want := range files(t, filepath.Join(plain, runfiles.Games)) {
			if files(t, filepath.Join(gated, runfiles.Games))[name] != want {
				t.Errorf("%s: the games in %s are others than without gating", game, name)
			}
		}
		for _, name := range []string{model.WeightsFile, optimizerFile} {
			if !bytes.Equal(checkpointFile(t, gated, 3, name), checkpointFile(t, plain, 3, name)) {
				t.Errorf("%s: %s differs from that without gating", game, name)
			}
		}
		if _, err := os.Stat(filepath.Join(plain, runfiles.Checkpoints, "000003", candidateFile)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: a run without gating has a candidate", game)
		}
	}
}

func TestARefusedCandidateLearnsOnAndDoesNotPlay(t *testing.T) {
	c := gatedTiny("rio-kadalis", 0, 800)
	dir := folder(t)
	var results bytes.Buffer
	o := options(dir, c)
	o.Results = &results
	if err := Begin(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	lines := gates(t, dir)
	if len(lines) != 3 {
		t.Fatalf("%d gates, want one an iteration", len(lines))
	}
	for _, line := range lines {
		if line.Accepted || line.Incumbent != 0 {
			t.Errorf("a gate for candidates that are 800 Elo stronger says %+v", line)
		}
	}
	if n := strings.Count(results.String(), "gate: refused against the network of iteration 0: "); n != 3 {
		t.Errorf("%d gates are told:\n%s", n, results.String())
	}
	begin := checkpointFile(t, dir, 0, model.WeightsFile)
	for i := 1; i <= 3; i++ {
		if !bytes.Equal(checkpointFile(t, dir, i, model.WeightsFile), begin) {
			t.Errorf("the network that plays after iteration %d is not the one of the beginning", i)
		}
		if bytes.Equal(checkpointFile(t, dir, i, candidateFile), checkpointFile(t, dir, i-1, candidateFile)) {
			t.Errorf("the candidate has learned nothing in iteration %d", i)
		}
	}
	var d model.Description
	if err := json.Unmarshal(checkpointFile(t, dir, 3, model.DescriptionFile), &d); err != nil || d.Steps != 0 {
		t.Errorf("the network that plays is said to have learned %d steps, %v", d.Steps, err)
	}
}

func TestAGateIsOnlyWhereItIsDue(t *testing.T) {
	c := gatedTiny("rio-kadalis", -800, 0)
	c.Gating.Every = 2
	dir := folder(t)
	mustBegin(t, dir, c)
	if lines := gates(t, dir); len(lines) != 1 {
		t.Errorf("%d gates in 3 iterations, want one, in the second", len(lines))
	}
	var s state
	if err := json.Unmarshal(checkpointFile(t, dir, 3, stateFile), &s); err != nil {
		t.Fatal(err)
	}
	if s.Incumbent == nil || s.Incumbent.Iteration != 2 || s.Incumbent.Steps != 10 || s.Steps != 15 {
		t.Errorf("after iteration 3 the incumbent is %+v", s.Incumbent)
	}
}

// The thresholds are such that some candidates are accepted and some not.
func TestAGatedRunIsTheSameForAnyWorkersAndStops(t *testing.T) {
	for _, game := range games.Names() {
		c := gatedTiny(game, -100, 250)
		c.Training.Steps, c.Run.Iterations = 20, 4
		straight, workers, stopped := folder(t), folder(t), folder(t)
		mustBegin(t, straight, c)
		accepted := 0
		for _, line := range gates(t, straight) {
			if line.Accepted {
				accepted++
			}
		}
		t.Logf("%s: %d of 4 candidates are accepted", game, accepted)
		c.Workers = 2
		mustBegin(t, workers, c)
		wantSameRun(t, game+" with two workers", workers, straight, c.Run.Iterations)
		c.Workers = 1

		// A match cannot go on where it was stopped, so that each try has to get a little further.
		inGate := 0
		err := Begin(newCountdown(50), options(stopped, c))
		for stops := 1; err != nil; stops++ {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			found, err2 := model.Find(stopped)
			if err2 != nil {
				t.Fatal(err2)
			}
			s, _, err2 := readState(found)
			if err2 != nil {
				t.Fatal(err2)
			}
			if s.Learned == c.Training.Steps {
				inGate++
			}
			err = Resume(newCountdown(50+150*stops), options(stopped, c))
		}
		if inGate == 0 {
			t.Errorf("%s: the run was never stopped in a gate", game)
		}
		wantSameRun(t, game+" with stops", stopped, straight, c.Run.Iterations)
		want, got := gates(t, straight), gates(t, stopped)
		for i := range want {
			a, _ := json.Marshal(want[i])
			b, _ := json.Marshal(got[i])
			if !bytes.Equal(a, b) {
				t.Errorf("%s: gate %d is %s, without stops %s", game, i+1, b, a)
			}
		}
	}
}

func TestAGatedRunWithADamagedCandidateGoesBack(t *testing.T) {
	c := gatedTiny("rio-kadalis", -800, 0)
	straight, broken := folder(t), folder(t)
	mustBegin(t, straight, c)
	mustBegin(t, broken, c)
	if err := os.Truncate(filepath.Join(broken, runfiles.Checkpoints, "000003", candidateFile), 100); err != nil {
		t.Fatal(err)
	}
	if err := Resume(context.Background(), options(broken, c)); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "after a broken candidate", broken, straight, c.Run.Iterations)
}

func TestGatingCannotBeginOrEndOnTheWay(t *testing.T) {
	dir := folder(t)
	c := gatedTiny("rio-kadalis", 0, 50)
	mustBegin(t, dir, c)
	c.Gating.Every = 0
	if err := Resume(context.Background(), options(dir, c)); err == nil || !strings.Contains(err.Error(), "gating.every") {
		t.Errorf("got %v, want the key", err)
	}
}
