package server

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/engine/protocol"
	"kiothi/agent/scripted"
	"kiothi/agent/uct"
	"kiothi/env/games/gamestest"
	"kiothi/env/mancala"
)

var update = flag.Bool("update", false, "rewrite the answers in the transcripts")

// asked is an agent made of a function.
type asked func(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error)

func (f asked) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	return f(ctx, s, rng)
}

// kind is a kind of agent made of a function.
func kind(name string, f asked) agent.Kind {
	return agent.Kind{Name: name, Doc: name, New: func(mancala.Game, agent.Spec) (agent.Agent, error) { return f, nil }}
}

// kinds are the agents that need no network, and some that do badly.
func kinds() agent.Kinds {
	all := append(scripted.Kinds(), alphabeta.Kinds()...)
	all = append(all, uct.Kinds()...)
	return append(all,
		kind("endless", func(ctx context.Context, _ *mancala.State, _ *rand.Rand) (mancala.Action, error) {
			<-ctx.Done()
			return 0, fmt.Errorf("endless: %w", ctx.Err())
		}),
		kind("broken", func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
			return 0, errors.New("out of order")
		}),
		kind("cheat", func(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) { return 7777, nil }),
		agent.Kind{Name: "absent", Doc: "absent", New: func(mancala.Game, agent.Spec) (agent.Agent, error) {
			return nil, errors.New("its file is not there")
		}},
	)
}

// The times of servers in tests, for which no machine is too slow: patient waits for the first answer of an agent that has one,
// hasty waits for none, because its agent has none.
var (
	patient = waits{patience: patienceOfTests, grace: patienceOfTests}
	hasty   = waits{patience: patienceOfTests, grace: time.Millisecond}
)

// A talk is a conversation with a server.
type talk struct {
	t      *testing.T
	in     *io.PipeWriter
	lines  chan string
	served chan error
}

// converse starts a server. It must have ended well when the test ends, unless the test has read served.
func converse(t *testing.T, change func(*Options)) *talk {
	t.Helper()
	return converseIn(t, patient, change)
}

func converseIn(t *testing.T, waits waits, change func(*Options)) *talk {
	t.Helper()
	o := Options{Name: "test", Kinds: kinds(), Agent: "greedy", Game: "kiothi", Seed: 1, Threads: 2}
	if change != nil {
		change(&o)
	}
	in, write := io.Pipe()
	read, out := io.Pipe()
	c := &talk{t: t, in: write, lines: make(chan string, 1000), served: make(chan error, 1)}
	go func() {
		c.served <- serve(t.Context(), in, out, o, waits)
		out.Close()
	}()
	go func() {
		defer close(c.lines)
		for scanner := bufio.NewScanner(read); scanner.Scan(); {
			c.lines <- scanner.Text()
		}
	}()
	t.Cleanup(func() { write.Close() })
	return c
}

// plays is an agent to begin with.
func plays(spec string) func(*Options) { return func(o *Options) { o.Agent = spec } }

func (c *talk) send(lines ...string) {
	c.t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(c.in, line+"\n"); err != nil {
			c.t.Fatal(err)
		}
	}
}

// patienceOfTests is how long a test waits for what must come.
const patienceOfTests = time.Minute

func (c *talk) line() string {
	c.t.Helper()
	select {
	case line, ok := <-c.lines:
		if !ok {
			c.t.Fatal("the output has ended")
		}
		return line
	case <-time.After(patienceOfTests):
		c.t.Fatal("no line came")
	}
	return ""
}

// until reads lines up to one that begins with a text.
func (c *talk) until(begin string) []string {
	c.t.Helper()
	var all []string
	for {
		line := c.line()
		all = append(all, line)
		if strings.HasPrefix(line, begin) {
			return all
		}
	}
}

// ask sends lines and returns what comes up to the bestmove.
func (c *talk) ask(lines ...string) (answer string, before []string) {
	c.t.Helper()
	c.send(lines...)
	all := c.until("bestmove")
	return all[len(all)-1], all[:len(all)-1]
}

// ends waits for the end.
func (c *talk) ends() error {
	c.t.Helper()
	select {
	case err := <-c.served:
		return err
	case <-time.After(patienceOfTests):
		c.t.Fatal("the server goes on")
	}
	return nil
}

// legal fails the test when an answer is no whole turn from a position.
func legal(t *testing.T, g mancala.Game, position, answer string) {
	t.Helper()
	s, err := protocol.ParsePosition(g, strings.Fields(position)[1:])
	if err == nil {
		_, err = protocol.ParseTurn(g, &s, strings.Fields(answer)[1:])
	}
	if err != nil {
		t.Errorf("%s: %s: %v", position, answer, err)
	}
}

var open = gamestest.Open

// times finds what differs from run to run.
var times = regexp.MustCompile(`\btime \d+`)

func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) < 4 {
		t.Fatalf("%d transcripts, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(string(text), "\r\n", "\n")
			c := converse(t, nil)
			var got strings.Builder
			for line := range strings.Lines(want) {
				command, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
				if strings.HasPrefix(line, "#") {
					got.WriteString(line)
				}
				if !ok {
					continue
				}
				got.WriteString(line)
				c.send(command)
				if command == "quit" {
					break
				}
				var answers []string
				if command == "go" || strings.HasPrefix(command, "go ") {
					answers = c.until("bestmove")
				} else {
					c.send("isready")
					answers = c.until("readyok")
					answers = answers[:len(answers)-1]
					if command == "isready" {
						answers = append(answers, c.until("readyok")...)
					}
				}
				for _, answer := range answers {
					fmt.Fprintf(&got, "< %s\n", times.ReplaceAllString(answer, "time T"))
				}
			}
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got.String() != want {
				t.Errorf("the transcript is now\n%s\nlook at the difference after: go test ./agent/engine/server -run Transcripts -update", got.String())
			}
		})
	}
}

func TestItAnswersWhileItThinks(t *testing.T) {
	c := converseIn(t, hasty, plays("endless"))
	g := open(t, "kiothi", "")
	for _, position := range []string{"position startpos", "position startpos moves +e", "position startpos moves eh:a3c2J5 EH:A3C2j5"} {
		c.send(position, "go", "isready")
		c.until("readyok")
		c.send("query p1turn", "ugi", position, "go", "setoption name Seed value 3", "uginewgame")
		c.until("response true")
		c.until("ugiok")
		for range 4 {
			if line := c.line(); !strings.HasPrefix(line, protocol.ErrorPrefix) || !strings.Contains(line, "the engine is thinking") {
				t.Errorf("while it thinks, the answer is %q", line)
			}
		}
		answer, before := c.ask("stop")
		legal(t, g, position, answer)
		if !strings.Contains(strings.Join(before, "\n"), "drawn at random") {
			t.Errorf("an answer by chance is not said to be one, but: %q", before)
		}
	}
}

// A kind that stands for another is searched as that is, so that a stop gets what it has found.
func TestAnAgentThatStandsForAnotherAnswersAStopByIt(t *testing.T) {
	g := open(t, "kiothi", "")
	c := converse(t, func(o *Options) {
		inner := kinds()
		standsFor := func(mancala.Game, agent.Spec) (string, error) { return "uct:movetime=1h", nil }
		o.Kinds = append(inner, agent.Kind{Name: "short", Doc: "short", StandsFor: standsFor, New: func(g mancala.Game, s agent.Spec) (agent.Agent, error) {
			text, _ := standsFor(g, s)
			return inner.Open(g, text)
		}})
		o.Agent = "short"
	})
	c.send("position startpos", "go movetime 3600000")
	before := c.until("info") // there is an answer
	answer, more := c.ask("stop")
	legal(t, g, "position startpos", answer)
	if all := strings.Join(append(before, more...), "\n"); strings.Contains(all, "drawn at random") {
		t.Errorf("the answer to a stop is drawn at random: %s", all)
	}
}

func TestInfiniteWaitsForStop(t *testing.T) {
	for _, spec := range []string{"greedy", "alphabeta:depth=2", "uct:sims=9"} {
		c := converse(t, plays(spec))
		c.send("setoption name Game value rio-kadalis", "position startpos", "go infinite")
		c.until("info") // there is an answer
		time.Sleep(20 * time.Millisecond)
		c.send("isready")
		for _, line := range c.until("readyok") {
			if strings.HasPrefix(line, "bestmove") {
				t.Errorf("%s: %s before stop", spec, line)
			}
		}
		answer, _ := c.ask("stop")
		legal(t, open(t, "rio-kadalis", ""), "position startpos", answer)
	}
}

func TestAStopThatComesAtOnceGetsWhatTheAgentFindsSoon(t *testing.T) {
	c := converse(t, nil)
	want, _ := c.ask("position startpos moves eh:a3c2J5 EH:A3C2j5", "go")
	for range 20 {
		c.send("go infinite", "stop")
		if all := c.until("bestmove"); all[len(all)-1] != want {
			t.Fatalf("greedy answers %q after a stop, want %s", all, want)
		}
	}
}

func TestQuitAndTheEndOfTheInputEndAThoughtAndTheServer(t *testing.T) {
	for _, spec := range []string{"greedy", "endless", "alphabeta:depth=60"} {
		for _, command := range []string{"", "go", "go infinite"} {
			c := converseIn(t, hasty, plays(spec))
			c.send("position startpos moves eh:a3c2J5 EH:A3C2j5", command, "quit")
			if err := c.ends(); err != nil {
				t.Errorf("%s, %q, quit: %v", spec, command, err)
			}
			c = converseIn(t, hasty, plays(spec))
			c.send("position startpos moves eh:a3c2J5 EH:A3C2j5", command)
			io.WriteString(c.in, "isre") // half a line
			c.in.Close()
			if err := c.ends(); err != nil {
				t.Errorf("%s, %q, the end of the input: %v", spec, command, err)
			}
			if command != "" {
				c.until("bestmove ")
			}
		}
	}
}

func TestTheServerEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	in, write := io.Pipe()
	defer write.Close()
	served := make(chan error, 1)
	go func() {
		served <- serve(ctx, in, io.Discard, Options{Kinds: kinds(), Agent: "endless", Game: "kiothi"}, hasty)
	}()
	io.WriteString(write, "go\n")
	cancel()
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patienceOfTests):
		t.Fatal("the server goes on")
	}
}

// refusing is an output that is closed.
type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnOutputThatIsClosedEndsTheServer(t *testing.T) {
	for _, text := range []string{"ugi\n", "nonsense\n", "go\nisready\n", "query p1turn\n"} {
		err := serve(t.Context(), strings.NewReader(text), refusing{}, Options{Kinds: kinds(), Agent: "greedy", Game: "kiothi"}, patient)
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%q: the error is %v, want that of the output", text, err)
		}
	}
}

// stuck is an output that nobody reads.
type stuck struct{}

func (stuck) Write([]byte) (int, error) { select {} }

func TestAnOutputThatNobodyReadsDoesNotKeepTheServer(t *testing.T) {
	err := serve(t.Context(), strings.NewReader("ugi\n"), stuck{}, Options{Kinds: kinds(), Agent: "greedy", Game: "kiothi"}, waits{patience: 50 * time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), "nobody read its output") {
		t.Errorf("the error is %v", err)
	}
}

func TestAFloodIsAnsweredLineByLine(t *testing.T) {
	c := converse(t, nil)
	const lines = 20_000
	go func() {
		for range lines {
			io.WriteString(c.in, "nonsense \xff\x00\n")
		}
		io.WriteString(c.in, strings.Repeat("x", 2*protocol.LongestLine)+"\nisready\n")
	}()
	n := 0
	for _, line := range c.until("readyok") {
		if strings.HasPrefix(line, protocol.ErrorPrefix) {
			n++
		}
	}
	if n != lines+1 {
		t.Errorf("%d errors to %d lines of garbage and a long one", n, lines)
	}
}

func TestAnAgentThatFailsIsToldAndHasNoMove(t *testing.T) {
	for spec, want := range map[string]string{
		"broken": "out of order", "cheat": "illegal action 7777", "absent": "its file is not there",
	} {
		c := converse(t, nil)
		c.send("setoption name Agent value " + spec)
		answer, before := c.ask("position startpos", "go")
		if answer != "bestmove none" || len(before) == 0 || !strings.HasPrefix(before[0], protocol.ErrorPrefix) || !strings.Contains(before[0], want) {
			t.Errorf("%s: %q, then %s", spec, before, answer)
		}
		// The server goes on, with another agent.
		if answer, _ := c.ask("setoption name Agent value greedy", "go"); answer == "bestmove none" {
			t.Errorf("after %s, greedy has no move", spec)
		}
	}
	c := converse(t, nil)
	c.send("setoption name Agent value absent", "isready")
	if all := c.until("readyok"); len(all) != 2 || !strings.Contains(all[0], "its file is not there") {
		t.Errorf("isready is answered by %q", all)
	}
}

func TestTheSameSeedGivesTheSameAnswer(t *testing.T) {
	c := converse(t, plays("random"))
	ask := func(seed int) string {
		answer, _ := c.ask(fmt.Sprintf("setoption name Seed value %d", seed), "position startpos", "go")
		return answer
	}
	first := ask(5)
	differs := false
	for seed := range 10 {
		differs = differs || ask(seed) != first
	}
	if again := ask(5); again != first {
		t.Errorf("seed 5 gives %s, and %s", first, again)
	}
	if !differs {
		t.Error("all seeds give the same answer")
	}
}

// A session is a player for one game that counts.
type session struct {
	agent.Agent
	closed *atomic.Int32
}

func (s session) Close() error { s.closed.Add(1); return nil }

// A starter offers such players.
type starter struct {
	agent.Agent
	started, closed *atomic.Int32
}

func (s starter) Start() agent.Agent { s.started.Add(1); return session{s.Agent, s.closed} }

func TestAnAgentRemembersTheGame(t *testing.T) {
	var started, closed atomic.Int32
	c := converse(t, func(o *Options) {
		o.Agent = "starter"
		o.Kinds = append(o.Kinds, agent.Kind{Name: "starter", Doc: "starter", New: func(g mancala.Game, _ agent.Spec) (agent.Agent, error) {
			return starter{scripted.Greedy{Game: g}, &started, &closed}, nil
		}})
	})
	c.ask("position startpos", "go")
	c.ask("position startpos moves eh:a3c2J5", "go")
	if started.Load() != 1 || closed.Load() != 0 {
		t.Errorf("in one game, %d players were started and %d closed", started.Load(), closed.Load())
	}
	c.ask("uginewgame", "go")
	if started.Load() != 2 || closed.Load() != 1 {
		t.Errorf("in two games, %d players were started and %d closed", started.Load(), closed.Load())
	}
	c.send("quit")
	if err := c.ends(); err != nil || closed.Load() != 2 {
		t.Errorf("%d of 2 players were closed at the end, %v", closed.Load(), err)
	}
}

func TestOptionsAreCarriedOut(t *testing.T) {
	var threads atomic.Int64
	c := converse(t, func(o *Options) { o.SetThreads = func(n int) { threads.Store(int64(n)) } })
	c.send("setoption name threads value 7", "isready")
	c.until("readyok")
	if threads.Load() != 7 {
		t.Errorf("%d threads were set, want 7", threads.Load())
	}
	k := agent.Kind{Name: "net", Argument: "PATH", Options: []agent.Option{{Name: "sims", Default: "64"}, {Name: "margin", Default: "0"}, {Name: "warrior", Default: "1"}}}
	for _, test := range []struct {
		s    settings
		want string
	}{
		{settings{agent: "net:x,sims=5", utility: "agent"}, "net:x,sims=5"},
		{settings{agent: "net:x,margin=0.5", utility: "agent", simulations: 9}, "net:x,margin=0.5,sims=9"},
		{settings{agent: "net:x,margin=0.5,sims=5", utility: "warrior-10", simulations: 9}, "net:x,margin=0,warrior=10,sims=9"},
		{settings{agent: "net:x", utility: "margin"}, "net:x,margin=1,warrior=1"},
	} {
		if _, spec, err := test.s.spec(agent.Kinds{k}, open(t, "kiothi", "")); err != nil || spec.String() != test.want {
			t.Errorf("%+v is the agent %s, %v; want %s", test.s, spec, err, test.want)
		}
	}
}

func TestWrongOptionsOfServeAreErrors(t *testing.T) {
	for _, o := range []Options{
		{Kinds: kinds(), Agent: "nobody", Game: "kiothi"},
		{Kinds: kinds(), Agent: "absent", Game: "kiothi"},
		{Kinds: kinds(), Agent: "greedy", Game: "chess"},
		{Kinds: kinds(), Agent: "greedy", Game: "kiothi", Rules: "nonsense"},
		{Kinds: kinds(), Agent: "greedy", Game: "kiothi", Seed: 1 << 63},
	} {
		if err := Serve(t.Context(), strings.NewReader(""), io.Discard, o); err == nil {
			t.Errorf("no error for %q, %q, %q, %d", o.Agent, o.Game, o.Rules, o.Seed)
		}
	}
}

// FuzzServe sends anything.
func FuzzServe(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		var commands strings.Builder
		for line := range strings.Lines(string(text)) {
			if command, ok := strings.CutPrefix(line, "> "); ok {
				commands.WriteString(command)
			}
		}
		f.Add([]byte(commands.String()))
	}
	f.Add([]byte("go\ngo infinite\nposition startpos\nstop\nuginewgame\x00\r\n\xff go movetime 1"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out strings.Builder
		if err := serve(t.Context(), strings.NewReader(string(input)), &out, Options{Kinds: scripted.Kinds(), Agent: "greedy", Game: "kiothi"}, patient); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(out.String()) {
			if word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); !known[word] {
				t.Errorf("an answer is %q", line)
			}
		}
	})
}

// known are the words that an answer can begin with.
var known = map[string]bool{"id": true, "protocol": true, "option": true, "ugiok": true, "readyok": true, "info": true, "bestmove": true, "response": true}
