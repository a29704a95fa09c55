package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"kiothi/train/checkpoint"
	"kiothi/train/runfiles"
)

// curves returns what TensorBoard reads in a run's folder: for each tag the steps with a value and the values, the files one
// after the other. Package events tests the records themselves.
func curves(t *testing.T, dir string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for len(data) > 0 {
			size := int(data[0]) | int(data[1])<<8 | int(data[2])<<16
			step, summary := uint64(0), []byte(nil)
			walk(t, data[12:12+size], func(field protowire.Number, number uint64, content []byte) {
				switch field {
				case 2:
					step = number
				case 5:
					summary = content
				}
			})
			data = data[16+size:]
			walk(t, summary, func(_ protowire.Number, _ uint64, value []byte) {
				tag, content := "", ""
				walk(t, value, func(field protowire.Number, number uint64, bytes []byte) {
					switch field {
					case 1:
						tag = string(bytes)
					case 2:
						content = fmt.Sprint(number)
					case 5:
						content = fmt.Sprintf("%x", bytes)
					}
				})
				all[tag] = append(all[tag], fmt.Sprint(step, ": ", content))
			})
		}
	}
	return all
}

// walk calls f with each field of a message.
func walk(t *testing.T, message []byte, f func(field protowire.Number, number uint64, content []byte)) {
	t.Helper()
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		size := protowire.ConsumeFieldValue(field, kind, message[max(n, 0):])
		if n < 0 || size < 0 {
			t.Fatalf("no field: % x", message)
		}
		value := message[n : n+size]
		message = message[n+size:]
		var number uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			number, _ = protowire.ConsumeVarint(value)
		case protowire.Fixed32Type:
			bits, _ := protowire.ConsumeFixed32(value)
			number = uint64(bits)
		case protowire.BytesType:
			content, _ = protowire.ConsumeBytes(value)
		}
		f(field, number, content)
	}
}

// timed are the tags whose values depend on the clock or on the process.
func timed(tag string) bool {
	return strings.HasPrefix(tag, "seconds/") || strings.HasPrefix(tag, "speed/") || tag == "memory/heap_bytes"
}

// stepsOf returns the steps of some curve's points.
func stepsOf(points []string) string {
	var steps []string
	for _, p := range points {
		step, _, _ := strings.Cut(p, ":")
		steps = append(steps, step)
	}
	return strings.Join(steps, " ")
}

func TestTensorBoardSeesEachIteration(t *testing.T) {
	dir := folder(t)
	c := tiny("kiothi")
	mustBegin(t, dir, c)
	got := curves(t, dir)
	for _, tag := range []string{
		"loss/policy", "loss/value", "loss/l2", "training/learning_rate", "training/gradient_norm", "games/turns", "games/draws",
		"entropy/search_opening", "entropy/network_policy", "speed/positions_per_second", "memory/heap_bytes", "seconds/selfplay",
		"games/actions", "games/margin_of_south", "games/policy_entropy", "weights/input.weight",
	} {
		if steps := stepsOf(got[tag]); steps != "1 2 3" {
			t.Errorf("%s has values at the steps %q, want 1 2 3", tag, steps)
		}
	}
	for _, tag := range []string{"evaluation/random/score", "evaluation/greedy/low", "evaluation/greedy/high"} {
		if steps := stepsOf(got[tag]); steps != "2 3" {
			t.Errorf("%s has values at the steps %q, want 2 3", tag, steps)
		}
	}
	if t.Failed() {
		t.Logf("tags: %q", slices.Sorted(maps.Keys(got)))
	}
}

// After stops in the middle of iterations, and after a kill that left iterations without a checkpoint, TensorBoard shows what
// it shows of a run without either.
func TestTensorBoardSeesNoStepTwice(t *testing.T) {
	c := tiny("rio-kadalis")
	c.Run.CheckpointEvery = 2
	c.Run.Iterations = 4
	straight, broken := folder(t), folder(t)
	mustBegin(t, straight, c)
	err := Begin(newCountdown(47), options(broken, c))
	for stops := 1; err != nil; stops++ {
		if !errors.Is(err, context.Canceled) || stops > 1000 {
			t.Fatalf("after %d stops: %v", stops, err)
		}
		err = Resume(newCountdown(47+40*stops), options(broken, c))
	}
	for _, n := range []int{3, 4} {
		if err := os.RemoveAll(filepath.Join(broken, runfiles.Checkpoints, checkpoint.Name(n, 0))); err != nil {
			t.Fatal(err)
		}
	}
	if err := Resume(context.Background(), options(broken, c)); err != nil {
		t.Fatal(err)
	}
	want, got := curves(t, straight), curves(t, broken)
	for tag, points := range want {
		// What was learned before a stop is not in the means of its iteration.
		if strings.HasPrefix(tag, "loss/") || strings.HasPrefix(tag, "training/") || strings.HasPrefix(tag, "entropy/network") || timed(tag) {
			if len(slices.Compact(strings.Fields(stepsOf(got[tag])))) != len(got[tag]) {
				t.Errorf("%s has values at the steps %s, some of them twice", tag, stepsOf(got[tag]))
			}
			continue
		}
		if !slices.Equal(got[tag], points) {
			t.Errorf("%s has %q, want %q", tag, got[tag], points)
		}
	}
}

// A kill between a line of metrics and its event, or a run that had TensorBoard switched off, leaves nothing out.
func TestTensorBoardSeesWhatWasMissed(t *testing.T) {
	dir := folder(t)
	c := tiny("rio-kadalis")
	c.Run.TensorBoard = "off"
	mustBegin(t, dir, c)
	if got := curves(t, dir); len(got) != 0 {
		t.Fatalf("found %d tags where TensorBoard is off", len(got))
	}
	c.Run.TensorBoard, c.Run.Iterations = "on", 4
	if err := Resume(context.Background(), options(dir, c)); err != nil {
		t.Fatal(err)
	}
	got := curves(t, dir)
	if steps := stepsOf(got["loss/policy"]); steps != "1 2 3 4" {
		t.Errorf("loss/policy has values at the steps %q, want 1 2 3 4", steps)
	}
	if steps := stepsOf(got["evaluation/greedy/score"]); steps != "2 3 4" {
		t.Errorf("evaluation/greedy/score has values at the steps %q, want 2 3 4", steps)
	}
}

func TestARunGoesOnWhereTensorBoardsFileCannotBeWritten(t *testing.T) {
	straight, dir := folder(t), folder(t)
	c := tiny("rio-kadalis")
	mustBegin(t, straight, c)
	// No file can have this name, which is a folder's.
	if err := os.MkdirAll(filepath.Join(dir, "events.out.tfevents.0000000001.kiothi"), 0o755); err != nil {
		t.Fatal(err)
	}
	o := options(dir, c)
	var messages bytes.Buffer
	o.Messages = &messages
	if err := Begin(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(messages.String(), "goes on without events for TensorBoard"); n != 1 {
		t.Errorf("the messages say it %d times, want once:\n%s", n, messages.String())
	}
	wantSameRun(t, "without events", dir, straight, c.Run.Iterations)
}
