package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFileReadsUpToItsLimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for _, text := range []string{"", "x", strings.Repeat("abc", 5000)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFile(path, int64(len(text))); err != nil || string(got) != text {
			t.Errorf("read %d bytes, %v; want %d", len(got), err, len(text))
		}
		if text == "" {
			continue
		}
		if _, err := ReadFile(path, int64(len(text)-1)); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "at most") {
			t.Errorf("of a file that is too large the error is %v", err)
		}
	}
}

func TestReadHeadReadsNoMore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("abcdef"), 0o644); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]string{0: "", 3: "abc", 6: "abcdef", 100: "abcdef"} {
		if head, err := ReadHead(path, n); err != nil || string(head) != want {
			t.Errorf("the first %d bytes are %q (%v), want %q", n, head, err, want)
		}
	}
	if _, err := ReadHead(filepath.Dir(path), 3); err == nil {
		t.Error("a directory has a head")
	}
}

func TestOpenTakesRegularFilesOnly(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error is %v, want that there is no such file", err)
	}
	for _, path := range []string{dir, os.DevNull} {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
			continue
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "expected a regular file") {
			t.Errorf("%s: the error is %v, want that a regular file is expected", path, err)
		}
		if _, err := ReadFile(path, 10); err == nil || !strings.Contains(err.Error(), "expected a regular file") {
			t.Errorf("%s: the error is %v, want that a regular file is expected", path, err)
		}
	}
}
