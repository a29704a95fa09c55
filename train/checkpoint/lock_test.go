package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// holdVariable names a store that the test program opens and holds, in place of its tests, until it is killed.
const holdVariable = "KIOTHI_TEST_HOLD_STORE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdVariable); dir != "" {
		s, err := Open(dir, 1)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		defer s.Close()
		fmt.Println("open")
		bufio.NewReader(os.Stdin).ReadByte() // the end of the parent's pipe, should it die first
		return
	}
	os.Exit(m.Run())
}

func TestASecondStoreInTheSameFolderIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run é 1")
	s := open(t, dir, 1)
	var locked *LockedError
	if _, err := Open(dir, 1); !errors.As(err, &locked) {
		t.Fatalf("the second Open returned %v, want a *LockedError", err)
	}
	if locked.Dir != dir || locked.PID != os.Getpid() {
		t.Errorf("the error is %+v, want directory %s and process %d", locked, dir, os.Getpid())
	}
	s.Close()
	open(t, dir, 1)
}

func TestTheLockEndsWithItsProcessHoweverThatEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run é 1")
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
		t.Fatalf("the child said %q (%v), want that the store is open", line, err)
	}

	var locked *LockedError
	if _, err := Open(dir, 1); !errors.As(err, &locked) || locked.PID != child.Process.Pid {
		t.Errorf("Open beside the child returned %v, want a *LockedError with process %d", err, child.Process.Pid)
	} else if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "another directory") {
		t.Errorf("the error does not name the directory and what to do: %v", err)
	}

	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait() // an error, for it was killed
	if _, err := os.Stat(filepath.Join(dir, lockFile)); err != nil {
		t.Errorf("the lock file is gone, so that this test proves nothing: %v", err)
	}
	open(t, dir, 1)
}
