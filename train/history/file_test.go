package history

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/train/arena"
	"kiothi/train/runfiles"
)

// content returns the metrics of a run.
func content(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, runfiles.Metrics))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLinesReadsWhatAppendWrites(t *testing.T) {
	dir := t.TempDir()
	if lines, err := Lines(dir); err != nil || lines != nil {
		t.Errorf("before the first line: %v, %v", lines, err)
	}
	want := []Line{
		{Iteration: &Iteration{Iteration: 1, Seconds: 2.5, Games: 64, Phases: Phases{Training: 1}, HeapBytes: 1 << 40,
			Gate: &Gate{Accepted: true, Games: 20, Score: 0.7, SPRT: &arena.SPRTResult{Decision: "accepted"}}}},
		{Evaluation: &Evaluation{Iteration: 1, Seconds: 3, Simulations: 64, Result: &arena.Result{Agents: [2]string{"zero:run", "greedy"}, Games: 2}}},
		{Iteration: &Iteration{Iteration: 2, Seconds: 5}},
	}
	for _, l := range want {
		if err := Append(dir, l); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Lines(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	if got[1].Number() != 1 || got[1].Seconds() != 3 || got[2].Number() != 2 || got[2].Seconds() != 5 {
		t.Errorf("the lines say that they are of other iterations or times: %+v", got)
	}
}

// A run that was killed goes on from its newest checkpoint, and does again what comes after it.
func TestTrimLeavesTheIterationsThatAreDone(t *testing.T) {
	for _, c := range []struct {
		metrics   string
		iteration int
		want      string
	}{
		{first + "\n" + evaluation + "\n" + second + "\n", 2, first + "\n" + evaluation + "\n" + second + "\n"},
		{first + "\n" + evaluation + "\n" + second + "\n", 1, first + "\n" + evaluation + "\n"},
		{first + "\n" + evaluation + "\n" + second[:20], 1, first + "\n" + evaluation + "\n"},
		{first + "\n" + second, 2, first + "\n"}, // torn between the line and its end
		{first + "\n" + second[:20] + "\n" + second + "\n", 2, first + "\n" + second + "\n"},
		{first + "\n", 0, ""},
	} {
		dir := run(t, c.metrics)
		lines, err := Trim(dir, c.iteration)
		if err != nil {
			t.Fatal(err)
		}
		if got := content(t, dir); got != c.want {
			t.Errorf("after iteration %d of %q there is %q, want %q", c.iteration, c.metrics, got, c.want)
		}
		again, err := Lines(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(again, lines); diff != "" {
			t.Errorf("what Trim returns is not what it leaves (-left +returned):\n%s", diff)
		}
	}
	dir := t.TempDir()
	if lines, err := Trim(dir, 3); err != nil || lines != nil {
		t.Errorf("without metrics: %v, %v", lines, err)
	}
	if _, err := os.Stat(filepath.Join(dir, runfiles.Metrics)); err == nil {
		t.Error("there were no metrics, and now there are")
	}
}
