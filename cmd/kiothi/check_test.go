package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// installed puts the program under its name on the path of programs, for commands that start it.
func installed(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "kiothi")
	if runtime.GOOS == "windows" { // where links need a privilege
		name += ".exe"
		content, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(name, content, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	} else if err := os.Symlink(self, name); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv(asProgram, "1")
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else each process of a test with the race detector sleeps a second at its end
}

func TestCheckPassesForAllRuleSets(t *testing.T) {
	out := succeed(t, "", "check", "--games", "1")
	inOrder(t, out, "kiothi mancala-world\n  ok    spaces", "ok    texts", "kiothi wikipedia-it\n", "rio-kadalis standard\n", "rio-kadalis clockwise\n", "All checks of 8 rule sets passed.")
	if strings.Contains(out, "FAIL") {
		t.Errorf("a check failed:\n%s", out)
	}
	if one := succeed(t, "", "check", "--games", "1", "--game", "rio-kadalis"); strings.Contains(one, "mancala-world") || !strings.Contains(one, "of 3 rule sets") {
		t.Errorf("checks of rio-kadalis:\n%s", one)
	}
	if one := succeed(t, "", "check", "--games", "1", "--rules", "mancala-world,bonus=run,lifts=0+2"); !strings.HasPrefix(one, "kiothi mancala-world,lifts=0+2,bonus=run\n") || !strings.HasSuffix(one, "\nAll checks passed.\n") {
		t.Errorf("checks of an own rule set:\n%s", one)
	}
}

// Without --game, a rule set is looked for in all games.
func TestCheckFindsTheGameOfARuleSet(t *testing.T) {
	if out := succeed(t, "", "check", "--rules", "five-holes,lap_limit=9", "--games", "1"); !strings.Contains(out, "rio-kadalis five-holes,lap_limit=9") {
		t.Errorf("got %s", out)
	}
}

func TestCheckOfOurOwnTracePasses(t *testing.T) {
	installed(t)
	out := succeed(t, "", "check", "--games", "1", "--trace", "kiothi trace --batch", "--timeout", "1m")
	inOrder(t, out, "trace of kiothi trace --batch: 1 games of each of 26 rule sets", "ok    runs", "ok    position", "ok    malformed", "ok    status", "All checks passed.")
}

func TestCheckOfAnotherEngineFails(t *testing.T) {
	installed(t)
	// A single trace reads no lines, and so answers none.
	out, stderr, status := kiothi(t, "", "check", "--games", "1", "--game", "rio-kadalis", "--trace", "kiothi trace --game rio-kadalis --actions 2", "--timeout", "1m")
	if status != statusFailure || !strings.Contains(stderr, "checks failed") {
		t.Errorf("status %d, %q", status, stderr)
	}
	inOrder(t, out, "FAIL  answers", "expected", "a JSON array of", "found", `{"ply":0,`, "reproduce  echo '{")
	out, _, status = kiothi(t, "", "check", "--trace", "no-such-program --here")
	if status != statusFailure || !strings.Contains(out, "no-such-program") {
		t.Errorf("a program that is not there: status %d\n%s", status, out)
	}
}

// TestCheckEndsAHangingProgram runs a program that never answers: agents take the whole of their time to move.
func TestCheckEndsAHangingProgram(t *testing.T) {
	installed(t)
	out, _, status := kiothi(t, "", "check", "--timeout", "300ms", "--game", "rio-kadalis", "--trace", "kiothi play --agent stubborn --agent stubborn --game rio-kadalis")
	if status != statusFailure || !strings.Contains(out, "FAIL") {
		t.Errorf("status %d\n%s", status, out)
	}
}
