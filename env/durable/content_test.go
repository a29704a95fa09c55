package durable

import (
	"os"
	"path/filepath"
	"testing"
)

func TestContentIsWrittenWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteBytes(path, []byte("a\x00b")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "a\x00b" {
		t.Errorf("the file holds %q", got)
	}
	if err := WriteJSON(path, map[string][]int{"<n>": {1, 2}}); err != nil {
		t.Fatal(err)
	}
	if got, want := content(t, path), "{\n  \"\\u003cn\\u003e\": [\n    1,\n    2\n  ]\n}\n"; got != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}

func TestAValueThatJSONCannotHoldKeepsTheOldContent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(path, func() {}); err == nil {
		t.Error("a function is written as JSON")
	}
	if got := content(t, path); got != "old" {
		t.Errorf("the file holds %q, want the old content", got)
	}
	if _, err := os.Stat(path + Temporary); err == nil {
		t.Error("a temporary file is left")
	}
}
