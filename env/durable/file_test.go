package durable

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
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

// Each of several writers of one path commits what it wrote, whole, whatever the others do meanwhile.
func TestWritersOfOnePathDoNotMeet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	var open []*File
	for range 3 {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Abort()
		open = append(open, f)
	}
	for i, f := range open {
		if _, err := fmt.Fprintf(f, "the text of %d", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := open[1].Abort(); err != nil {
		t.Errorf("the second gives up: %v", err)
	}
	for _, i := range []int{2, 0} {
		if err := open[i].Commit(); err != nil {
			t.Errorf("writer %d: %v", i, err)
		}
		if got, want := content(t, path), fmt.Sprintf("the text of %d", i); got != want {
			t.Errorf("after writer %d the file holds %q, want %q", i, got, want)
		}
	}
	wantAlone(t, path)
}

func TestManyWritersOfOnePathAllSucceed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows may refuse to replace a file at the moment in which another one replaces it")
	}
	errGivenUp := errors.New("given up")
	path := filepath.Join(t.TempDir(), "file")
	var group sync.WaitGroup
	for i := range 8 {
		text := strings.Repeat(strconv.Itoa(i), 100)
		group.Go(func() {
			for n := range 200 {
				err := WriteFile(path, func(w io.Writer) error {
					if n%2 == 0 {
						return errGivenUp
					}
					return put(text)(w)
				})
				if err != nil && err != errGivenUp {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	if got := content(t, path); len(got) != 100 || strings.Trim(got, got[:1]) != "" {
		t.Errorf("the file holds %q, want what one writer wrote", got)
	}
	wantAlone(t, path)
}

// wantAlone checks that a folder holds nothing but a file.
func wantAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the directory holds %v (%v), want %s alone", entries, err, path)
	}
}

// What killed processes left is not in the way, and does not grow more.
func TestWhatACrashLeftIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	for range 3 {
		left, then := temporary(path, 1), time.Now().Add(-time.Hour)
		if err := errors.Join(os.WriteFile(left, []byte("half of a longer text"), 0o644), os.Chtimes(left, then, then)); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(path, put("whole")); err != nil {
			t.Fatal(err)
		}
		if got := content(t, path); got != "whole" {
			t.Errorf("the file holds %q", got)
		}
		wantAlone(t, path)
	}
}

// What takes long is not written twice at the same time.
func TestAWriterAloneRefusesAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	first, err := CreateAlone(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Abort()
	if _, err := CreateAlone(path); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("a second writer: %v, want one that says that it is being written", err)
	}
	if err := errors.Join(put("first")(first), first.Commit()); err != nil {
		t.Fatal(err)
	}
	second, err := CreateAlone(path)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	if err := second.Abort(); err != nil || content(t, path) != "first" {
		t.Errorf("the file holds %q (%v), want what the first wrote", content(t, path), err)
	}
	wantAlone(t, path)
}

// symlink makes a link, which on Windows is a privilege.
func symlink(t *testing.T, to, path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("on Windows a link needs a privilege")
	}
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

// A path that is a link means the file that it leads to.
func TestALinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	link, folder := filepath.Join(dir, "link"), filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	symlink(t, filepath.Join("folder", "file"), link)
	for _, text := range []string{"the link leads nowhere yet", "and now to a file"} {
		if err := WriteFile(link, put(text)); err != nil {
			t.Fatal(err)
		}
		if got := content(t, filepath.Join(folder, "file")); got != text {
			t.Errorf("the link's file holds %q, want %q", got, text)
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is one no more: %v, %v", info, err)
		}
	}
	loop := filepath.Join(dir, "loop")
	symlink(t, "loop", loop)
	if err := WriteFile(loop, put("x")); err == nil {
		t.Error("a link to itself is written")
	}
}

// A temporary name that no File has made, or that somebody took away, harms nothing.
func TestWhatOthersPutAtATemporaryNameStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	symlink(t, "nowhere", temporary(path, 1))
	if err := WriteFile(path, put("whole")); err != nil || content(t, path) != "whole" {
		t.Fatalf("beside a link: %v", err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := put("mine")(f); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(f.file.Name(), put("another's")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil || content(t, path) != "whole" {
		t.Errorf("after its file was replaced, it commits with %v, and the file holds %q", err, content(t, path))
	}
}

func TestTemporaryNamesAreKnown(t *testing.T) {
	for name, want := range map[string]bool{
		"a.part.tmp": true, "a.part-2.tmp": true, "a.part-10.tmp": true,
		"a": false, ".tmp": false, "a.tmp": false, ".part.tmp": false, "b.part.tmp": false, "aa.part.tmp": false, "a.part-1.tmp": false,
		"a.part-02.tmp": false, "a.part2.tmp": false, "a.part-.tmp": false, "a.part-2": false,
	} {
		if got := IsTemporary(name, "a"); got != want {
			t.Errorf("%s: IsTemporary says %v, want %v", name, got, want)
		}
	}
}

func TestSyncFileNeedsTheFile(t *testing.T) {
	if err := SyncFile(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("SyncFile of a missing file returned %v", err)
	}
}
