package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kiothi/agent/solve"
)

func TestSolveWritesWhatVerifyAccepts(t *testing.T) {
	dir := t.TempDir()
	file, claims := filepath.Join(dir, "certificate"), filepath.Join(dir, "claims")
	args := []string{"solve", "--game", "rio-kadalis", "--rules", "five-holes", "--progress", "none"}
	printed := succeed(t, "", append(args, "--out", file, "--save", claims)...)
	if !strings.Contains(printed, "South, to move, draws") {
		t.Errorf("solve prints\n%s\nwant that it is a draw", printed)
	}
	if out := succeed(t, "", "verify", file); !strings.Contains(out, "proved: South, to move, draws") {
		t.Errorf("verify prints\n%s\nwant that a draw is proved", out)
	}
	if again := succeed(t, "", append(args, "--resume", claims)...); !strings.Contains(again, "South, to move, draws") {
		t.Errorf("resumed, solve prints\n%s", again)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := kiothi(t, "", "verify", file); status != statusFailure || !strings.Contains(stderr, "damaged") {
		t.Errorf("of a damaged file verify says %q with status %d", stderr, status)
	}
}

// What an earlier search has proved may have taken hours.
func TestSolveSavesInPlaceOfNothingButTheSearchItGoesOnWith(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first é"), filepath.Join(dir, "second")
	solve := []string{"solve", "--game", "rio-kadalis", "--rules", "five-holes", "--progress", "none"}
	for _, path := range []string{first, second} {
		succeed(t, "", append(solve, "--save", path)...)
	}
	before := content(t, first)
	for _, more := range [][]string{nil, {"--force"}, {"--resume", second}} {
		_, stderr, status := kiothi(t, "", append(append(solve, "--save", first), more...)...)
		want := "kiothi: solve: --save: " + first + ": it is there already: go on with what it holds by --resume '" + first + "', or choose another name\n"
		if status != statusFailure || stderr != want || content(t, first) != before {
			t.Errorf("%v: status %d, %s, want %s", more, status, stderr, want)
		}
	}
	succeed(t, "", append(solve, "--resume", first)...)
	succeed(t, "", append(solve, "--resume", first, "--save", filepath.Join(dir, ".", "first é"))...)
	if err := os.Remove(second); err != nil {
		t.Fatal(err)
	}
	succeed(t, "", append(solve, "--resume", first, "--save", second)...)
}

func TestSolveTellsWhatItCannotDo(t *testing.T) {
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"--game", "rio-kadalis", "--memory", "1"}, statusFailure, "larger --memory"},
		{[]string{"--memory", "0"}, statusUsage, "expected 1 to 65536"},
		{[]string{"--game", "rio-kadalis", "--position", "0,0,0,0,0,0/1,0,0,0,0,0 - 0-0 S sow 0"}, statusUsage, "is over"},
		{[]string{"--resume", "nowhere"}, statusFailure, "nowhere"},
		{[]string{"--memory", "1", "--out", filepath.Join("no", "folder")}, statusFailure, "solve: --out: create"}, // before the search
		{[]string{"--memory", "1", "--save", filepath.Join("no", "folder")}, statusFailure, "solve: --save: create"},
		{[]string{"--save", "same", "--out", "same"}, statusUsage, "--save and --out are both same"},
	} {
		_, stderr, status := kiothi(t, "", append([]string{"solve", "--progress", "none"}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("solve %v: status %d, %q; want status %d and %q", c.args, status, stderr, c.status, c.want)
		}
	}
}

// A search may be stopped because the disk is full.
func TestWhatCannotBeSavedIsToldInWords(t *testing.T) {
	full := errors.New("--save: no space left on device")
	ended := func(why error) error {
		return fmt.Errorf("the best margin is from -4 to 6 as far as is proved: %w", why)
	}
	for want, err := range map[string]error{
		"what was proved could not be saved: --save: no space left on device":                                    nil,
		"stopped, and what was proved could not be saved: --save: no space left on device":                       ended(context.Canceled),
		ended(solve.ErrMemory).Error() + "; what was proved could not be saved: --save: no space left on device": ended(solve.ErrMemory),
	} {
		got := unsaved(err, full)
		if got.Error() != want || !errors.Is(got, full) {
			t.Errorf("of %v and %v it says %q, want %q", err, full, got, want)
		}
	}
}
