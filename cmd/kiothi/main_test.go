package main

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/players"
	"kiothi/env/mancala"
)

// This file runs the program: in this process, and as a process of its own where its exit status or a signal matters.

// asProgram is the variable that makes the test binary behave as the program, with the agent "stubborn" added.
const asProgram = "KIOTHI_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, kinds: append(players.Kinds(), stubborn)}
		os.Exit(a.run(context.Background(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// stubborn is an agent that thinks for ever, whatever its context says.
var stubborn = agent.Kind{
	Name: "stubborn", Doc: "Never answers.",
	New: func(mancala.Game, agent.Spec) (agent.Agent, error) { return thinker{}, nil },
}

type thinker struct{}

func (thinker) Choose(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
	time.Sleep(time.Hour)
	return 0, errors.New("an hour has passed")
}

// kiothi runs a command line in this process.
func kiothi(t testing.TB, stdin string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, err bytes.Buffer
	a := &app{in: strings.NewReader(stdin), out: &out, err: &err, kinds: players.Kinds()}
	status = a.run(t.Context(), args)
	return out.String(), err.String(), status
}

// succeed runs a command line that must end with status 0, and returns its standard output.
func succeed(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	stdout, stderr, status := kiothi(t, stdin, args...)
	if status != statusOK {
		t.Fatalf("kiothi %s: status %d: %s", strings.Join(args, " "), status, stderr)
	}
	return stdout
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestNoCommandSucceedsWhoseOutputIsLost(t *testing.T) {
	for _, args := range []string{
		"--version", "help rules", "completion bash", "trace", "trace --batch", "perft --depth 1", "perft --depth 1 --divide",
		"evaluate random random --games 2", "evaluate random random --games 2 --json", "bench env --game kiothi --runs 1 --time 1ms",
		"play --agent random --agent random", "play", "check --games 1", "show", "show --svg -", "train --print-config",
	} {
		var stderr bytes.Buffer
		a := &app{in: strings.NewReader(`{"game":"rio-kadalis","actions":[]}`), out: full{}, err: &stderr, kinds: players.Kinds()}
		if status := a.run(t.Context(), strings.Split(args, " ")); status != statusFailure || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("kiothi %s: status %d, error %q", args, status, stderr.String())
		}
	}
}

// program returns the program as a process that has not started.
func program(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

func TestTheProgramsExitStatus(t *testing.T) {
	for _, c := range []struct {
		status int
		args   []string
	}{
		{statusOK, []string{"--version"}},
		{statusOK, []string{"perft", "--depth", "1"}},
		{statusFailure, []string{"trace", "--game", "rio-kadalis", "--actions", "0,77"}},
		{statusUsage, []string{"trace", "--nonsense"}},
		{statusUsage, []string{"nonsense"}},
	} {
		err := program(t, c.args...).Run()
		status := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			status = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if status != c.status {
			t.Errorf("kiothi %v: status %d, want %d", c.args, status, c.status)
		}
	}
}
