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
		// It may take a moment until the system has cleaned up.
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
			left = nil
			for _, pid := range pids() {
				if childtest.Alive(pid) {
					left = append(left, pid)
				}
			}
			if goroutines = runtime.NumGoroutine(); len(left) == 0 && goroutines <= before {
				return
			}
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
	c := engine.Config{Command: []string{path, name}, Timeout: time.Minute}
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
	if lacking := unsaid(err, words...); len(lacking) > 0 {
		t.Errorf("the error says nothing of %q:\n%v", lacking, err)
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("the error of the engine passes for one of the context: %v", err)
	}
}

// unsaid returns the words that an error lacks, for which any white space is as good as another.
func unsaid(err error, words ...string) (lacking []string) {
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, want := range words {
		if !strings.Contains(text, want) {
			lacking = append(lacking, want)
		}
	}
	return lacking
}

func TestAnEngineThatIsLateIsAnError(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "")
	var all sync.WaitGroup
	for name, want := range map[string][]string{ // at once, because each takes the whole of its time
		"silent":             {"no ugiok after ugi"},
		"slow":               {`no bestmove after "go"`, `position "0,0,0,0,5`},
		"floods":             {`no bestmove after "go"`},
		"never ready":        {"no readyok after isready"},
		"reads nothing more": {"no readyok after isready", `position "0,0,0,0,5`}, // after a first answer
	} {
		all.Go(func() {
			// On a busy machine, everything may be late. With ever more time, at last only what never comes is.
			for timeout := time.Second; ; timeout *= 4 {
				e := fake(t, g, name, func(c *engine.Config) { c.Timeout = timeout })
				_, err := choose(t, g, e)
				if name == "reads nothing more" && err == nil {
					_, err = choose(t, g, e)
				}
				want := append(want[:len(want):len(want)], fmt.Sprintf("nothing came for %v", timeout))
				if timeout > time.Minute || err == nil || len(unsaid(err, want...)) == 0 {
					saysAll(t, err, want...)
					return
				}
			}
		})
	}
	all.Wait()
}

func TestAnEngineThatClosesItsOutputIsAnError(t *testing.T) {
	watch(t)
	g := open(t, "kiothi", "")
	_, err := choose(t, g, fake(t, g, "closes its output", nil))
	saysAll(t, err, "closed its output")
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
			giveUp := func(thoughts int) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				asked := make(chan error, 1)
				go func() {
					_, err := e.Choose(ctx, &s, source(1))
					asked <- err
				}()
				for text := ""; strings.Count(text, "\n") < thoughts; time.Sleep(time.Millisecond) {
					content, err := os.ReadFile(os.Getenv(pidFile) + thinking)
					if err != nil && !errors.Is(err, os.ErrNotExist) {
						t.Fatal(err)
					}
					text = string(content)
					select {
					case err := <-asked:
						t.Fatalf("the question ended before the engine thought: %v", err)
					default:
					}
				}
				cancel()
				if err := <-asked; !errors.Is(err, context.Canceled) {
					t.Errorf("the error is %v, want that of the context", err)
				}
			}
			// One that obeys a stop is asked again. It may be too late for that now and then, on a busy machine; not always.
			questions := 2
			for giveUp(1); ; questions++ {
				before := started()
				giveUp(questions)
				if reused := started() == before; reused && !again {
					t.Fatal("an engine that did not stop is asked again")
				} else if reused || !again {
					break
				}
				if questions == 30 {
					t.Fatal("an engine that stops when it is told is never asked again")
				}
			}
			ctx, cancel := context.WithDeadline(t.Context(), time.Now())
			defer cancel()
			if _, err := e.Choose(ctx, &s, source(1)); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the error is %v, want that of the context", err)
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
		{Option: "timeout", Value: "1m"}, {Option: "movetime", Value: "70ms"}, {Option: "depth", Value: "3"}, {Option: "set", Value: "Threads=3;Agent=random"},
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
	spec.Settings = []agent.Setting{{Option: "timeout", Value: "1m"}, {Option: "set", Value: "Hash=3"}}
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
