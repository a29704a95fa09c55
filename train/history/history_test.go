package history

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/train/arena"
	"kiothi/train/runfiles"
)

const (
	first      = `{"iteration":1,"seconds":2.5,"games":64,"turns_per_game":40,"opening_entropy":1.7,"sowing_entropy":1.8,"steps":20,"policy_loss":1.9,"value_loss":4,"l2_loss":0.1,"network_policy_entropy":1.6,"positions_per_second":4000,"total_positions":3800,"phases":{"selfplay":2}}`
	second     = `{"iteration":2,"seconds":5,"games":64,"total_positions":7600}`
	evaluation = `{"iteration":1,"seconds":3,"simulations":64,"evaluation":{"agents":["zero:run","greedy"],"games":40,"score":0.25,"low":0.14,"high":0.4,"south":{"wins":4,"draws":2,"losses":14},"north":{"wins":5,"draws":0,"losses":15}}}`
)

// run writes a run with the given lines of metrics.
func run(t *testing.T, metrics string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "un é")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{runfiles.Config: "game = \"rio-kadalis\"\n[training]\nvalue_weight = 0.5\n", runfiles.Metrics: metrics} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadTellsIterationsAndEvaluations(t *testing.T) {
	dir := run(t, first+"\n"+evaluation+"\n"+second+"\n")
	r, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if r.Dir != dir || r.Config.Game != "rio-kadalis" {
		t.Errorf("read %s of %s", r.Config.Game, r.Dir)
	}
	wantIterations := []Iteration{{
		Iteration: 1, Seconds: 2.5, TotalPositions: 3800, Games: 64, TurnsPerGame: 40, OpeningEntropy: 1.7, SowingEntropy: 1.8,
		PositionsPerSecond: 4000, Steps: 20, PolicyLoss: 1.9, ValueLoss: 4, L2Loss: 0.1, NetworkPolicyEntropy: 1.6,
		Phases: Phases{SelfPlay: 2},
	}, {Iteration: 2, Seconds: 5, TotalPositions: 7600, Games: 64}}
	if diff := cmp.Diff(wantIterations, r.Iterations); diff != "" {
		t.Errorf("iterations (-want +got):\n%s", diff)
	}
	wantEvaluations := []Evaluation{{Iteration: 1, Seconds: 3, Simulations: 64, Result: &arena.Result{
		Agents: [2]string{"zero:run", "greedy"}, Games: 40, Score: 0.25, Low: 0.14, High: 0.4,
		South: arena.Tally{Wins: 4, Draws: 2, Losses: 14}, North: arena.Tally{Wins: 5, Losses: 15},
	}}}
	if diff := cmp.Diff(wantEvaluations, r.Evaluations); diff != "" {
		t.Errorf("evaluations (-want +got):\n%s", diff)
	}
	for iteration, want := range []int64{0, 3800, 7600, 7600} {
		if got := r.Positions(iteration); got != want {
			t.Errorf("%d positions up to iteration %d, want %d", got, iteration, want)
		}
	}
	if got, want := r.Loss(&r.Iterations[0]), 1.9+0.5*4+0.1; got != want {
		t.Errorf("the loss is %v, want %v", got, want)
	}
}

// A run under way, or one that a crash has torn, ends in a part of a line. Reading it changes nothing.
func TestATornLastLineDoesNotCount(t *testing.T) {
	for _, torn := range []string{"", `{"iter`, second, "\x00\x00"} {
		metrics := first + "\n" + torn
		dir := run(t, metrics)
		r, err := Read(dir)
		if err != nil || len(r.Iterations) != 1 {
			t.Fatalf("after the torn line %q: %v, %v", torn, r, err)
		}
		if after, err := os.ReadFile(filepath.Join(dir, runfiles.Metrics)); err != nil || string(after) != metrics {
			t.Errorf("reading has changed the metrics, %v", err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("reading has left something in the run: %v, %v", entries, err)
		}
	}
}

func TestABrokenLineIsNamed(t *testing.T) {
	for broken, want := range map[string]string{
		"{":                               "expected an object of metrics in JSON",
		"\n":                              "expected an object",
		`[1]`:                             "expected an object",
		`{"iteration":"two","seconds":1}`: "expected an object",
		`{"seconds":1}`:                   "found iteration 0 after 1 seconds",
		`{"iteration":1,"seconds":-1}`:    "after -1 seconds",
		strings.Replace(evaluation, "0.25", "1.25", 1):                                                       "a score of 1.25",
		strings.Replace(evaluation, `"greedy"`, `""`, 1):                                                     `an evaluation against ""`,
		strings.Replace(evaluation, `"wins":4`, `"wins":5`, 1):                                               "found results of 41 games from both seats, expected those of 40",
		strings.Replace(strings.Replace(evaluation, `"wins":4`, `"wins":-1`, 1), `"wins":5`, `"wins":10`, 1): "found results of 40 games",
	} {
		_, err := Read(run(t, first+"\n"+strings.TrimSuffix(broken, "\n")+"\n"+second+"\n"))
		if err == nil || !strings.Contains(err.Error(), runfiles.Metrics+", line 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("after the line %q: got %v, want line 2 and %q", broken, err, want)
		}
	}
}

func TestWhatIsNoRunIsRefused(t *testing.T) {
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "found no run") {
		t.Errorf("got %v for an empty folder", err)
	}
	for _, metrics := range []string{"", `{"iteration":1`} {
		if _, err := Read(run(t, metrics)); err == nil || !strings.Contains(err.Error(), "has not completed an iteration yet") {
			t.Errorf("got %v for a run that has just begun", err)
		}
	}
	dir := run(t, first+"\n")
	if err := os.Remove(filepath.Join(dir, runfiles.Metrics)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "has not completed an iteration yet") {
		t.Errorf("got %v for a run without metrics", err)
	}
	if err := os.WriteFile(filepath.Join(dir, runfiles.Config), []byte("gme = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), runfiles.Config) {
		t.Errorf("got %v for a broken configuration", err)
	}
}
