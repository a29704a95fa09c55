package conformance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kiothi/env/child/childtest"
	"kiothi/env/games"
	"kiothi/env/trace"
)

// asEngine is the variable that makes the test binary an engine, with the fault that its value names.
const asEngine = "KIOTHI_TEST_AS_ENGINE"

func TestMain(m *testing.M) {
	if name, ok := os.LookupEnv(asEngine); ok {
		os.Exit(engines[name]())
	}
	os.Exit(m.Run())
}

// engines are programs that answer games, right ones and ones with a fault each. They return their exit status.
var engines = map[string]func() int{
	"right":    func() int { return answer(os.Stdout, nil) },
	"buffered": buffered,

	"counts from 1":     changes(func(s map[string]any) { s["ply"] = s["ply"].(float64) + 1 }),
	"forgets the clock": changes(func(s map[string]any) { s["position"] = clockless(s["position"].(string)) }),
	"players by name":   changes(func(s map[string]any) { s["player"] = []string{"S", "N"}[int(s["player"].(float64))] }),
	"an action lacks": changes(func(s map[string]any) {
		if legal := s["legal"].([]any); len(legal) > 2 {
			s["legal"] = legal[1:]
		}
	}),
	"legal is null": changes(func(s map[string]any) {
		if len(s["legal"].([]any)) == 0 {
			s["legal"] = nil
		}
	}),
	"legal descends": changes(func(s map[string]any) {
		if legal := s["legal"].([]any); len(legal) > 1 {
			legal[0], legal[1] = legal[1], legal[0]
		}
	}),
	"never over":       changes(func(s map[string]any) { s["over"] = false }),
	"no reason":        changes(func(s map[string]any) { s["reason"] = "" }),
	"stores unswept":   changes(func(s map[string]any) { s["stores"] = storesOf(s["position"].(string)) }),
	"laps from 0":      changes(func(s map[string]any) { s["laps"] = max(s["laps"].(float64)-1, 0) }),
	"nothing captured": changes(func(s map[string]any) { s["captured"] = []int{0, 0} }),
	"never cut":        changes(func(s map[string]any) { s["cut"] = false }),
	"a field lacks":    changes(func(s map[string]any) { delete(s, "cut") }),
	"a field too many": changes(func(s map[string]any) { s["turn"] = 1 }),
	"whole decimals":   replaces(`"laps":1,`, `"laps":1.0,`),
	"the last state lacks": answers(func(line []byte) []byte {
		var states []any
		if json.Unmarshal(line, &states) != nil {
			return line
		}
		return []byte(text(states[:len(states)-1]))
	}),
	"no JSON":          answers(func([]byte) []byte { return []byte("state: fine") }),
	"errors as states": answers(func(line []byte) []byte { return bytes.Replace(line, []byte(`{"error"`), []byte(`{"no error"`), 1) }),
	"errors at ply 0":  errorsAtPly(0),
	"errors at ply 1":  errorsAtPly(1),
	"two answers":      answers(func(line []byte) []byte { return append(append(bytes.Clone(line), '\n'), line...) }),
	"always succeeds": func() int {
		answer(os.Stdout, nil)
		return 0
	},
	"always fails": func() int {
		answer(os.Stdout, nil)
		return 1
	},
	"dies of nonsense": func() int {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			if !json.Valid(in.Bytes()) {
				fmt.Fprintln(os.Stderr, "panic: what is this?")
				return 3
			}
			trace.Batch(strings.NewReader(in.Text()), os.Stdout, games.Open)
		}
		return 0
	},
	"dies of bytes": func() int {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			if !utf8.Valid(in.Bytes()) {
				return 4
			}
			trace.Batch(strings.NewReader(in.Text()), os.Stdout, games.Open)
		}
		return 0
	},
	"stops half-way": func() int {
		in := bufio.NewReader(os.Stdin)
		for range 10 {
			line, _ := in.ReadString('\n')
			trace.Batch(strings.NewReader(line), os.Stdout, games.Open)
		}
		return 0
	},
	"says nothing": func() int {
		time.Sleep(time.Hour)
		return 0
	},
	"reads nothing and never ends": func() int {
		os.Stdout.Close()
		time.Sleep(time.Hour)
		return 0
	},
	"leaves a child behind": func() int {
		path, err := os.Executable()
		if err != nil {
			return 1
		}
		child := exec.Command(path)
		child.Env = append(os.Environ(), asEngine+"=says nothing")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr // and so holds them open
		if child.Start() != nil {
			return 1
		}
		os.WriteFile(os.Getenv(childFile), []byte(strconv.Itoa(child.Process.Pid)), 0o666)
		return answer(os.Stdout, nil)
	},
	"never stops talking": func() int {
		for {
			if _, err := fmt.Println("[]"); err != nil {
				return 1
			}
		}
	},
	"a line without an end": func() int {
		chunk := bytes.Repeat([]byte("["), 1<<20)
		for {
			if _, err := os.Stdout.Write(chunk); err != nil {
				return 1
			}
		}
	},
}

// childFile is the variable that names the file for the number of the child that is left behind.
const childFile = "KIOTHI_TEST_CHILD_FILE"

// answer answers as it should, but for what change does to an answer.
func answer(w io.Writer, change func([]byte) []byte) int {
	reader, writer := io.Pipe()
	go func() {
		failed, err := trace.Batch(os.Stdin, writer, games.Open)
		if err == nil && failed > 0 {
			err = errors.New("some failed")
		}
		writer.CloseWithError(err)
	}()
	in := bufio.NewReader(reader)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if change != nil {
				line = change(line)
			}
			fmt.Fprintf(w, "%s\n", line)
		}
		if errors.Is(err, io.EOF) {
			return 0
		}
		if err != nil {
			return 1
		}
	}
}

// buffered holds all answers back until its input has ended.
func buffered() int {
	var all bytes.Buffer
	status := answer(&all, nil)
	os.Stdout.Write(all.Bytes())
	return status
}

// answers is an engine that changes its answers.
func answers(change func([]byte) []byte) func() int {
	return func() int { return answer(os.Stdout, change) }
}

// replaces is an engine that answers one text in place of another.
func replaces(old, with string) func() int {
	return answers(func(line []byte) []byte { return bytes.ReplaceAll(line, []byte(old), []byte(with)) })
}

// changes is an engine that changes each state of its answers.
func changes(change func(map[string]any)) func() int {
	return answers(func(line []byte) []byte {
		var states []map[string]any
		if json.Unmarshal(line, &states) != nil {
			return line
		}
		for _, s := range states {
			change(s)
		}
		return []byte(text(states))
	})
}

// errorsAtPly is an engine whose errors are always at one ply.
func errorsAtPly(ply int) func() int {
	return answers(func(line []byte) []byte {
		if line[0] != '{' {
			return line
		}
		return []byte(text(map[string]any{"error": "no", "ply": ply}))
	})
}

func text(v any) string {
	line, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(line)
}

// clockless returns a position with its clock at 0.
func clockless(position string) string {
	return position[:strings.LastIndexByte(position, ' ')] + " 0"
}

// storesOf returns the stores of a position as they lie.
func storesOf(position string) []int {
	south, north, _ := strings.Cut(strings.Fields(position)[2], "-")
	s, _ := strconv.Atoi(south)
	n, _ := strconv.Atoi(north)
	return []int{s, n}
}

// checkEngine checks one of the engines.
func checkEngine(t *testing.T, name string, change func(*TraceOptions)) Report {
	t.Helper()
	if _, ok := engines[name]; !ok {
		t.Fatalf("there is no engine %q", name)
	}
	path := childtest.Itself(t, asEngine, name)
	o := TraceOptions{Command: []string{path}, Seed: 5, Games: 4, Idle: time.Minute,
		Sets: []Set{{"rio-kadalis", "standard"}, {"rio-kadalis", "five-holes,lap_limit=3"}, {"kiothi", "mancala-world"}}}
	if change != nil {
		change(&o)
	}
	r, err := CheckTrace(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRightEnginesPass(t *testing.T) {
	for _, name := range []string{"right", "buffered"} {
		t.Run(name, func(t *testing.T) {
			r := checkEngine(t, name, func(o *TraceOptions) {
				if name == "right" && !testing.Short() {
					o.Sets = TraceSets(games.All()...)
				}
			})
			for _, result := range r.Results {
				if !result.Passed() || result.Trials == 0 {
					t.Errorf("%s: tried %d times; %v", result.Name, result.Trials, result.Failures)
				}
			}
		})
	}
}

func TestEachFaultyEngineIsFound(t *testing.T) {
	for _, c := range []struct {
		engine, check string
		want          []string // words of the failure
	}{
		{"counts from 1", "ply", []string{"0", "1", "its first state", "in 18 games"}},
		{"forgets the clock", "position", []string{"sow 1", "sow 0", "ply 1, after action"}},
		{"players by name", "player", []string{`"S"`}},
		{"an action lacks", "legal", []string{"missing are [0], too many are []"}},
		{"legal is null", "legal", []string{"[]", "null"}},
		{"legal descends", "legal", []string{"another order"}},
		{"never over", "over", []string{"true", "false"}},
		{"no reason", "reason", []string{`"stuck"`, `""`}},
		{"stores unswept", "stores", []string{"["}},
		{"laps from 0", "laps", []string{"1", "0"}},
		{"nothing captured", "captured", []string{"[0,0]"}},
		{"never cut", "cut", []string{"true", "false", "rio-kadalis five-holes,lap_limit=3"}},
		{"a field lacks", "fields", []string{`the field "cut"`}},
		{"a field too many", "fields", []string{`the field "turn"`}},
		{"whole decimals", "laps", []string{"1.0"}},
		{"the last state lacks", "answers", []string{"a JSON array of", "one of"}},
		{"no JSON", "answers", []string{"state: fine"}},
		{"errors as states", "illegal", []string{`{"error":"…","ply":`, `"no error"`, "is illegal in"}},
		{"errors at ply 0", "illegal", []string{`"ply":0`}},
		{"errors at ply 1", "malformed", []string{`"ply":0} for no JSON`, `"ply":1`}},
		{"two answers", "answers", []string{"one answer for each line", "answer 13, where there are only 12 lines"}},
		{"always succeeds", "status", []string{"exit status 1", "exit status 0"}},
		{"always fails", "status", []string{"exit status 0", "exit status 1"}},
		{"dies of nonsense", "malformed", []string{"1 answers to", "exit status 3", "what is this?", "echo 'sow e3' | "}},
		{"dies of bytes", "malformed", []string{"a text that is no UTF-8", `printf '\377\376\000\n' | `}},
		{"stops half-way", "runs", []string{"an answer to line 11", "exit status 0"}},
	} {
		t.Run(c.engine, func(t *testing.T) {
			r := checkEngine(t, c.engine, nil)
			failed := map[string]Failure{}
			for _, result := range r.Results {
				if len(result.Failures) > 1 {
					t.Errorf("%s shows %d failures, want the first of its kind", result.Name, len(result.Failures))
				}
				if !result.Passed() {
					failed[result.Name] = result.Failures[0]
				}
			}
			f, ok := failed[c.check]
			if !ok {
				t.Fatalf("%s passed; failed are %v", c.check, failed)
			}
			for _, want := range c.want {
				if !strings.Contains(f.String(), want) {
					t.Errorf("the failure says nothing of %q:\n%s", want, f.String())
				}
			}
			if c.engine == "two answers" { // no line shows that alone
				return
			}
			if len(f.Reproduce) != 1 || !strings.HasPrefix(f.Reproduce[0], "echo '") && !strings.HasPrefix(f.Reproduce[0], "printf '") {
				t.Errorf("the failure does not say how to see it again:\n%s", f.String())
			}
		})
	}
}

// TestAFailureShowsTheShortestLine sends the line of a failure to our engine: its last state is the one that is wrong.
func TestAFailureShowsTheShortestLine(t *testing.T) {
	r := checkEngine(t, "forgets the clock", nil)
	at := 0
	for r.Results[at].Name != "position" {
		at++
	}
	f := r.Results[at].Failures[0]
	line := strings.Split(f.Reproduce[0], "'")[1]
	var out bytes.Buffer
	if _, err := trace.Batch(strings.NewReader(line), &out, games.Open); err != nil {
		t.Fatal(err)
	}
	var states []trace.Step
	if err := json.Unmarshal(out.Bytes(), &states); err != nil {
		t.Fatal(err)
	}
	if got := text(states[len(states)-1].Position); got != f.Expected {
		t.Errorf("the line leads to %s, want what was expected, %s", got, f.Expected)
	}
}

func TestAProgramThatHangsIsEnded(t *testing.T) {
	for engine, want := range map[string]string{
		"says nothing":                 "it did nothing for too long and was ended",
		"reads nothing and never ends": "it did nothing for too long and was ended",
		"never stops talking":          "one of 0",
		"a line without an end":        "a line is longer than",
	} {
		t.Run(engine, func(t *testing.T) {
			r := checkEngine(t, engine, func(o *TraceOptions) {
				if strings.Contains(want, "too long") {
					o.Idle = 300 * time.Millisecond
				}
			})
			var all []string
			for _, result := range r.Results {
				for _, f := range result.Failures {
					all = append(all, f.String())
				}
			}
			if !strings.Contains(strings.Join(all, "\n"), want) {
				t.Errorf("the failures say nothing of %q:\n%s", want, strings.Join(all, "\n"))
			}
		})
	}
}

// TestNothingIsLeftBehind runs a program that starts another one and ends before it.
func TestNothingIsLeftBehind(t *testing.T) {
	file := filepath.Join(t.TempDir(), "child")
	t.Setenv(childFile, file)
	pid := 0
	for idle := time.Second; pid == 0; idle *= 4 { // it may be ended before it has started the other one, on a busy machine
		if idle > 5*time.Minute {
			t.Fatal("the program starts no other one")
		}
		checkEngine(t, "leaves a child behind", func(o *TraceOptions) { o.Idle = idle; o.Games = 1 })
		content, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		pid, _ = strconv.Atoi(string(content)) // 0 where there is none
	}
	for deadline := time.Now().Add(time.Minute); childtest.Alive(pid); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) { // it may take a moment until the system has cleaned up
			t.Fatalf("the process %d that the program started is still there", pid)
		}
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	r, err := CheckTrace(t.Context(), TraceOptions{Command: []string{"no-such-program-here"}, Idle: time.Minute, Sets: []Set{{"kiothi", ""}}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed() != 1 || r.Results[0].Passed() || !strings.Contains(r.Results[0].Failures[0].Found, "no-such-program-here") {
		t.Errorf("%d checks failed, and the first says %v", r.Failed(), r.Results[0].Failures)
	}
}

func TestCheckTraceStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(asEngine, "says nothing")
	_, err = CheckTrace(ctx, TraceOptions{Command: []string{path}, Idle: time.Hour, Sets: []Set{{"kiothi", ""}}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v, want that of the context", err)
	}
}

func TestCheckTraceRefusesAnUnknownRuleSet(t *testing.T) {
	if _, err := CheckTrace(t.Context(), TraceOptions{Command: []string{"x"}, Sets: []Set{{"kiothi", "nonsense"}}}); err == nil {
		t.Error("no error for the rule set \"nonsense\"")
	}
}

func TestTheFieldsAreThoseOfTheTrace(t *testing.T) {
	step := reflect.TypeFor[trace.Step]()
	if step.NumField() != len(fieldDocs) {
		t.Fatalf("%d fields are compared, and there are %d", len(fieldDocs), step.NumField())
	}
	for i, f := range fieldDocs {
		if name := step.Field(i).Tag.Get("json"); name != f.name {
			t.Errorf("field %d is called %q, compared as %q", i, name, f.name)
		}
	}
}

// TestTheGamesReachWhatIsRare checks that the games, all of which are made by chance, show what can go wrong: closed holes,
// positions within the opening, both ends, cut relays, captures, and marks.
func TestTheGamesReachWhatIsRare(t *testing.T) {
	seen := map[string]bool{}
	for _, set := range TraceSets(games.All()...) {
		g, err := games.Open(set.Game, set.Rules)
		if err != nil {
			t.Fatal(err)
		}
		seen["set "+set.String()] = true
		made := tracedGames{set: set, game: g, seed: 1}
		for number := range 10 {
			game := made.make(number)
			seen["rules left out of "+set.Game] = seen["rules left out of "+set.Game] || game.line.Rules == ""
			if strings.Contains(game.line.Position, "lift(") || strings.Contains(game.line.Position, "place(") {
				seen["a start within the opening"] = true
			}
			for _, s := range game.want {
				seen["end "+s.Reason] = true
				seen["cut in "+set.Game] = seen["cut in "+set.Game] || s.Cut
				seen["a closed hole"] = seen["a closed hole"] || strings.Contains(s.Position, "x")
				seen["a capture in "+set.Game] = seen["a capture in "+set.Game] || s.Captured != [2]int{}
			}
		}
	}
	for _, want := range []string{"end stuck", "end exhausted", "cut in kiothi", "cut in rio-kadalis", "a closed hole", "a start within the opening",
		"a capture in kiothi", "a capture in rio-kadalis", "rules left out of kiothi", "rules left out of rio-kadalis",
		"set kiothi wikipedia-it", "set kiothi mancala-world,pickup=all", "set kiothi mancala-world,bonus=run", "set rio-kadalis standard,direction=clockwise"} {
		if !seen[want] {
			t.Errorf("no game shows: %s", want)
		}
	}
}
