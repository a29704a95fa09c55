package plot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kiothi/train/history"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got; after a change on purpose: go test -update):\n%s", path, diff)
	}
}

func read(t *testing.T, names ...string) (runs []*history.Run) {
	t.Helper()
	for _, name := range names {
		r, err := history.Read(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

func charts(t *testing.T, runs []*history.Run, over X) []Chart {
	t.Helper()
	c, err := RunCharts(runs, over)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// data is what charts draw, as text.
func data(charts []Chart) string {
	var b strings.Builder
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	for _, c := range charts {
		fmt.Fprintf(&b, "%s: %s, over %s\n", c.Name, c.Title, c.X)
		for _, s := range c.Series {
			fmt.Fprintf(&b, "  run %d %s\n", s.Run, s.Name)
			for _, p := range s.Points {
				fmt.Fprintf(&b, "    %s\t%s", short(p.X), short(p.Y))
				if s.Interval {
					fmt.Fprintf(&b, "\t%s to %s", short(p.Low), short(p.High))
				}
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

func TestWhatIsDrawnOfRuns(t *testing.T) {
	runs := read(t, "first", "second")
	golden(t, "time.golden", data(charts(t, runs, Time)))
	golden(t, "positions.golden", data(charts(t, runs[:1], Positions)))
	golden(t, "iterations.golden", data(charts(t, runs[1:], Iterations)))
}

// A run that says nothing of something has no chart of it, and no line where others have one.
func TestWhatWasNotMeasuredIsLeftOut(t *testing.T) {
	runs := read(t, "first", "second")
	runs[0].Evaluations = nil
	for _, c := range charts(t, runs, Time) {
		if strings.HasPrefix(c.Name, "score-") || c.Name == "rating" {
			for _, s := range c.Series {
				if s.Run == 0 {
					t.Errorf("%s has a line of a run without evaluations", c.Name)
				}
			}
		}
	}
	for _, c := range charts(t, runs[:1], Time) {
		if strings.HasPrefix(c.Name, "score-") || c.Name == "rating" {
			t.Errorf("there is a chart %s of a run without evaluations", c.Name)
		}
	}
	for _, c := range charts(t, runs[1:], Iterations) {
		for _, s := range c.Series {
			if s.Name == "search, opening" {
				t.Error("a game without opening turns has a line for them")
			}
			for _, p := range s.Points {
				if p.X == 5 && (strings.HasSuffix(c.Name, "loss") || c.Name == "speed") {
					t.Errorf("%s has a point for the iteration in which a stop has swallowed it", c.Name)
				}
			}
		}
	}
}

// A network that met nobody who is compared with the anchor has no rating.
func TestNetworksThatNothingComparesAreNotRated(t *testing.T) {
	runs := read(t, "first")
	kept := runs[0].Evaluations[:0]
	for _, e := range runs[0].Evaluations {
		if e.Iteration != 4 || e.Opponent() != anchorName {
			if e.Iteration == 4 {
				e.Result.Agents[1] = "uct:sims=100"
			}
			kept = append(kept, e)
		}
	}
	runs[0].Evaluations = kept
	for _, c := range charts(t, runs, Iterations) {
		if c.Name == "rating" {
			var at []float64
			for _, p := range c.Series[0].Points {
				at = append(at, p.X)
			}
			if diff := cmp.Diff([]float64{2, 6}, at); diff != "" {
				t.Errorf("rated iterations (-want +got):\n%s", diff)
			}
			return
		}
	}
	t.Error("there is no rating at all")
}

func TestTheUnitOfTimeFitsTheRun(t *testing.T) {
	for seconds, want := range map[float64]string{10: "seconds", 900: "minutes", 100_000: "hours"} {
		runs := read(t, "first")
		last := &runs[0].Iterations[len(runs[0].Iterations)-1]
		last.Seconds = seconds
		if _, label := axisUnit(runs, Time); label != "training time, "+want {
			t.Errorf("%g seconds are drawn over %q, want %s", seconds, label, want)
		}
	}
}

func TestRunsOfOneNameAreToldApart(t *testing.T) {
	runs := []*history.Run{{Dir: "a/run"}, {Dir: "b/run/"}, {Dir: "c/other/"}}
	if diff := cmp.Diff([]string{"a/run", "b/run/", "other"}, RunNames(runs)); diff != "" {
		t.Error(diff)
	}
}

func TestParseX(t *testing.T) {
	for i, name := range XNames {
		if x, err := ParseX(name); err != nil || x != X(i) {
			t.Errorf("%q reads as %v, %v", name, x, err)
		}
	}
	if _, err := ParseX("tim"); err == nil || !strings.Contains(err.Error(), `did you mean "time"`) {
		t.Errorf("got %v", err)
	}
}
