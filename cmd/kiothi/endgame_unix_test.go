//go:build unix

package main

import (
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAnInterruptStopsEndgameWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, "endgame", "--game", "rio-kadalis", "--stones", "20", "--out", filepath.Join(dir, "table"), "--progress", "plain")
	stderr := start(t, cmd, "end games: ")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stderr)
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusFailure {
		t.Errorf("the program ended with %v, expected status %d", err, statusFailure)
	}
	if !strings.HasSuffix(string(rest), "kiothi: endgame: stopped; no file was written\n") {
		t.Errorf("standard error ends with %q, expected the reason", rest)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}
