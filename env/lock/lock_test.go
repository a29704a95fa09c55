package lock

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// holdVariable names a folder that the test program locks and holds, in place of its tests, until it is killed.
const holdVariable = "KIOTHI_TEST_HOLD_LOCK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVariable); dir != "" {
		file, err := Folder(dir)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		defer file.Close()
		fmt.Println("open")
		bufio.NewReader(os.Stdin).ReadByte() // the end of the parent's pipe, should it die first
		return
	}
	os.Exit(m.Run())
}

func folder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run é 1")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustTake(t *testing.T, dir string) *os.File {
	t.Helper()
	file, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestALockIsTakenOnce(t *testing.T) {
	dir := folder(t)
	file := mustTake(t, dir)
	var held *HeldError
	if _, err := Folder(dir); !errors.As(err, &held) {
		t.Fatalf("the second lock returned %v, want a *HeldError", err)
	}
	if held.Dir != dir || held.PID != os.Getpid() || Holder(dir) != os.Getpid() {
		t.Errorf("the error is %+v, want folder %s and process %d", held, dir, os.Getpid())
	}
	file.Close()
	mustTake(t, dir)
}

// However many want a brief lock, one has it at a time, and nothing is left of it.
func TestABriefLockLeavesNothing(t *testing.T) {
	dir := folder(t)
	var group sync.WaitGroup
	var inside, taken atomic.Int32
	for range 8 {
		group.Go(func() {
			for range 200 {
				release, err := Briefly(dir, ".busy")
				var held *HeldError
				if errors.As(err, &held) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two have the lock")
				}
				taken.Add(1)
				inside.Add(-1)
				release()
			}
		})
	}
	group.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 || taken.Load() == 0 {
		t.Errorf("after %d locks the folder holds %v, %v", taken.Load(), entries, err)
	}
}

func TestTheLockEndsWithItsProcessHoweverThatEnds(t *testing.T) {
	dir := folder(t)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), holdVariable+"="+dir)
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || line != "open\n" {
		t.Fatalf("the child said %q (%v), want that it has the lock", line, err)
	}

	var held *HeldError
	if _, err := Folder(dir); !errors.As(err, &held) || held.PID != child.Process.Pid {
		t.Errorf("the lock beside the child returned %v, want a *HeldError with process %d", err, child.Process.Pid)
	} else if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another folder") {
		t.Errorf("the error does not name the folder and what to do: %v", err)
	}

	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait() // an error, for it was killed
	if _, err := os.Stat(filepath.Join(dir, File)); err != nil {
		t.Errorf("the lock file is gone, so that this test proves nothing: %v", err)
	}
	mustTake(t, dir)
}

// A file is reclaimed when nobody has it open any more, and not before.
func TestAFileInUseIsNotReclaimed(t *testing.T) {
	path := filepath.Join(folder(t), "file")
	file, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := Create(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second of one name: %v, want that it exists", err)
	}
	if Reclaim(path) || !Named(file) {
		t.Error("a file that is open was removed")
	}
	file.Close()
	old := time.Now().Add(-time.Hour) // Windows asks for it
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if !Reclaim(path) {
		t.Error("a file that nobody has open cannot be removed")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file that was reclaimed: %v, want that there is none", err)
	}
	if !Reclaim(path) {
		t.Error("the name of no file is not free")
	}
}
