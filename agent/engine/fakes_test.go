package engine_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"kiothi/agent/engine/server"
	"kiothi/agent/scripted"
)

// This file is engines that behave badly, each in its way. The test's own program is all of them: it plays the one that
// its first argument names.

// pidFile is the variable that names the file to which each engine adds its process number.
const pidFile = "KIOTHI_TEST_PIDS"

func TestMain(m *testing.M) {
	if path := os.Getenv(pidFile); path != "" && len(os.Args) > 1 {
		if f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
			fmt.Fprintln(f, os.Getpid())
			f.Close()
		}
		fake, ok := fakes[os.Args[1]]
		if !ok {
			fmt.Fprintf(os.Stderr, "there is no engine %q\n", os.Args[1])
			os.Exit(99)
		}
		os.Exit(fake())
	}
	os.Exit(m.Run())
}

// answers is an engine that gets each line and what a right engine with the agent greedy answers to it; the right answer is
// nil to go. It is told in what other way to answer, or nil for the right one, and ends when it says so.
func answering(change func(line string, say func(string)) (handled bool)) func() int {
	return func() int {
		in, write := io.Pipe()
		done := make(chan error)
		go func() {
			done <- server.Serve(context.Background(), in, os.Stdout, server.Options{Name: "fake", Kinds: scripted.Kinds(), Agent: "greedy", Game: "kiothi", Threads: 1})
		}()
		say := func(text string) { fmt.Println(text) }
		scanner := bufio.NewScanner(os.Stdin)
		for scanner.Scan() {
			if change == nil || !change(scanner.Text(), say) {
				io.WriteString(write, scanner.Text()+"\n")
			}
		}
		write.Close()
		<-done
		return 0
	}
}

// atGo is an engine that does something of its own when it is to think.
func atGo(f func(say func(string))) func() int {
	return answering(func(line string, say func(string)) bool {
		if strings.HasPrefix(line, "go") {
			f(say)
			return true
		}
		return false
	})
}

// says is an engine that answers go by a line.
func says(text string) func() int { return atGo(func(say func(string)) { say(text) }) }

// at is an engine that answers one command by lines of its own.
func at(command string, lines ...string) func() int {
	return answering(func(line string, say func(string)) bool {
		if line == command {
			say(strings.Join(lines, "\n"))
		}
		return line == command
	})
}

func sleep() { time.Sleep(time.Hour) }

// thinking ends the name of the file, beside that of the process numbers, to which engines that may be stopped add a line when
// they begin to think.
const thinking = ".thinking"

// think notes that an engine thinks.
func think() {
	if f, err := os.OpenFile(os.Getenv(pidFile)+thinking, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err == nil {
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
}

func silent() int {
	sleep()
	return 0
}

var fakes = map[string]func() int{
	"right":  answering(nil),
	"silent": silent,
	"slow": atGo(func(func(string)) {
		think()
		sleep()
	}),
	"crashes at start": func() int {
		fmt.Fprintln(os.Stderr, "no licence\nfound")
		return 3
	},
	"crashes in the middle": atGo(func(func(string)) {
		fmt.Fprintln(os.Stderr, "panic: index out of range")
		os.Exit(4)
	}),
	"closes its output": atGo(func(func(string)) {
		os.Stdout.Close()
		sleep()
	}),
	"illegal":      says("bestmove e55"),
	"no move":      atGo(func(say func(string)) { say("info string error: I have lost my book\nbestmove none") }),
	"garbage":      says("bestmove \x00\xff zz99 ((("),
	"half a turn":  says("bestmove +f"),
	"two turns":    says("bestmove fh:a3c2J5 FH:A3C2j5"),
	"empty answer": says("bestmove"),
	"floods": atGo(func(say func(string)) {
		for {
			say("info depth 1 nodes 5 pv a1")
		}
	}),
	"a line without an end": atGo(func(func(string)) {
		chunk := strings.Repeat("x", 1<<16)
		for {
			if _, err := os.Stdout.WriteString(chunk); err != nil {
				sleep()
			}
		}
	}),
	"reads nothing more": atGo(func(say func(string)) {
		say("bestmove fh:a3c2J5")
		sleep()
	}),
	"another version": at("ugi", "id name x", "id author x", "protocol 2", "ugiok"),
	"another game":    at("ugi", "id name x", "id author x", "protocol 1", "option name Game type combo default chess var chess", "option name Rules type string default x", "ugiok"),
	"no options":      at("ugi", "id name x", "id author x", "protocol 1", "ugiok"),
	"complains":       at("isready", "info string error: there is no file weights.bin", "readyok"),
	"never ready":     at("isready"),
	"ignores quit and signals": func() int {
		signal.Ignore(os.Interrupt, syscall.SIGTERM)
		answering(nil)()
		sleep()
		return 0
	},
	"starts a child": func() int {
		path, err := os.Executable()
		if err != nil {
			return 1
		}
		child := exec.Command(path, "silent")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr // and so holds them open
		if child.Start() != nil {
			return 1
		}
		return answering(nil)()
	},
	"leaves a child and dies": func() int {
		path, err := os.Executable()
		if err != nil {
			return 1
		}
		child := exec.Command(path, "silent")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil {
			return 1
		}
		return atGo(func(func(string)) { os.Exit(5) })()
	},
	"talks without being asked": answering(func(line string, say func(string)) bool {
		if line == "uginewgame" || strings.HasPrefix(line, "position") {
			say("bestmove e55\nbestmove a1\nwelcome\n\ninfo string hello")
		}
		return false
	}),
	"says what it counts": atGo(func(say func(string)) {
		say("info depth 1 nodes 10 time 0\ninfo depth 2 nodes 500 sims 7 time 1\ninfo string done\nbestmove fh:a3c2J5")
	}),
	"obeys stop": answering(func(line string, say func(string)) bool {
		if line == "stop" {
			say("bestmove fh:a3c2J5")
		}
		thinks := strings.HasPrefix(line, "go")
		if thinks {
			think()
		}
		return line == "stop" || thinks
	}),
	"echoes options": answering(func(line string, say func(string)) bool {
		if strings.HasPrefix(line, "setoption") {
			fmt.Fprintln(os.Stderr, line)
		}
		if strings.HasPrefix(line, "go") {
			fmt.Fprintln(os.Stderr, line)
			os.Exit(6)
		}
		return false
	}),
}
