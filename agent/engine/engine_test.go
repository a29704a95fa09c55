package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/engine/server"
	"kiothi/agent/scripted"
	"kiothi/env/child/childtest"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var open = gamestest.Open

// watch has all engines note their process numbers. When the test has ended, none of them may be left, nor any goroutine.
func watch(t *testing.T) (started func() int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pids")
	t.Setenv(pidFile, path)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // else each process of a test with the race detector sleeps a second at its end
	before := runtime.NumGoroutine()
	pids := func() []int {
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		var all []int
		for word := range strings.FieldsSeq(string(text)) {
			pid, err := strconv.Atoi(word)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, pid)
		}
		return all
	}
	t.Cleanup(func() {
		var left []int
		goroutines := 0
		for range 200 { // it may take a moment until the system has cleaned up
			left = nil
			for _, pid := range pids() {
				if childtest.Alive(pid) {
					left = append(left, pid)
				}
			}
			if goroutines = runtime.NumGoroutine(); len(left) == 0 && goroutines <= before {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Errorf("left are the processes %v, and %d goroutines of %d before", left, goroutines, before)
	})
	return func() int { return len(pids()) }
}

// fake returns one of the engines, and has it closed at the end of the test.
func fake(t *testing.T, g mancala.Game, name string, change func(*engine.Config)) *engine.Engine {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := engine.Config{Command: []string{path, name}}
	if change != nil {
		change(&c)
	}
	e, err := engine.New(g, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func quickly(c *engine.Config) { c.Timeout = 2 * time.Second }

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// choose asks for the first action of a game.
func choose(t *testing.T, g mancala.Game, a agent.Agent) (mancala.Action, error) {
	t.Helper()
	s := g.Start()
	return a.Choose(t.Context(), &s, source(1))
}

func TestWhatAnEngineDoesWrongIsAnErrorThatSaysSo(t *testing.T) {
	g := open(t, "kiothi", "")
	for name, want := range map[string][]string{
		"crashes at start":      {"exit status 3", "no licence found"},
		"crashes in the middle": {`no bestmove after "go"`, "closed its output", "exit status 4", "index out of range"},
		"illegal":               {`bestmove "e55"`, "nothing is sown before", `position "0,0,0,0,5`},
		"no move":               {`bestmove "none"`, "it complained: I have lost my book"},
		"garbage":               {"bestmove", `zz99`},
		"half a turn":           {`bestmove "+f"`, "expected a whole turn"},
		"two turns":             {"expected one turn"},
		"empty answer":          {"found nothing"},
		"a line without an end": {"a line is longer than"},
		"another version":       {"speaks version 2 of the protocol, expected 1"},
		"another game":          {`unknown value "kiothi". Valid values: chess`},
		"no options":            {"offers no option Game"},
		"complains":             {"there is no file weights.bin"},
	} {
		t.Run(name, func(t *testing.T) {
			started := watch(t)
			e := fake(t, g, name, nil)
			for _, a := range []agent.Agent{e, e.Start()} {
				_, err := choose(t, g, a)
				if err == nil {
					t.Fatal("no error")
				}
				saysAll(t, err, append(want, `engine "`)...)
			}
			if n := started(); n != 2 {
				t.Errorf("%d processes were started for two questions that failed, want one each", n)
			}
		})
	}
}

// saysAll fails the test when an error lacks some words.
func saysAll(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, want := range words {
		if !strings.Contains(text, want) {
			t.Errorf("the error says nothing of %q:\n%s", want, text)
		}
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("the error of the engine passes for one of the context: %v", err)
	}
}

func TestAnEngineThatIsLateIsAnError(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "")
	var all sync.WaitGroup
	for name, want := range map[string][]string{ // at once, because each takes the whole of its time
		"silent":            {"no ugiok after ugi", "nothing came for 2s"},
		"slow":              {`no bestmove after "go"`, "nothing came for 2s", `position "0,0,0,0,5`},
		"floods":            {`no bestmove after "go"`, "nothing came for 2s"},
		"closes its output": {"closed its output"},
		"never ready":       {"no readyok after isready", "nothing came for 2s"},
	} {
		e := fake(t, g, name, quickly)
		all.Go(func() {
			_, err := choose(t, g, e)
			saysAll(t, err, want...)
		})
	}
	e := fake(t, g, "reads nothing more", quickly)
	all.Go(func() {
		if _, err := choose(t, g, e); err != nil {
			t.Error(err)
		}
		_, err := choose(t, g, e)
		saysAll(t, err, "nothing came for 2s")
	})
	all.Wait()
}

func TestNothingIsLeftOfAnEngine(t *testing.T) {
	g := open(t, "kiothi", "")
	for _, name := range []string{"right", "ignores quit and signals", "starts a child", "leaves a child and dies", "talks without being asked"} {
		t.Run(name, func(t *testing.T) {
			watch(t)
			e := fake(t, g, name, nil)
			_, err := choose(t, g, e)
			if dies := name == "leaves a child and dies"; (err != nil) != dies {
				t.Errorf("the answer is %v", err)
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
			if _, err := choose(t, g, e); err == nil {
				t.Error("a closed engine answers")
			}
		})
	}
}

// wanted answers as the agent inside the engine does: from the generators that the page of the protocol states.
func wanted(t *testing.T, g mancala.Game, a agent.Agent, s mancala.State, rng *rand.Rand) []mancala.Action {
	t.Helper()
	seed := rng.Uint64() % (server.MaxSeed + 1)
	var turn []mancala.Action
	for mover := s.Player; !protocol.TurnDone(&s, mover); {
		action, err := a.Choose(t.Context(), &s, server.Rand(seed, len(turn)))
		if err == nil {
			_, err = g.Play(&s, action)
		}
		if err != nil {
			t.Fatal(err)
		}
		turn = append(turn, action)
	}
	return turn
}

func TestGreedyAsAnEngineIsGreedy(t *testing.T) {
	for _, c := range [][2]string{{"kiothi", ""}, {"kiothi", "wikipedia-it"}, {"rio-kadalis", ""}, {"rio-kadalis", "five-holes"}} {
		g := open(t, c[0], c[1])
		t.Run(g.Name()+" "+g.Rules(), func(t *testing.T) {
			started := watch(t)
			e := fake(t, g, "right", nil)
			greedy := scripted.Greedy{Game: g}
			for game := range uint64(2) {
				player := e.Start()
				turns := 0
				for s := g.Start(); !s.Over() && turns < 60; turns++ {
					seed := 1000*game + uint64(turns)
					want := wanted(t, g, greedy, s, source(seed))
					// One that remembers no game asks anew for each action, and so gets other chance for all but the first.
					first, err := e.Choose(t.Context(), &s, source(seed))
					if err != nil || first != want[0] {
						t.Fatalf("without a game, %s is answered by %s, %v; want %s", g.Format(&s), g.ActionText(&s, first), err, g.ActionText(&s, want[0]))
					}
					before, rng := s, source(seed)
					for i := range want {
						a, err := player.Choose(t.Context(), &s, rng)
						if err != nil {
							t.Fatal(err)
						}
						if a != want[i] {
							t.Fatalf("in %s, action %d is %s, want the turn %s", g.Format(&before), i, g.ActionText(&s, a), g.TurnText(&before, want))
						}
						if _, err := g.Play(&s, a); err != nil {
							t.Fatal(err)
						}
					}
					if used, alone := rng.Uint64(), source(seed); alone.Uint64() == 0 || used != alone.Uint64() {
						t.Fatal("a turn draws more than one seed")
					}
				}
				if err := player.(io.Closer).Close(); err != nil {
					t.Error(err)
				}
			}
			if n := started(); n > 2 {
				t.Errorf("%d processes were started, want one for the game and one for the questions without", n)
			}
		})
	}
}

func TestAPlayerFindsItsWayWithinAnOpening(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "")
	e := fake(t, g, "right", nil)
	s := g.Start()
	for _, text := range []string{"+e", "+h", ">a", ">c"} { // somebody else has played these
		actions, err := g.ParseTurn(&s, text)
		if err == nil {
			_, err = g.Play(&s, actions[0])
		}
		if err != nil {
			t.Fatal(err)
		}
		player := e.Start()
		at := s
		for at.Player == s.Player {
			a, err := player.Choose(t.Context(), &at, source(3))
			if err == nil {
				_, err = g.Play(&at, a)
			}
			if err != nil {
				t.Fatalf("after %s: %v", text, err)
			}
		}
		// Another position than the one that the player expects: it asks anew.
		start := g.Start()
		if a, err := player.Choose(t.Context(), &start, source(4)); err != nil {
			t.Error(err)
		} else if _, err := g.Play(&start, a); err != nil {
			t.Error(err)
		}
	}
}

func TestAsManyProcessesRunAsThereAreGamesUpToTheBound(t *testing.T) {
	g := open(t, "rio-kadalis", "")
	for _, c := range []struct{ processes, games, want int }{{16, 1, 1}, {16, 5, 5}, {2, 5, 2}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			started := watch(t)
			e := fake(t, g, "right", func(o *engine.Config) { o.Processes = c.processes })
			for range 2 { // the games of the second round use the processes of the first
				var all sync.WaitGroup
				ready := make(chan struct{})
				for game := range c.games {
					player := e.Start()
					all.Go(func() {
						defer player.(io.Closer).Close()
						for s := g.Start(); !s.Over(); {
							a, err := player.Choose(t.Context(), &s, source(uint64(game)))
							if err == nil {
								_, err = g.Play(&s, a)
							}
							if err != nil {
								t.Error(err)
								return
							}
							if game == 0 && c.games > 1 {
								select { // all have begun before the first ends
								case <-ready:
								case <-time.After(time.Millisecond):
								}
							}
						}
					})
				}
				close(ready)
				all.Wait()
			}
			if n := started(); n > c.want || n == 0 {
				t.Errorf("%d processes were started, want at most %d", n, c.want)
			}
		})
	}
}

func TestACallerThatGivesUpGetsItsOwnError(t *testing.T) {
	g := open(t, "kiothi", "")
	for name, again := range map[string]bool{"slow": false, "obeys stop": true} {
		t.Run(name, func(t *testing.T) {
			started := watch(t)
			e := fake(t, g, name, nil)
			s := g.Start()
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
				_, err := e.Choose(ctx, &s, source(1))
				cancel()
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("the error is %v, want that of the context", err)
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := e.Choose(ctx, &s, source(1)); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v, want that of the context", err)
			}
			if n := started(); (n == 1) != again {
				t.Errorf("%d processes were started; does the engine stop when it is told: %v", n, again)
			}
		})
	}
}

func TestWhatAnEngineCountsIsEffort(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "")
	e := fake(t, g, "says what it counts", nil)
	effort := new(agent.Effort)
	s := g.Start()
	for range 2 {
		if _, err := e.Choose(agent.WithEffort(t.Context(), effort), &s, source(1)); err != nil {
			t.Fatal(err)
		}
	}
	if effort.Nodes.Load() != 1000 || effort.Simulations.Load() != 14 {
		t.Errorf("the effort is %d nodes and %d simulations, want twice those of the last info", effort.Nodes.Load(), effort.Simulations.Load())
	}
}

func TestASpecSaysWhatTheEngineIsTold(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "mancala-world,lifts=1")
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	spec := agent.Spec{Name: "engine", Argument: `"` + path + `" 'echoes options'`, Settings: []agent.Setting{
		{Option: "movetime", Value: "70ms"}, {Option: "depth", Value: "3"}, {Option: "set", Value: "Threads=3;Agent=random"},
	}}
	a, err := engine.Kinds().Open(g, spec.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.(io.Closer).Close() })
	_, err = choose(t, g, a)
	if err == nil {
		t.Fatal("no error")
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, want := range []string{"setoption name Game value kiothi setoption name Rules value mancala-world,lifts=1 setoption name Threads value 3 setoption name Agent value random", "setoption name Seed value", "go movetime 70 depth 3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the engine was not told %q:\n%s", want, text)
		}
	}
	spec.Settings = []agent.Setting{{Option: "set", Value: "Hash=3"}}
	if a, err = engine.Kinds().Open(g, spec.String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.(io.Closer).Close() })
	if _, err = choose(t, g, a); err == nil || !strings.Contains(err.Error(), "offers no option Hash, only: Game, Rules") {
		t.Errorf("an option that is not offered: %v", err)
	}
}

func TestACommandThatIsNotThereIsAnErrorAtOnce(t *testing.T) {
	if _, err := engine.Kinds().Open(open(t, "kiothi", ""), "engine:no-such-program-here --fast"); err == nil || !strings.Contains(err.Error(), "no-such-program-here") {
		t.Errorf("the error is %v", err)
	}
}
