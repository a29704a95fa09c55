package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func TestWriteFileReplacesTheOldContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b é.txt")
	for _, text := range []string{"first", "second"} {
		if err := WriteFile(path, put(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != text {
			t.Errorf("the file holds %q, want %q", got, text)
		}
	}
}

func TestAFailedWriteKeepsTheOldContentAndLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := WriteFile(path, put("good")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no more space")
	err := WriteFile(path, func(w io.Writer) error { return errors.Join(put("half")(w), broken) })
	if !errors.Is(err, broken) {
		t.Errorf("WriteFile returned %v, want the writer's error", err)
	}
	if got := content(t, path); got != "good" {
		t.Errorf("the file holds %q, want the old content", got)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the directory holds %v (%v), want the file alone", entries, err)
	}
}

func TestACommitThatCannotRenameLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(path, "child"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, put("text")); err == nil {
		t.Error("a file replaced a directory that is not empty")
	}
	if _, err := os.Stat(path + Temporary); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the temporary file is still there (%v)", err)
	}
}

func TestNothingIsAtThePathBeforeCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "text"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is there before Commit (%v)", err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := f.Abort(); err != nil {
		t.Errorf("Abort after Commit: %v", err)
	}
	if got := content(t, path); got != "text" {
		t.Errorf("the file holds %q", got)
	}
}

func TestSyncFileNeedsTheFile(t *testing.T) {
	if err := SyncFile(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("SyncFile of a missing file returned %v", err)
	}
}
