//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// This file plays on a real terminal: inside tmux, which types the keys and says what the screen shows.

// A terminal is a tmux server of its own, with one window.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal opens a window of a size that runs the program in a shell, so that what is left on the screen can be seen.
func newTerminal(t *testing.T, columns, lines int, environment ...string) *terminal {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: it takes seconds")
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("skipped: there is no tmux to play in")
	}
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	script := filepath.Join(t.TempDir(), "kiothi")
	if err := os.WriteFile(script, fmt.Appendf(nil, "#!/bin/sh\n%s=1 exec %q \"$@\"\n", asProgram, path), 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(lines), "env", "LC_ALL=C.UTF-8", "PS1=ready> "}
	args = append(args, environment...)
	term.tmux(append(args, "PATH="+filepath.Dir(script)+":"+os.Getenv("PATH"), "sh")...)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	term.sees("ready>")
	return term
}

// tmux runs a command of tmux and returns what it prints.
func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", term.socket, "-u"}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// types sends keys, by the names that tmux has for them; other words are typed.
func (term *terminal) types(keys ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, keys...)...)
}

// screen returns what the window shows.
func (term *terminal) screen() string { return term.tmux("capture-pane", "-p") }

// sees waits until all texts stand on the screen.
func (term *terminal) sees(texts ...string) {
	term.t.Helper()
	term.wait(fmt.Sprintf("%q", texts), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// wait waits for a screen. It gives up only when nothing can be expected to come any more.
func (term *terminal) wait(what string, accept func(screen string) bool) {
	term.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		screen := term.screen()
		if accept(screen) {
			return
		}
		if time.Now().After(deadline) {
			term.t.Fatalf("the screen never shows %s:\n%s", what, screen)
		}
	}
}

// left checks that the program has left and the shell is itself again: it shows what is typed, and the cursor.
func (term *terminal) left() {
	term.t.Helper()
	term.wait("the shell waiting", func(screen string) bool { return strings.HasSuffix(strings.TrimSpace(screen), "\nready>") })
	term.types("echo status=$?", "Enter")
	term.sees("echo status=$?", "status=0\n")
	if flags := strings.TrimSpace(term.tmux("display-message", "-p", "#{cursor_flag} #{alternate_on} #{mouse_any_flag}")); flags != "1 0 0" {
		term.t.Errorf("cursor, other screen and mouse are %q, want 1 0 0", flags)
	}
}

func TestKiothiOnATerminal(t *testing.T) {
	term := newTerminal(t, 80, 24)
	term.types("kiothi play --seat both --speed fast", "Enter")
	term.sees("Kiothi  mancala-world", "●●●●●", "South, opening: lift a pit", "[j]")
	term.types("Enter", "Left", "Enter") // lifts j, then h
	term.sees("10 in hand")
	term.types("9", "u", "9", "Up", "Space")
	term.sees("opening complete")
	term.types("Enter")
	term.sees("South  hj:h9C1", "North, opening")
	term.types("EF:A10", "Enter")
	term.sees("North  EF:A10", "South, ", "sow ")
	term.types("Left", "Down", "Enter")
	term.wait("South's turn", func(screen string) bool {
		return strings.Contains(screen, "North, ") && strings.Contains(screen, "sow ")
	})
	term.types("zz", "J99", "Enter")
	term.sees("not played: ")
	term.tmux("resize-window", "-x", "50", "-y", "14")
	term.sees("North 0", "not played: ")
	term.tmux("resize-window", "-x", "30", "-y", "8")
	term.sees("This window has 30 columns")
	term.tmux("resize-window", "-x", "100", "-y", "30")
	term.sees("●●●●●", "North, ")
	term.types("u")
	term.sees("taken back", "South, ")
	term.types("q")
	term.sees("To go on from here: kiothi play --game kiothi --rules mancala-world --position")
	term.left()
}

func TestRioKadalisOnATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	term := newTerminal(t, 80, 24, "NO_COLOR=1")
	term.types("kiothi play --game rio-kadalis --competition=3 --agent random --speed off", "Enter")
	term.sees("Rio Kadalis  standard", "Round 1 of at most 3", "South, d: sow 4 seeds")
	term.types("Left", "Enter")
	term.sees("South  c", "North  ", "South, ")
	term.types("t")
	term.sees("no hint: no agent here has a network")
	term.types("s", "C-u", "game.jsonl", "Enter")
	term.sees("saved to game.jsonl")
	term.types("u", "l", "Enter")
	term.sees("loaded game.jsonl", "South  c", "South, ")
	if colours := term.tmux("capture-pane", "-p", "-e"); regexp.MustCompile("\x1b\\[[34][0-7]m").MatchString(colours) {
		t.Errorf("there are colours in spite of NO_COLOR:\n%q", colours)
	}
	term.types("C-c")
	term.sees("Round 1 of at most 3")
	term.left()
}

func TestWatchingAgentsOnATerminal(t *testing.T) {
	term := newTerminal(t, 80, 24)
	term.types("kiothi play --game rio-kadalis --agent greedy --agent random --speed slow", "Enter")
	term.sees("South plays", "lap 1 of")
	term.types("Space")
	term.sees("paused, speed slow")
	term.types("]", "]", "]", "Space")
	term.sees("(stuck)", "speed off")
	term.types("q")
	term.left()
}

// An agent that never answers does not keep the program from leaving.
func TestLeavingWhileAnAgentThinks(t *testing.T) {
	term := newTerminal(t, 80, 24)
	term.types("kiothi play --agent stubborn --agent stubborn", "Enter")
	term.sees("South (stubborn) is thinking")
	term.types("C-c")
	term.sees("To go on from here")
	term.left()
}

func TestPlainOnATerminal(t *testing.T) {
	term := newTerminal(t, 100, 50)
	term.types("kiothi play --plain --game rio-kadalis --agent random", "Enter")
	term.sees("Type help for help.", "South>")
	term.types("c", "Enter")
	term.sees("South plays c", "North plays")
	term.types("quit", "Enter")
	term.left()
}
