//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// launch starts the program, to be killed at the end of the test, and returns what it says on a stream: the pipe of its output
// or of its errors.
func launch(t *testing.T, cmd *exec.Cmd, stream func() (io.ReadCloser, error)) *bufio.Reader {
	t.Helper()
	pipe, err := stream()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return bufio.NewReader(pipe)
}

// start starts the program and waits until a line of its standard error holds a text. It returns the rest of that stream.
func start(t *testing.T, cmd *exec.Cmd, text string) *bufio.Reader {
	t.Helper()
	stderr := launch(t, cmd, cmd.StderrPipe)
	wait(t, stderr, text)
	return stderr
}

func wait(t *testing.T, stderr *bufio.Reader, text string) {
	t.Helper()
	for {
		line, err := stderr.ReadString('\n')
		if err != nil {
			t.Fatalf("the program ended without saying %q: %v", text, err)
		}
		if strings.Contains(line, text) {
			return
		}
	}
}

// interrupt presses Ctrl-C once and waits for the end of the program, which must say that it failed. It returns the rest of a
// stream of its output.
func interrupt(t *testing.T, cmd *exec.Cmd, stream io.Reader) string {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(stream)
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != statusFailure {
		t.Errorf("%s ended with %v, expected status %d", cmd.Args[1], err, statusFailure)
	}
	return string(rest)
}

func TestTheFirstInterruptStopsAMatchAndPrintsWhatIsDone(t *testing.T) {
	cmd := program(t, "evaluate", "random", "random", "--games", "1000000", "--concurrent", "4", "--openings", "own", "--progress", "plain")
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	stderr := start(t, cmd, "random against random#2: 1000000 games")
	rest := interrupt(t, cmd, stderr)
	if !strings.Contains(rest, "the match was stopped") {
		t.Errorf("standard error ends with %q, want the reason", rest)
	}
	if !strings.Contains(stdout.String(), "score") {
		t.Errorf("standard output is %q, want the result so far", stdout.String())
	}
}

// So does it in a round robin, whose files are written as well, and even when an agent with a bound does not hear of it.
func TestTheFirstInterruptStopsARoundRobin(t *testing.T) {
	for _, last := range []string{"greedy", "stubborn"} {
		games := filepath.Join(t.TempDir(), "games.jsonl")
		cmd := program(t, "evaluate", "random", "random", last, "--games", "100000", "--concurrent", "6", "--openings", "own",
			"--progress", "plain", "--move-time", "1h", "--games-out", games)
		var stdout bytes.Buffer
		cmd.Stdout = &stdout
		stderr := start(t, cmd, "3 matches: 300000 games")
		rest := interrupt(t, cmd, stderr)
		if !strings.Contains(rest, "the match was stopped") || !strings.Contains(stdout.String(), "3 agents, 3 matches, ") {
			t.Errorf("%s: standard error ends with %q, standard output is %q", last, rest, stdout.String())
		}
		if _, err := os.Stat(games); err != nil {
			t.Error(err)
		}
	}
}

func TestASecondInterruptEndsAtOnce(t *testing.T) {
	// A job in the background may be told to ignore Ctrl-C, and a program inherits that, but not from one that catches it.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGINT)
	defer signal.Stop(caught)
	cmd := program(t, "evaluate", "stubborn", "random", "--games", "2", "--progress", "plain")
	stderr := start(t, cmd, "stubborn against random: 2 games")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	wait(t, stderr, "once more ends at once")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
		t.Errorf("the program ended with %v, want an end by the signal", err)
	}
}

// A run that is interrupted takes a checkpoint, says how to go on, and goes on to the bytes of a run without a stop.
func TestAnInterruptedTrainingGoesOn(t *testing.T) {
	dir := t.TempDir()
	straight, stopped := filepath.Join(dir, "straight é"), filepath.Join(dir, "stopped é")
	flags := append([]string{"--game", "rio-kadalis"}, append(tinyTrain, sets("run.iterations=900000", "training.schedule=constant", "selfplay.games=40",
		"evaluation.games=0", "evaluation.every=0")...)...)
	cmd := program(t, append([]string{"train", "--dir", stopped, "--progress", "plain"}, flags...)...)
	stderr := start(t, cmd, "iteration 1/900000 self-play")
	rest := interrupt(t, cmd, stderr)
	if want := "go on with: kiothi train --resume '" + stopped + "'\n"; !strings.HasSuffix(rest, want) {
		t.Errorf("standard error ends with %q, want %q", rest, want)
	}
	// However far it came, it goes on for two iterations.
	metrics, err := os.ReadFile(filepath.Join(stopped, "metrics.jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	last := bytes.Count(metrics, []byte("\n")) + 2
	succeed(t, "", "train", "--resume", stopped, "--iterations", fmt.Sprint(last))
	succeed(t, "", append([]string{"train", "--dir", straight, "--iterations", fmt.Sprint(last)}, flags...)...)
	for _, file := range []string{"model.safetensors", "model.json", "optimizer.safetensors", "state.json"} {
		path := filepath.Join("checkpoints", fmt.Sprintf("%06d", last), file)
		want, err := os.ReadFile(filepath.Join(straight, path))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(stopped, path)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s differs from that of a run without a stop (%v)", path, err)
		}
	}
}

// The games that are complete stay, and the same command goes on from there.
func TestAnInterruptedDistillationGoesOn(t *testing.T) {
	dir := t.TempDir()
	games := []string{"distill", "games", "--game", "rio-kadalis", "--dir", dir, "--shard", "10", "--depth", "1", "--progress", "plain"}
	cmd := program(t, append(games, "--games", "1000000")...)
	stderr := start(t, cmd, "rio-kadalis: 1000000 games")
	first := filepath.Join(dir, "000000.kgr")
	for {
		if _, err := os.Stat(first); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	rest := interrupt(t, cmd, stderr)
	if !strings.Contains(rest, "stopped at") || !strings.HasSuffix(rest, "go on with the same command\n") {
		t.Errorf("standard error ends with %q, want what is done and how to go on", rest)
	}
	before, err := os.Stat(first)
	if err != nil {
		t.Fatal(err)
	}
	succeed(t, "", append(games, "--games", "40")...)
	if after, err := os.Stat(first); err != nil || after.ModTime() != before.ModTime() {
		t.Errorf("games that were complete were played again (%v)", err)
	}
	learn := []string{"distill", "learn", dir, "--game", "rio-kadalis", "--batch", "16", "--dir", filepath.Join(dir, "net"), "--progress", "plain"}
	cmd = program(t, append(learn, "--epochs", "1000000")...)
	stderr = start(t, cmd, "epoch 1: ")
	if rest := interrupt(t, cmd, stderr); !strings.HasSuffix(rest, "go on with the same command\n") {
		t.Errorf("standard error ends with %q, want how to go on", rest)
	}
	if _, err := os.Stat(filepath.Join(dir, "net", "eval.nnue")); err != nil {
		t.Errorf("there is no network after an epoch: %v", err)
	}
}

func TestAnInterruptStopsBenches(t *testing.T) {
	net := []string{"--width", "16", "--blocks", "1", "--runs", "1000000", "--time", "10ms"}
	for _, c := range []struct {
		name, heading string
		flags         []string
	}{
		{"env", "playout", []string{"--runs", "1000000", "--time", "10ms"}},
		{"net", "workers", net},
		{"selfplay", "workers", net},
		{"search", "Mnodes/s", []string{"--positions", "100000", "--time", "10ms"}},
	} {
		cmd := program(t, append([]string{"bench", c.name}, c.flags...)...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout := launch(t, cmd, cmd.StdoutPipe)
		wait(t, stdout, c.heading)
		interrupt(t, cmd, stdout)
		if want := "kiothi: bench " + c.name + ": stopped before its end\n"; !strings.HasSuffix(stderr.String(), want) {
			t.Errorf("standard error is %q, want it to end with %q", stderr.String(), want)
		}
	}
}

func TestAnInterruptEndsAnEngineThatThinks(t *testing.T) {
	cmd := program(t, "engine", "--agent", "alphabeta:depth=60")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out := launch(t, cmd, cmd.StdoutPipe)
	if _, err := io.WriteString(in, "position startpos moves eh:a3c2J5 EH:A3C2j5\ngo infinite\n"); err != nil {
		t.Fatal(err)
	}
	wait(t, out, "info depth 1")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}

func TestAnInterruptedProofSaysWhatIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "un é")
	for want, flags := range map[string][]string{
		"solve: stopped, and nothing is kept":                nil,
		"solve: stopped; go on with --resume '" + file + "'": {"--save", file},
	} {
		cmd := program(t, append([]string{"solve", "--progress", "plain"}, flags...)...)
		stderr := start(t, cmd, "solve: positions")
		if rest := interrupt(t, cmd, stderr); !strings.Contains(rest, want) || strings.Contains(rest, "context canceled") {
			t.Errorf("standard error ends with %q, want %q", rest, want)
		}
	}
}
