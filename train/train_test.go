package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"kiothi/agent/blas"
	"kiothi/agent/features"
	"kiothi/agent/folders"
	"kiothi/agent/model"
	"kiothi/agent/network"
	"kiothi/agent/scripted"
	"kiothi/agent/zero"
	"kiothi/env/games"
	"kiothi/env/lock"
	"kiothi/env/mancala"
	"kiothi/train/checkpoint"
	"kiothi/train/config"
	"kiothi/train/history"
	"kiothi/train/progress"
	"kiothi/train/runfiles"
)

// tiny returns the configuration of a run of a second.
func tiny(game string) config.Config {
	c := config.Default()
	c.Game, c.Seed, c.Workers = game, 11, 1
	c.Network = config.Network{Width: 16, Blocks: 1, ValueWidth: 8}
	c.SelfPlay.Streams, c.SelfPlay.GamesPerStream, c.SelfPlay.Games = 2, 4, 6
	c.SelfPlay.Simulations, c.SelfPlay.OpeningSimulations = 6, 3
	c.Training.Batch, c.Training.Steps, c.Training.Window, c.Training.Warmup = 16, 5, 1000, 2
	c.Run.Iterations, c.Run.Keep = 3, 100
	c.Evaluation.Every, c.Evaluation.InterimGames, c.Evaluation.Games, c.Evaluation.Simulations = 2, 2, 2, 4
	return c
}

// options returns the options of a run that shows nothing.
func options(dir string, c config.Config) Options {
	return Options{Dir: dir, Config: c, Opponents: scripted.Kinds(), Progress: progress.New(progress.Options{Mode: progress.None, Out: io.Discard}),
		Messages: io.Discard, Results: io.Discard, Version: "test", Commit: "0123"}
}

// folder returns a run's folder in a path with a space and a letter beyond ASCII.
func folder(t *testing.T) string { return filepath.Join(t.TempDir(), "un é", "run 1") }

func mustBegin(t *testing.T, dir string, c config.Config) {
	t.Helper()
	if err := Begin(context.Background(), options(dir, c)); err != nil {
		t.Fatal(err)
	}
}

// files returns the content of every file below a folder by its relative path, locks left out.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "lock" {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// wantSameRun checks that two runs ended with the same last checkpoint and the same games, byte for byte.
func wantSameRun(t *testing.T, what, got, want string, iterations int) {
	t.Helper()
	last := checkpoint.Name(iterations, 0)
	for _, part := range []string{filepath.Join(runfiles.Checkpoints, last), runfiles.Games} {
		g, w := files(t, filepath.Join(got, part)), files(t, filepath.Join(want, part))
		if len(w) == 0 {
			t.Fatalf("%s: nothing in %s", what, part)
		}
		for name := range w {
			if g[name] != w[name] {
				t.Errorf("%s: %s differs in %s", what, part, name)
			}
		}
		if len(g) != len(w) {
			t.Errorf("%s: %d files in %s, want %d", what, len(g), part, len(w))
		}
	}
}

func TestTheNumberOfWorkersChangesNoByte(t *testing.T) {
	for _, game := range games.Names() {
		one, two := folder(t), folder(t)
		c := tiny(game)
		c.Training.Batch = 300 // more than a worker takes at a time
		mustBegin(t, one, c)
		c.Workers = 2
		mustBegin(t, two, c)
		wantSameRun(t, game, two, one, c.Run.Iterations)
	}
}

// Neither do kernels together with the number of workers, and with stops.
func TestTheAssemblyKernelsGiveTheSameBytes(t *testing.T) {
	t.Cleanup(func() {
		if err := blas.Use(blas.Auto); err != nil {
			t.Error(err)
		}
	})
	c := tiny("kiothi")
	c.Network.Width, c.Training.Batch = 32, 300
	first := ""
	for _, kernel := range blas.Kernels() {
		if kernel == blas.Go {
			continue // it rounds otherwise
		}
		if err := blas.Use(kernel); err != nil {
			t.Fatal(err)
		}
		dir := folder(t)
		if first == "" {
			mustBegin(t, dir, c)
			first = dir
			continue
		}
		c.Workers++
		err := Begin(newCountdown(53), options(dir, c))
		for stops := 1; err != nil; stops++ {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			err = Resume(newCountdown(53+10*stops), options(dir, c))
		}
		wantSameRun(t, fmt.Sprintf("%s, %d workers, with stops", kernel, c.Workers), dir, first, c.Run.Iterations)
	}
}

// countdown is a context that ends after so many looks at it: a stop at a moment that does not depend on the clock.
// Workers look at it side by side.
type countdown struct {
	context.Context
	left atomic.Int64
}

func newCountdown(looks int) *countdown {
	c := &countdown{Context: context.Background()}
	c.left.Store(int64(looks))
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

func TestStoppedAndResumedRunsEndInTheSameBytes(t *testing.T) {
	for _, game := range games.Names() {
		c := tiny(game)
		c.Training.Steps, c.Evaluation.Every, c.Evaluation.Games = 40, 0, 0
		straight := folder(t)
		mustBegin(t, straight, c)
		stopped := folder(t)
		err := Begin(newCountdown(47), options(stopped, c))
		middle := map[bool]int{} // stops by whether the games of the iteration were collected
		for err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if middle[false]+middle[true] > 1000 {
				t.Fatal("the run does not come to its end")
			}
			dir, err2 := model.Find(stopped)
			if err2 != nil {
				t.Fatal(err2)
			}
			s, _, err2 := readState(dir)
			if err2 != nil {
				t.Fatal(err2)
			}
			middle[s.Collected]++
			err = Resume(newCountdown(47), options(stopped, c))
		}
		if middle[false] < 2 || middle[true] < 1 {
			t.Errorf("%s: %d stops in self-play and %d in training, want some of both", game, middle[false], middle[true])
		}
		wantSameRun(t, game, stopped, straight, c.Run.Iterations)
	}
}

// The time before a stop in the middle of an iteration counts, though no line of metrics holds it.
func TestTimeAddsUpOverStops(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Training.Steps, c.Evaluation.Every, c.Evaluation.Games = 40, 0, 0
	dir := folder(t)
	err := Begin(newCountdown(47), options(dir, c))
	before, stops := 0.0, 0
	for ; err != nil; err = Resume(newCountdown(47), options(dir, c)) {
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		path, err := model.Find(dir)
		if err != nil {
			t.Fatal(err)
		}
		s, _, err := readState(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Stops > 0 {
			stops++
			if s.Seconds <= before {
				t.Errorf("stop %d of iteration %d is after %g s, the time before it was %g s", s.Stops, s.Iteration+1, s.Seconds, before)
			}
			before = s.Seconds
		}
	}
	lines := metricLines(t, dir)
	if last := lines[len(lines)-1].Seconds(); last <= before || stops < 3 {
		t.Errorf("the last line is of %g s, after %d stops of which the last was at %g s", last, stops, before)
	}
}

// A match that was stopped is played again; one that was finished is not, and its result is told again.
func TestAnEvaluationThatWasStoppedGoesOn(t *testing.T) {
	c := tiny("rio-kadalis")
	straight, stopped := folder(t), folder(t)
	mustBegin(t, straight, c)
	results := ""
	err := Begin(newCountdown(200), options(stopped, c))
	for stops := 1; err != nil; stops++ {
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o := options(stopped, c)
		o.Results = &out
		err = Resume(newCountdown(200+40*stops), o)
		results = out.String()
	}
	if got, want := evaluations(t, stopped), evaluations(t, straight); !slices.Equal(got, want) || len(want) != 4 {
		t.Errorf("%d evaluations, want the same %d as without stops", len(got), len(want))
	}
	for _, opponent := range c.Evaluation.Opponents {
		if !strings.Contains(results, "after iteration 3 against "+opponent) {
			t.Errorf("the result against %s is not told at the end:\n%s", opponent, results)
		}
	}
}

// Checkpoints may be rarer than evaluations: a stop in one takes a checkpoint all the same.
func TestAStopInAnEvaluationLosesNothing(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Run.CheckpointEvery = 3
	straight, stopped := folder(t), folder(t)
	mustBegin(t, straight, c)
	o := options(stopped, c)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	o.Results = writer(func(text []byte) {
		if bytes.Contains(text, []byte("iteration 2/3")) {
			stop()
		}
	})
	if err := Begin(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want the stop", err)
	}
	if _, err := os.Stat(filepath.Join(stopped, runfiles.Checkpoints, "000002", checkpoint.ManifestFile)); err != nil {
		t.Error(err)
	}
	if err := Resume(ctx, options(stopped, c)); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want another stop, at the same point", err)
	}
	if err := Resume(context.Background(), options(stopped, c)); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "stopped in an evaluation", stopped, straight, c.Run.Iterations)
	if got, want := evaluations(t, stopped), evaluations(t, straight); !slices.Equal(got, want) {
		t.Errorf("%d evaluations, want the same %d as without stops", len(got), len(want))
	}
}

// A run that is killed between the two must not have a checkpoint of an iteration whose line it will never write.
func TestTheLineOfAnIterationIsWrittenBeforeItsCheckpoint(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	o := options(dir, c)
	seen := 0
	o.Results = writer(func(text []byte) {
		if !bytes.HasPrefix(text, []byte("iteration ")) {
			return
		}
		seen++
		if _, err := os.Stat(filepath.Join(dir, runfiles.Checkpoints, checkpoint.Name(seen, 0))); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the checkpoint of iteration %d is there before its line (%v)", seen, err)
		}
	})
	if err := Begin(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if seen != c.Run.Iterations {
		t.Errorf("%d lines, want %d", seen, c.Run.Iterations)
	}
}

// A writer calls itself with all that is written.
type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// A result is told again only for a match that would be the same.
func TestOtherSettingsOfTheEvaluationMeasureAgain(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	c.Evaluation.Every = 0
	mustBegin(t, dir, c)
	for _, step := range []struct{ simulations, want int }{{c.Evaluation.Simulations, 2}, {9, 4}, {9, 4}} {
		c.Evaluation.Simulations = step.simulations
		if err := Resume(context.Background(), options(dir, c)); err != nil {
			t.Fatal(err)
		}
		if got := len(evaluations(t, dir)); got != step.want {
			t.Errorf("%d evaluations after one with %d simulations, want %d", got, step.simulations, step.want)
		}
	}
}

// evaluations returns the results in the metrics of a run, as text.
func evaluations(t *testing.T, dir string) (results []string) {
	t.Helper()
	for _, line := range metricLines(t, dir) {
		if e := line.Evaluation; e != nil {
			e.Result.Agents[0] = ""
			data, err := json.Marshal(e.Result)
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, string(data))
		}
	}
	return results
}

func metricLines(t *testing.T, dir string) []history.Line {
	t.Helper()
	lines, err := history.Lines(dir)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// A crash leaves the files of iterations that the last checkpoint knows nothing of, half a line of metrics, and temporary
// files.
func TestResumeAfterACrash(t *testing.T) {
	c := tiny("rio-kadalis")
	straight := folder(t)
	mustBegin(t, straight, c)
	crashed := folder(t)
	mustBegin(t, crashed, c)
	for _, name := range []string{"000002", "000003"} {
		if err := os.RemoveAll(filepath.Join(crashed, runfiles.Checkpoints, name)); err != nil {
			t.Fatal(err)
		}
	}
	left := filepath.Join(crashed, runfiles.Checkpoints, "000002.tmp")
	if err := os.Mkdir(left, 0o755); err != nil {
		t.Fatal(err)
	}
	metricsPath := filepath.Join(crashed, runfiles.Metrics)
	data, err := os.ReadFile(metricsPath)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(metricsPath, data[:len(data)-1], 0o644); err != nil { // torn between the line and its end
		t.Fatal(err)
	}
	var messages bytes.Buffer
	o := options(crashed, c)
	o.Messages = &messages
	if err := Resume(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "after a crash", crashed, straight, c.Run.Iterations)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) || !strings.Contains(messages.String(), left) {
		t.Errorf("the leftover %s is there, or was removed without a word: %s", left, messages.String())
	}
	var iterations []int
	for _, line := range metricLines(t, crashed) {
		if line.Evaluation == nil {
			iterations = append(iterations, line.Number())
		}
	}
	if !slices.Equal(iterations, []int{1, 2, 3}) {
		t.Errorf("metrics of the iterations %v, want each once", iterations)
	}
}

func TestABrokenCheckpointIsSkippedWithAWord(t *testing.T) {
	c := tiny("rio-kadalis")
	straight, broken := folder(t), folder(t)
	mustBegin(t, straight, c)
	mustBegin(t, broken, c)
	path := filepath.Join(broken, runfiles.Checkpoints, "000003", model.WeightsFile)
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	o := options(broken, c)
	o.Messages = &messages
	if err := Resume(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(messages.String(), "000003") || !strings.Contains(messages.String(), "going on from checkpoint 000002") {
		t.Errorf("messages:\n%s", messages.String())
	}
	wantSameRun(t, "after a broken checkpoint", broken, straight, c.Run.Iterations)
}

// What is left of a run without a sound checkpoint is worth more than a new beginning in its place.
func TestResumeWithoutASoundCheckpointKeepsWhatIsThere(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	c.Run.Iterations, c.Run.Keep = 2, 1
	mustBegin(t, dir, c)
	if err := os.Truncate(filepath.Join(dir, runfiles.Checkpoints, "000002", model.WeightsFile), 100); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	err := Resume(context.Background(), options(dir, c))
	if !errors.Is(err, checkpoint.ErrNone) || !strings.Contains(err.Error(), filepath.Join(dir, runfiles.Games)) {
		t.Errorf("got %v, want ErrNone with the games' folder", err)
	}
	for name, content := range before {
		if after := files(t, dir); after[name] != content {
			t.Errorf("%s was changed", name)
		}
	}
}

// A run whose first checkpoint could not be written takes it before it plays: otherwise it would be lost with the next one.
func TestResumeWithoutAnyCheckpointTakesTheFirstBeforeItPlays(t *testing.T) {
	c := tiny("rio-kadalis")
	straight, late := folder(t), folder(t)
	mustBegin(t, straight, c)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Begin(ended, options(late, c)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(late, runfiles.Checkpoints)); err != nil {
		t.Fatal(err)
	}
	if err := Resume(ended, options(late, c)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(late, runfiles.Checkpoints, checkpoint.Name(0, 0))); err != nil {
		t.Errorf("there is no checkpoint from before the first iteration: %v", err)
	}
	if err := Resume(context.Background(), options(late, c)); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "after a first checkpoint that failed", late, straight, c.Run.Iterations)
}

func TestFewerIterationsThanAreDoneAreRefused(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	mustBegin(t, dir, c)
	c.Run.Iterations = 2
	if err := Resume(context.Background(), options(dir, c)); err == nil || !strings.Contains(err.Error(), "run.iterations") {
		t.Errorf("got %v, want the key run.iterations", err)
	}
}

func TestMoreIterationsAreAlwaysAllowed(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Training.Schedule = "constant"
	long, extended := folder(t), folder(t)
	c.Run.Iterations = 4
	mustBegin(t, long, c)
	c.Run.Iterations = 2
	mustBegin(t, extended, c)
	c.Run.Iterations = 4
	if err := Resume(context.Background(), options(extended, c)); err != nil {
		t.Fatal(err)
	}
	wantSameRun(t, "extended", extended, long, 4)
}

func TestResumeRefusesOtherSettings(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	mustBegin(t, dir, c)
	c.Training.LearningRate, c.SelfPlay.Games = 0.5, 8
	err := Resume(context.Background(), options(dir, c))
	if err == nil || !strings.Contains(err.Error(), "training.learning_rate") || !strings.Contains(err.Error(), "selfplay.games") {
		t.Errorf("got %v, want the two keys", err)
	}
	c = tiny("rio-kadalis")
	c.Seed = 0 // that is a seed like any other by now
	if err := Resume(context.Background(), options(dir, c)); err == nil || !strings.Contains(err.Error(), "key seed: found 0") {
		t.Errorf("got %v, want the key seed", err)
	}
}

func TestBeginRefusesAFolderWithARun(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	c.Run.Iterations = 1
	mustBegin(t, dir, c)
	before := files(t, dir)
	if err := Begin(context.Background(), options(dir, c)); !errors.Is(err, ErrExists) {
		t.Errorf("got %v, want ErrExists", err)
	}
	for name, content := range files(t, dir) {
		if before[name] != content {
			t.Errorf("%s was changed", name)
		}
	}
}

// A run goes into a folder of its own: what another one holds stays as it is.
func TestBeginRefusesAFolderOfAnotherKind(t *testing.T) {
	for name, found := range map[string]folders.Kind{"games.json": folders.Games, "state.json": folders.Network, "model.json": folders.Bot, "thesis.txt": folders.Other} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong *folders.Error
		if err := Begin(context.Background(), options(dir, tiny("rio-kadalis"))); !errors.As(err, &wrong) || wrong.Found != found || wrong.Want != folders.Run {
			t.Errorf("got %v, want a refusal of %v", err, found)
		}
		if got := files(t, dir); len(got) != 1 || got[name] != "mine" {
			t.Errorf("the folder became %v", got)
		}
	}
}

func TestTwoProcessesNeverShareARun(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	r, err := open(options(dir, c))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	var locked *lock.HeldError
	if err := Begin(context.Background(), options(dir, c)); !errors.As(err, &locked) {
		t.Errorf("got %v, want a HeldError", err)
	}
}

func TestSettingsNamesAFolderWithoutARun(t *testing.T) {
	dir := t.TempDir()
	if _, err := Settings(dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("got %v, want the folder named", err)
	}
}

func TestAnUnknownOpponentIsFoundAtOnce(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Evaluation.Opponents = []string{"gredy"}
	dir := folder(t)
	err := Begin(context.Background(), options(dir, c))
	if err == nil || !strings.Contains(err.Error(), `did you mean "greedy"?`) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder was made all the same")
	}
}

func TestRulesThatLeaveNothingToEvaluateAreFoundAtOnce(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Rules = "standard,no_capture_limit=1"
	dir := folder(t)
	if err := Begin(context.Background(), options(dir, c)); err == nil || !strings.Contains(err.Error(), "gating.every to 0") {
		t.Errorf("got %v, want what to do", err)
	}
	c.Evaluation.Every, c.Evaluation.Games = 0, 0
	mustBegin(t, dir, c)
}

func TestWithoutAnyEvaluation(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Evaluation.Every, c.Evaluation.Games = 0, 0
	dir := folder(t)
	var results bytes.Buffer
	o := options(dir, c)
	o.Results = &results
	if err := Begin(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if n := len(evaluations(t, dir)); n != 0 {
		t.Errorf("%d evaluations", n)
	}
	for _, command := range []string{"kiothi play --game rio-kadalis --agent ", "kiothi evaluate ", "kiothi export "} {
		if !strings.Contains(results.String(), command) {
			t.Errorf("the last lines do not name %q:\n%s", command, results.String())
		}
	}
}

// spoiler is an encoder that writes what is no number from some call on.
type spoiler struct {
	features.Encoder
	calls int
}

func (s *spoiler) Encode(dst []float32, state *mancala.State) {
	s.Encoder.Encode(dst, state)
	if s.calls--; s.calls < 0 {
		dst[3] = float32(math.NaN())
	}
}

func TestANumberThatIsNotFiniteStopsTheRunAndKeepsTheLastCheckpoint(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	r, err := open(options(dir, c))
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	if err := r.pool.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := r.save(false); err != nil {
		t.Fatal(err)
	}
	r.learner.encoder = &spoiler{r.learner.encoder, c.Training.Batch*(c.Training.Steps+2) + 5} // in the third step of iteration 2
	err = r.work(context.Background())
	var notFinite *network.NotFiniteError
	if !errors.As(err, &notFinite) {
		t.Fatalf("got %v, want a NotFiniteError", err)
	}
	batch := filepath.Join(dir, "not-finite-000002-000003.safetensors")
	if info, err := os.Stat(batch); err != nil || info.Size() == 0 {
		t.Errorf("the batch was not written: %v", err)
	}
	if !strings.Contains(err.Error(), batch) {
		t.Errorf("the error does not say where the batch is: %v", err)
	}
	found, err := model.Find(dir)
	if err != nil || filepath.Base(found) != "000001" {
		t.Fatalf("the newest checkpoint is %s (%v), want that of iteration 1", found, err)
	}
	if _, _, err := zero.Load(found, r.game); err != nil {
		t.Errorf("the last checkpoint is not good: %v", err)
	}
}

func TestMetricsSayWhatHappened(t *testing.T) {
	dir := folder(t)
	c := tiny("kiothi")
	mustBegin(t, dir, c)
	seen := 0
	for _, line := range metricLines(t, dir) {
		m := line.Iteration
		if m == nil {
			continue
		}
		seen++
		if m.Iteration != seen || m.Games < c.SelfPlay.Games || m.DistinctGames != m.Games || m.Positions == 0 || m.TurnsPerGame < 3 ||
			m.OpeningEntropy <= 0 || m.SowingEntropy <= 0 || m.Steps != c.Training.Steps || m.PolicyLoss <= 0 || m.ValueLoss <= 0 ||
			m.GradientNorm <= 0 || m.LearningRate <= 0 || m.EvaluationsPerSecond <= 0 || m.PositionsPerSecond <= 0 ||
			m.NetworkShare <= 0 || m.NetworkShare > 1 || m.RecalledShare <= 0 || m.RecalledShare > 1 || m.Phases.SelfPlay <= 0 || m.Phases.Training <= 0 || m.Phases.Checkpoint <= 0 ||
			m.TotalSteps != seen*c.Training.Steps || m.WindowPositions == 0 || m.WindowBytes == 0 || m.HeapBytes == 0 {
			t.Errorf("iteration %d: %+v", seen, *m)
		}
	}
	if seen != c.Run.Iterations {
		t.Errorf("%d lines of iterations, want %d", seen, c.Run.Iterations)
	}
}
