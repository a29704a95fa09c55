//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestAnInterruptStopsEndgameWithoutAFile(t *testing.T) {
	dir := t.TempDir()
	cmd := program(t, "endgame", "--game", "rio-kadalis", "--stones", "20", "--out", filepath.Join(dir, "table"), "--progress", "plain")
	stderr := start(t, cmd, "end games: ")
	rest := interrupt(t, cmd, stderr)
	if !strings.HasSuffix(rest, "kiothi: endgame: stopped; no file was written\n") {
		t.Errorf("standard error ends with %q, expected the reason", rest)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("%v is left behind", left)
	}
}
