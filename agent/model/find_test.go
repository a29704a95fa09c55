package model

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run makes a run folder with a model in each of the named checkpoints.
func run(t *testing.T, names ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run é 1")
	if err := os.MkdirAll(filepath.Join(dir, CheckpointsDir), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		checkpoint := filepath.Join(dir, CheckpointsDir, name)
		if err := os.Mkdir(checkpoint, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := Write(checkpoint, exampleDescription(), exampleTensors()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindTakesACheckpointAsItIs(t *testing.T) {
	dir := written(t)
	if got, err := Find(dir); err != nil || got != dir {
		t.Errorf("Find(%s) = %s, %v", dir, got, err)
	}
}

func TestFindTakesTheNewestCompleteCheckpointOfARun(t *testing.T) {
	dir := run(t, "000009", "000010", "000011", "000012.tmp")
	checkpoints := filepath.Join(dir, CheckpointsDir)
	if err := os.Remove(filepath.Join(checkpoints, "000011", WeightsFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(checkpoints, "lock"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want := filepath.Join(checkpoints, "000010")
	if got, err := Find(dir); err != nil || got != want {
		t.Errorf("Find = %s, %v; want %s", got, err, want)
	}
}

func TestFindSaysWhatIsWrongWithAPath(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ path, word string }{
		{filepath.Join(t.TempDir(), "nowhere"), "no such folder"},
		{file, "found a file"},
		{t.TempDir(), "found neither"},
		{run(t), "no complete checkpoint"},
		{run(t, "000001.tmp"), "no complete checkpoint"},
	} {
		_, err := Find(c.path)
		if err == nil || !strings.Contains(err.Error(), c.word) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("Find(%s) returned %v, want the path and %q", c.path, err, c.word)
		}
	}
}
