package enginecheck

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/engine/server"
	"kiothi/agent/scripted"
	"kiothi/env/child/childtest"
	"kiothi/env/conformance"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// asEngine is the variable that makes the test's own program one of the engines.
const asEngine = "KIOTHI_TEST_AS_ENGINE"

func TestMain(m *testing.M) {
	if name := os.Getenv(asEngine); name != "" {
		os.Exit(engines[name]())
	}
	os.Exit(m.Run())
}

// A change is what a faulty engine does to the lines that it reads and writes, each of which it may drop. A right one
// changes none.
type change struct {
	reads  func(line string) (string, bool)
	writes func(line string) (string, bool)
	exit   int
	stays  bool   // after the end
	only   string // the one game that its agents play; empty: all
}

func (c change) run() int {
	in, write := io.Pipe()
	read, out := io.Pipe()
	done := make(chan bool)
	go func() {
		for scanner := bufio.NewScanner(read); scanner.Scan(); {
			line, ok := scanner.Text(), true
			if c.writes != nil {
				line, ok = c.writes(line)
			}
			if ok {
				fmt.Println(line)
			}
		}
		close(done)
	}()
	go func() {
		lines := bufio.NewReader(os.Stdin)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				write.Close()
				return
			}
			ok := true
			if c.reads != nil {
				line, ok = c.reads(line)
			}
			if ok {
				io.WriteString(write, line)
			}
		}
	}()
	kinds := scripted.Kinds()
	if c.only != "" {
		for i, kind := range kinds {
			kinds[i].New = func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
				if g.Name() != c.only {
					return nil, errors.New("it is for " + c.only)
				}
				return kind.New(g, spec)
			}
		}
	}
	server.Serve(context.Background(), in, out, server.Options{Name: "test", Kinds: kinds, Agent: "greedy", Game: "kiothi", Threads: 1})
	out.Close()
	<-done
	if c.stays {
		time.Sleep(time.Hour)
	}
	return c.exit
}

// writes is an engine that writes one text in place of another, which begins a line.
func writes(old, with string) func() int {
	return change{writes: func(line string) (string, bool) {
		if strings.HasPrefix(line, old) {
			return with, with != ""
		}
		return line, true
	}}.run
}

// reads is an engine that takes one text, which begins a line, for another.
func reads(old, with string) func() int {
	return change{reads: func(line string) (string, bool) {
		if strings.HasPrefix(line, old) {
			return with + "\n", with != ""
		}
		return line, true
	}}.run
}

// impatient is an engine that takes go infinite for go, and reads nothing more before it has answered.
func impatient() int {
	answered, asked := make(chan bool, 1), false
	return change{
		reads: func(line string) (string, bool) {
			if asked {
				<-answered
			}
			if asked = strings.HasPrefix(line, "go infinite"); asked {
				line = "go\n"
			}
			return line, true
		},
		writes: func(line string) (string, bool) {
			if strings.HasPrefix(line, "bestmove") {
				select {
				case answered <- true:
				default:
				}
			}
			return line, true
		},
	}.run()
}

var engines = map[string]func() int{
	"right":            change{}.run,
	"of one game":      change{only: "kiothi"}.run,
	"nameless":         writes("id author", ""),
	"without Rules":    writes("option name Rules", ""),
	"a wrong option":   writes("option name Threads", "option name Threads type number default 1"),
	"always one move":  writes("bestmove", "bestmove e3"),
	"forgets the rest": writes("bestmove +", "bestmove >a"),
	"knows no sims":    reads("go sims", "ponder"),
	"slow": change{writes: func(line string) (string, bool) {
		if strings.HasPrefix(line, "bestmove") {
			time.Sleep(150 * time.Millisecond)
		}
		return line, true
	}}.run,
	"deaf":               reads("isready", "stop"),
	"impatient":          impatient,
	"never stops":        reads("stop", ""),
	"confuses players":   writes("response true", "response false"),
	"wants no end":       writes("bestmove none", "bestmove a"),
	"dies of a new game": reads("uginewgame", "quit"),
	"dies of nonsense":   reads("nonsense", "quit"),
	"old positions":      reads("position nowhere", "position startpos"),
	"ends badly":         change{exit: 3}.run,
	"stays":              change{stays: true}.run,
	"mute": func() int {
		time.Sleep(time.Hour)
		return 0
	},
}

// sets are the smallest that have an opening turn and none.
var sets = []conformance.Set{{Game: "kiothi", Rules: "mancala-world"}, {Game: "rio-kadalis", Rules: "standard"}}

func options(t *testing.T, name string) Options {
	t.Helper()
	if _, ok := engines[name]; !ok {
		t.Fatalf("there is no engine %q", name)
	}
	path := childtest.Itself(t, asEngine, name)
	return Options{Command: []string{path}, Text: "fake", Sets: sets, Seed: 1, Games: 1, Timeout: time.Minute}
}

// patient returns a checker for which no machine is too slow.
func patient(t *testing.T, o Options) *checker {
	t.Helper()
	c, err := newChecker(o)
	if err != nil {
		t.Fatal(err)
	}
	c.slack, c.endTime = time.Minute, time.Minute
	return c
}

func TestARightEnginePasses(t *testing.T) {
	report, err := patient(t, options(t, "right")).all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if !r.Passed() || r.Trials == 0 {
			t.Errorf("%s: tried %d times; %v", r.Name, r.Trials, r.Failures)
		}
	}
	if len(report.Results) != len(checks) {
		t.Errorf("%d checks were run, want %d", len(report.Results), len(checks))
	}
}

// What an engine complains about when it is to play it is left out, unless it was asked for.
func TestAnEngineOfOneGamePassesWhereOthersAreOptional(t *testing.T) {
	o := options(t, "of one game")
	o.Optional = true
	c := patient(t, o)
	for _, k := range checks {
		if k.name == "options" || k.name == "turns" {
			if result := c.check(t.Context(), k); len(result.Failures) > 0 {
				t.Errorf("%s: %v", k.name, result.Failures)
			}
		}
	}
	if len(c.games) != 1 || c.games[0].Name() != "kiothi" {
		t.Errorf("%d games are checked, want kiothi alone", len(c.games))
	}
	o.Sets = o.Sets[1:]
	c = patient(t, o)
	for _, k := range checks {
		if k.name == "options" && len(c.check(t.Context(), k).Failures) == 0 {
			t.Error("an engine that plays nothing of what is to be checked passes")
		}
	}
}

func TestEachFaultIsFound(t *testing.T) {
	for _, c := range []struct {
		engine, check string
		want          []string // words of the failure
	}{
		{"nameless", "starts", []string{`"id author "`}},
		{"without Rules", "options", []string{"an option Rules"}},
		{"of one game", "options", []string{"to play rio-kadalis standard"}},
		{"a wrong option", "options", []string{`unknown type "number"`, "ugi"}},
		{"always one move", "turns", []string{"bestmove e3", "position startpos", "(printf 'ugi"}},
		{"forgets the rest", "rest", []string{"bestmove >a", "lift(5):f"}},
		{"knows no sims", "limits", []string{"no bestmove", "nothing came for"}},
		{"slow", "movetime", []string{"a bestmove within 60ms", "at the third try"}},
		{"deaf", "thinking", []string{"no readyok", "nothing came for"}},
		{"impatient", "thinking", []string{"no bestmove between go infinite and stop"}},
		{"never stops", "stop", []string{"no bestmove", "nothing came for"}},
		{"confuses players", "query", []string{"response true", "response false"}},
		{"wants no end", "over", []string{"bestmove none, because the game is over", "bestmove a"}},
		{"dies of a new game", "newgame", []string{"exit status 0"}},
		{"dies of nonsense", "garbage", []string{`after "nonsense"`, "exit status 0"}},
		{"old positions", "refused", []string{"bestmove none, because the last position was refused"}},
		{"ends badly", "quit", []string{"exit status 0 after quit", "3"}},
		{"stays", "eof", []string{"an end within", "it goes on"}},
		{"mute", "starts", []string{"no ugiok", "nothing came for"}},
	} {
		t.Run(c.engine, func(t *testing.T) {
			o := options(t, c.engine)
			if slices.Contains(c.want, "nothing came for") {
				o.Timeout = time.Second
			}
			for { // a busy machine may be late for something else: with ever more time, at last only what never comes is missing
				checker := patient(t, o)
				switch c.engine {
				case "slow":
					checker.slack = 50 * time.Millisecond
				case "stays":
					checker.endTime = time.Second
				}
				result := checker.check(t.Context(), checks[slices.IndexFunc(checks, func(k check) bool { return k.name == c.check })])
				if result.Passed() {
					t.Fatal("the check passed")
				}
				text := result.Failures[0].String()
				lacking := slices.DeleteFunc(slices.Clone(c.want), func(want string) bool { return strings.Contains(text, want) })
				if len(lacking) == 0 {
					return
				}
				if o.Timeout *= 4; o.Timeout > 5*time.Minute {
					t.Fatalf("the failure says nothing of %q:\n%s", lacking, text)
				}
			}
		})
	}
}

func TestAProgramThatCannotBeStartedFailsOnce(t *testing.T) {
	report, err := Check(t.Context(), Options{Command: []string{"no-such-program-here"}, Text: "no-such-program-here", Sets: sets, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if report.Failed() != 1 || !strings.Contains(report.Results[0].Failures[0].Found, "no-such-program-here") {
		t.Errorf("%d checks failed; %v", report.Failed(), report.Results[0].Failures)
	}
}

func TestGamesThatAreNotOfferedAreLeftOutOrMissed(t *testing.T) {
	o := options(t, "right")
	o.Sets = []conformance.Set{{Game: "rio-kadalis", Rules: "standard"}}
	c, err := newChecker(o)
	if err != nil {
		t.Fatal(err)
	}
	kiothi, err := games.Open("kiothi", "")
	if err != nil {
		t.Fatal(err)
	}
	r := &run{checker: c, ctx: t.Context()}
	offers := []protocol.Option{{Name: "Game", Type: protocol.Combo, Vars: []string{"rio-kadalis"}}, {Name: "Rules", Type: protocol.String}}
	if err := r.offered(offers, c.games[0]); err != nil {
		t.Error(err)
	}
	if err := r.offered(offers, kiothi); err == nil {
		t.Error("kiothi is taken for offered")
	}
}

func TestCheckStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := Check(ctx, options(t, "mute")); err != context.DeadlineExceeded {
		t.Errorf("the error is %v, want that of the context", err)
	}
}

func TestAWrongSetIsAnError(t *testing.T) {
	if _, err := Check(t.Context(), Options{Command: []string{"x"}, Sets: []conformance.Set{{Game: "chess"}}}); err == nil {
		t.Error("no error for chess")
	}
}

// TestTheExampleKeepsTheProtocol runs the engine that the page shows to newcomers.
func TestTheExampleKeepsTheProtocol(t *testing.T) {
	// What is called python3 may be a script that looks for the interpreter, which takes its time.
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skipf("there is no python3: %v", err)
	}
	report, err := patient(t, Options{
		Command: []string{strings.TrimSpace(string(python)), filepath.Join("..", "examples", "random_player.py")}, Text: "python3 random_player.py", Optional: true,
		Sets: append(sets, conformance.Set{Game: "rio-kadalis", Rules: "five-holes"}), Seed: 3, Games: 1, Timeout: time.Minute,
	}).all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range report.Results {
		if !r.Passed() {
			t.Errorf("%s: %v", r.Name, r.Failures)
		}
	}
	if len(report.Results) != len(checks)-1 {
		t.Errorf("%d checks were run, want all but the one about opening turns, %d", len(report.Results), len(checks)-1)
	}
}
