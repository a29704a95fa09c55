// This file checks learning as a whole, on few games.

package distill

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kiothi/agent/nnue"
	"kiothi/env/mancala"
	"kiothi/train/replay"
)

// quick are options for few games.
func quick() LearnOptions {
	o := DefaultLearnOptions()
	o.Hidden, o.Epochs, o.Batch, o.Rate, o.Workers = 64, 3, 256, 8e-3, 1
	return o
}

// toyGames returns files of some games.
func toyGames(t testing.TB, g mancala.Game) []string {
	t.Helper()
	o := fewGames()
	o.Games, o.Shard = 60, 30
	return play(t, g, t.TempDir(), o)
}

// learn learns and returns the network and the metrics of its epochs.
func learn(t testing.TB, g mancala.Game, paths []string, o LearnOptions) (*nnue.Float, []Metrics) {
	t.Helper()
	var all []Metrics
	o.OnEpoch = func(m Metrics, _ *nnue.Float) error {
		all = append(all, m)
		return nil
	}
	f, err := Learn(t.Context(), g, paths, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return f, all
}

func equal(a, b *nnue.Float) bool {
	return slices.Equal(a.Tables, b.Tables) && slices.Equal(a.DenseWeights, b.DenseWeights) && slices.Equal(a.DenseBias, b.DenseBias) &&
		slices.Equal(a.OutputWeights, b.OutputWeights) && slices.Equal(a.OutputBias, b.OutputBias)
}

func TestLearningLowersTheLossOfGamesItHasNotSeen(t *testing.T) {
	for _, name := range []string{"kiothi", "rio-kadalis"} {
		for _, factors := range []bool{true, false} {
			g, o := open(t, name), quick()
			o.Factors, o.Epochs = factors, 4
			f, all := learn(t, g, toyGames(t, g), o)
			if len(all) != 4 {
				t.Fatalf("%d epochs, want 4", len(all))
			}
			last := all[3].Validation
			if !(all[3].Loss < all[0].Loss) || !(last.Loss < math.Ln2) || !(last.Loss > last.Floor) {
				t.Errorf("%s, factors %t: loss %v, then %v, and %v in validation; want less and less, and less than of a guess, %v",
					name, factors, all[0].Loss, all[3].Loss, last.Loss, math.Ln2)
			}
			if _, report, err := f.Quantise(g, nnue.Provenance{}); err != nil || report.Bounded > 0 {
				t.Errorf("%s, factors %t: quantising: %v, %v; want no weight at its bound after so little learning", name, factors, report, err)
			}
		}
	}
}

func TestTheNetworkIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	g := open(t, "kiothi")
	paths, o := toyGames(t, g), quick()
	one, metrics := learn(t, g, paths, o)
	o.Workers = 2
	two, others := learn(t, g, paths, o)
	if !equal(one, two) {
		t.Error("two workers learned another network than one")
	}
	if metrics[2].Loss != others[2].Loss || metrics[2].Validation != others[2].Validation {
		t.Errorf("metrics of one worker %+v, of two %+v", metrics[2], others[2])
	}
	o.Seed++
	if three, _ := learn(t, g, paths, o); equal(one, three) {
		t.Error("another seed gives the same network")
	}
}

func TestLearningGoesOnAfterAStop(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o := toyGames(t, g), quick()
	want, metrics := learn(t, g, paths, o)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done, total int) {
		if done == total/2 { // in the second of three epochs
			cancel()
		}
	}
	if _, err := Learn(ctx, g, paths, dir, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stopped run returned %v, want that it was cancelled", err)
	}
	o.Progress = nil
	var epochs []int
	o.OnEpoch = func(m Metrics, _ *nnue.Float) error {
		epochs = append(epochs, m.Epoch)
		return nil
	}
	got, err := Learn(t.Context(), g, paths, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if !equal(got, want) {
		t.Error("a run that went on learned another network than one without a stop")
	}
	if !slices.Equal(epochs, []int{2, 3}) {
		t.Errorf("after the stop came epochs %v, want 2 and 3", epochs)
	}
	data, err := os.ReadFile(filepath.Join(dir, MetricsFile))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	var last Metrics
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
		t.Fatal(err)
	}
	if len(lines) != 3 || last.Validation != metrics[2].Validation {
		t.Errorf("metrics are %q, want a line for each of three epochs", data)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.safetensors")); len(left) != 1 {
		t.Errorf("the folder holds the states %v, want the last alone", left)
	}
	// Once more there is nothing left to do.
	epochs = nil
	if again, err := Learn(t.Context(), g, paths, dir, o); err != nil || !equal(again, want) || epochs != nil {
		t.Errorf("a run that was complete went on with epochs %v, %v", epochs, err)
	}
	// Others are refused by name.
	for _, c := range []struct {
		set   func(*LearnOptions)
		paths []string
		want  string
	}{
		{func(o *LearnOptions) { o.Lambda = 1 }, paths, "lambda: found 0.1, expected 1:"},
		{func(o *LearnOptions) { o.Epochs++ }, paths, "epochs: found 3, expected 4:"},
		{func(o *LearnOptions) { o.Init = "other" }, paths, `init: found none, expected "other":`},
		{func(*LearnOptions) {}, paths[:1], "files of games: found 2, expected 1:"},
		{func(o *LearnOptions) { o.Batch = 64 }, slices.Concat(paths, paths), "batch: found 256, expected 64:"},
		{func(*LearnOptions) {}, slices.Concat(paths, paths[:1]), "files of games: found 2, expected 3:"},
		{func(*LearnOptions) {}, []string{paths[1], paths[0]}, "file of games 1: found " + paths[0] + ", expected " + paths[1]},
	} {
		other := o
		c.set(&other)
		if _, err := Learn(t.Context(), g, c.paths, dir, other); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--init "+dir) {
			t.Errorf("other options in the same folder: %v, want %q and how to begin with its weights", err, c.want)
		}
	}
}

// What was lost of a run's files comes back when it goes on; what cannot come back is an error that says what to do.
func TestLearningMakesLostFilesAgain(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o, dir := toyGames(t, g), quick(), t.TempDir()
	want, err := Learn(t.Context(), g, paths, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	lines := filepath.Join(dir, MetricsFile)
	before := content(t, []string{lines})
	if err := os.Remove(lines); err != nil {
		t.Fatal(err)
	}
	restored := 0
	o.OnRestore = func(m Metrics, f *nnue.Float) error {
		if restored = m.Epoch; !equal(f, want) {
			t.Error("the network that comes back is not that of the last epoch")
		}
		return nil
	}
	if _, err := Learn(t.Context(), g, paths, dir, o); err != nil {
		t.Fatal(err)
	}
	if restored != 3 || content(t, []string{lines}) != before {
		t.Errorf("epoch %d came back, with the metrics %q; want 3 and %q", restored, content(t, []string{lines}), before)
	}
	if err := os.Truncate(filepath.Join(dir, stateFile), 20); err != nil {
		t.Fatal(err)
	}
	if _, err := Learn(t.Context(), g, paths, dir, o); err == nil || !strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "another folder") {
		t.Errorf("a torn %s: %v, want what to do", stateFile, err)
	}
}

// An epoch whose network could not be saved is learned again, to the same bits.
func TestAnEpochWithoutItsNetworkIsNotDone(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o, dir := toyGames(t, g), quick(), t.TempDir()
	want, _ := learn(t, g, paths, o)
	full := errors.New("no space left")
	o.OnEpoch = func(m Metrics, _ *nnue.Float) error {
		if m.Epoch == 3 {
			return full
		}
		return nil
	}
	if _, err := Learn(t.Context(), g, paths, dir, o); !errors.Is(err, full) {
		t.Fatalf("a disk that is full: %v, want that", err)
	}
	var epochs []int
	o.OnEpoch = func(m Metrics, _ *nnue.Float) error {
		epochs = append(epochs, m.Epoch)
		return nil
	}
	got, err := Learn(t.Context(), g, paths, dir, o)
	if err != nil || !slices.Equal(epochs, []int{3}) || !equal(got, want) {
		t.Errorf("the run went on with the epochs %v, %v; want the third, to the same network", epochs, err)
	}
}

// A file that was under way when a run began has more games when that goes on: it is another run.
func TestLearningNoticesThatGamesWereAdded(t *testing.T) {
	g := open(t, "rio-kadalis")
	o := fewGames()
	o.Games, o.Shard = 60, 60
	games, dir := t.TempDir(), t.TempDir()
	paths := play(t, g, games, o)
	if _, err := Learn(t.Context(), g, paths, dir, quick()); err != nil {
		t.Fatal(err)
	}
	header, all, err := replay.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := replay.WriteFile(paths[0], header, all[:50]); err != nil {
		t.Fatal(err)
	}
	if _, err := Learn(t.Context(), g, paths, dir, quick()); err == nil || !strings.Contains(err.Error(), "games to learn from: found 57, expected 47") {
		t.Errorf("other games in the same files: %v, want an error", err)
	}
}

// A run that begins with another's weights is ahead at once.
func TestLearningBeginsWithTheWeightsOfAnotherRun(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths, o, dir := toyGames(t, g), quick(), t.TempDir()
	if _, err := Learn(t.Context(), g, paths, dir, o); err != nil {
		t.Fatal(err)
	}
	_, random := learn(t, g, paths, o)
	o.Init = dir
	_, metrics := learn(t, g, paths, o)
	if !(metrics[0].Loss < random[0].Loss) {
		t.Errorf("the first epoch's loss is %v, and %v with random weights; want less", metrics[0].Loss, random[0].Loss)
	}
	o.Hidden = 128
	if _, err := Learn(t.Context(), g, paths, t.TempDir(), o); err == nil || !strings.Contains(err.Error(), "shape") {
		t.Errorf("weights of another shape: %v, want an error", err)
	}
	o.Init = t.TempDir()
	if _, err := Learn(t.Context(), g, paths, t.TempDir(), o); err == nil || !strings.Contains(err.Error(), "begin with") {
		t.Errorf("weights that are not there: %v, want an error", err)
	}
}

func TestWhatCannotBeLearnedIsRefused(t *testing.T) {
	g := open(t, "rio-kadalis")
	paths := toyGames(t, g)
	for _, c := range []struct {
		set  func(*LearnOptions)
		want string
	}{
		{func(o *LearnOptions) { o.Hidden = 40 }, "hidden: found 40"},
		{func(o *LearnOptions) { o.Lambda = -0.1 }, "lambda: found -0.1, expected 0 to 1"},
		{func(o *LearnOptions) { o.Epochs = 0 }, "epochs: found 0, expected 1 to 1000000"},
		{func(o *LearnOptions) { o.Epochs = math.MaxInt }, "epochs: found"},
		{func(o *LearnOptions) { o.Batch = 0 }, "batch: found 0, expected 1 to 262144"},
		{func(o *LearnOptions) { o.Rate = math.NaN() }, "rate: found NaN"},
		{func(o *LearnOptions) { o.Decay = -1 }, "decay: found -1"},
		{func(o *LearnOptions) { o.Workers = math.MaxInt }, "workers: found"},
	} {
		o := quick()
		c.set(&o)
		if _, err := Learn(t.Context(), g, paths, t.TempDir(), o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", o, err, c.want)
		}
	}
	if _, err := Learn(t.Context(), g, paths, filepath.Dir(paths[0]), quick()); err == nil || !strings.Contains(err.Error(), "found games of distill games") {
		t.Errorf("a network among its games: %v, want a refusal", err)
	}
	if _, err := Learn(t.Context(), open(t, "kiothi"), paths, t.TempDir(), quick()); err == nil || !strings.Contains(err.Error(), "rio-kadalis") {
		t.Errorf("games of another game: %v, want an error that names it", err)
	}
	if err := os.Truncate(paths[1], 200); err != nil {
		t.Fatal(err)
	}
	if _, err := Learn(t.Context(), g, paths, t.TempDir(), quick()); err == nil || !strings.Contains(err.Error(), paths[1]) ||
		!strings.Contains(err.Error(), "repeat the command") || strings.Contains(err.Error(), "are kept") {
		t.Errorf("a torn file: %v, want an error that names it, and what to do", err)
	}
}
