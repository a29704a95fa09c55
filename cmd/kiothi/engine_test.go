package main

import (
	"bufio"
	"strings"
	"testing"
)

func TestEngineAnswersAndEndsWithItsInput(t *testing.T) {
	out := succeed(t, "ugi\nisready\nposition startpos moves c\ngo\nnonsense\n", "engine", "--game", "rio-kadalis", "--agent", "alphabeta:depth=2", "--seed", "7")
	inOrder(t, out, "id name kiothi", "protocol 1", "option name Game type combo default rio-kadalis", "option name Agent type string default alphabeta:depth=2",
		"option name Seed type spin default 7", "ugiok", "readyok")
	if !strings.Contains(out, `unknown command "nonsense"`) || !strings.Contains(out, "bestmove ") {
		t.Errorf("got %s", out)
	}
}

func TestOurEnginePlaysAndPassesItsCheck(t *testing.T) {
	installed(t)
	out := succeed(t, "", "check", "--engine", "kiothi engine --agent greedy", "--games", "1", "--game", "rio-kadalis", "--timeout", "1m")
	inOrder(t, out, "engine kiothi engine --agent greedy", "ok    starts", "ok    turns", "ok    stop", "ok    garbage", "ok    eof", "All checks passed.")
	out, stderr, status := kiothi(t, "", "check", "--engine", "kiothi trace --batch", "--game", "rio-kadalis", "--timeout", "1s")
	if status != statusFailure || !strings.Contains(out, "FAIL  starts") || !strings.Contains(stderr, "of the checks failed") {
		t.Errorf("what is no engine: status %d, %s%s", status, out, stderr)
	}
	if out := succeed(t, "", "evaluate", "engine:kiothi engine --agent greedy,timeout=1m", "random", "--games", "10", "--progress", "none"); !strings.Contains(out, "10 games") {
		t.Errorf("a match of an engine prints %s", out)
	}
	if out := succeed(t, "", "play", "--agent", "engine:kiothi engine,movetime=20ms,timeout=1m", "--agent", "random", "--game", "rio-kadalis"); !strings.Contains(out, "South plays") {
		t.Errorf("a game of an engine prints %s", out)
	}
}

// A program that asks may go away at any time, with or without its end of the pipes.
func TestEngineEndsWhenItsReaderHasGone(t *testing.T) {
	cmd := program(t, "engine", "--agent", "alphabeta:depth=60")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("isready\n")); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "readyok\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	out.Close()
	if _, err := in.Write([]byte("go infinite\nugi\nugi\n")); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != statusFailure {
		t.Errorf("the program ended with %v, want status %d", err, statusFailure)
	}
}
