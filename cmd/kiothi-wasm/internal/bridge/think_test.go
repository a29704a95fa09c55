package bridge

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kiothi/agent"
	"kiothi/agent/scripted"
	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

// wantedKinds are the sorts of agent that the module offers.
const wantedKinds = "random greedy alphabeta perfect uct zero policy mixed"

// untimed leaves out of a comparison what depends on the clock.
var untimed = cmpopts.IgnoreFields(view.Thought{}, "Milliseconds")

func TestAThoughtIsAWholeTurn(t *testing.T) {
	c := newCaller(t)
	for _, begin := range []object{
		{"game": "kiothi"}, {"game": "kiothi", "moves": []string{"eh:a3c2J5", "+E"}}, {"game": "kiothi", "position": afterOpening},
		{"game": "rio-kadalis"}, {"game": "kiothi", "rules": "wikipedia-it"},
	} {
		for _, spec := range []string{"random", "greedy", "alphabeta:nodes=500", "uct:sims=50", "mixed:greedy,eps=0.5", "perfect:nodes=100"} {
			id := c.begin(begin)
			out := c.think(id, spec, 1)
			before := c.state(id)
			if p := c.play(id, out.Text); !slices.Equal(p.Actions, out.Actions) {
				t.Errorf("%v: %s plays %q, actions %v, which is played as %+v", begin, spec, out.Text, out.Actions, p)
			}
			if after := c.state(id); after.Phase == "place" || after.Player == before.Player {
				t.Errorf("%v: %s plays %q, after which %d is to move in the phase %s", begin, spec, out.Text, after.Player, after.Phase)
			}
		}
	}
}

func TestTheSameSeedGivesTheSameThought(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	turns := map[string]bool{}
	for seed := range uint64(5) {
		first, second := c.think(id, "uct:sims=100", seed), c.think(id, "uct:sims=100", seed)
		if diff := cmp.Diff(first, second, untimed); diff != "" {
			t.Errorf("seed %d (-first +second):\n%s", seed, diff)
		}
		turns[c.think(id, "random", seed).Text] = true
	}
	if len(turns) < 4 {
		t.Errorf("five seeds give the random turns %v", turns)
	}
}

func TestAThoughtSaysWhatTheAgentThinks(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": afterOpening})
	out := c.think(id, "alphabeta:depth=2", 1)
	if out.Margin == nil || math.Abs(*out.Margin) > 60 || out.Chances != nil || out.Nodes == 0 || out.Simulations != 0 {
		t.Errorf("alphabeta says %+v", out)
	}
	won := c.begin(object{"game": "kiothi", "position": "0,0,1,0,0,0,0,0,0,4/0,0,0,0,0,0,0,0,0,0 - 40-15 S sow 3"})
	if out = c.think(won, "alphabeta:depth=4", 1); out.Chances == nil || *out.Chances != (view.Chances{Win: 1}) || *out.Value != 1 {
		t.Errorf("where the game is won, alphabeta says %+v", out)
	}
	out = c.think(id, "uct:sims=100", 1)
	if out.Value == nil || math.Abs(*out.Value) > 1 || out.Margin != nil || out.Simulations != 100 {
		t.Errorf("uct says %+v", out)
	}
	out = c.think(id, "greedy", 1)
	if out.Value != nil || out.Margin != nil || out.Chances != nil || !slices.Equal(out.Line, []string{out.Text}) {
		t.Errorf("greedy says %+v", out)
	}
	t.Chdir("../../../../models")
	for _, spec := range []string{"zero:kiothi-quick,sims=64", "policy:kiothi-quick", "policy:kiothi-quick,temperature=2", "zero:kiothi-quick,movetime=30ms"} {
		for _, begin := range []object{{"game": "kiothi"}, {"game": "kiothi", "position": afterOpening}} {
			id := c.begin(begin)
			out = c.think(id, spec, 1)
			if strings.Contains(spec, "movetime") && begin["position"] == nil {
				if out.Chances != nil || out.Line[0] != out.Text {
					t.Errorf("%s in the opening says %+v", spec, out)
				}
				continue
			}
			if out.Chances == nil || math.Abs(out.Chances.Win+out.Chances.Draw+out.Chances.Loss-1) > 1e-6 ||
				math.Abs(*out.Value-(out.Chances.Win-out.Chances.Loss)) > 1e-9 || math.Abs(*out.Margin) > 60 || out.Line[0] != out.Text {
				t.Errorf("%s says %+v", spec, out)
			}
			for _, turn := range out.Line {
				c.play(id, turn)
			}
		}
	}
	forced := c.begin(object{"game": "kiothi", "position": "0,0,1,0,0,0,0,0,0,0/1,0,0,0,0,0,4,0,0,0 - 20-20 S sow 7"})
	if out = c.think(forced, "alphabeta:movetime=1h", 1); out.Text != "c1" {
		t.Errorf("with one legal move, alphabeta plays %q", out.Text)
	}
}

func TestAWrongAgentIsRefusedInWords(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	for spec, want := range map[string]string{
		"":                              "no name",
		"greddy":                        "greedy",
		"alphabeta":                     "exactly one",
		"alphabeta:depth=99":            "1 to 64",
		"alphabeta:depth=1,hash=4096":   "1 to 256",
		"uct:sims=1,movetime=1s":        "exactly one",
		"engine:rm":                     "unknown agent",
		"alphabeta:depth=1,table=/none": "no such file",
		strings.Repeat("x", 100_000):    "a text of 100000 bytes",
	} {
		if f := c.ask("think", object{"game": id, "agent": spec}, nil); f == nil || f.Kind != KindArgument || !strings.Contains(strings.ToLower(f.Message), want) {
			t.Errorf("%.40s: got %+v, want an argument error with %q", spec, f, want)
		}
	}
	over := c.begin(object{"game": "kiothi", "position": "0,0,0,0,0,0,0,0,0,0/1,0,0,0,0,0,4,0,0,0 - 20-20 S sow 7"})
	if f := c.ask("think", object{"game": over, "agent": "greedy"}, nil); f == nil || f.Kind != KindArgument {
		t.Errorf("thinking when the game is over: got %+v", f)
	}
	if n := len(c.bridge.agents.opened); n != 0 {
		t.Errorf("%d agents are kept of those that could not be opened", n)
	}
}

func TestASearchGoesOnInSlices(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": afterOpening})
	whole := c.think(id, "uct:sims=20000", 7)
	var job, steps int
	c.get("think", object{"game": id, "agent": "uct:sims=20000", "seed": 7}, &job)
	c.get("play", object{"game": id, "move": "a1"}, nil) // which is nothing to the search
	var sliced view.Thought
	for ; sliced.Text == ""; steps++ {
		c.get("step", object{"job": job, "milliseconds": 0}, &sliced)
	}
	if steps < 100 {
		t.Errorf("a search of 20000 simulations ended after %d slices of no time", steps)
	}
	if diff := cmp.Diff(whole, sliced, untimed); diff != "" {
		t.Errorf("-whole +sliced:\n%s", diff)
	}
	if f := c.ask("step", object{"job": job}, nil); f == nil || f.Kind != KindArgument {
		t.Errorf("a step of what has ended: got %+v", f)
	}
}

func TestSeveralSearchesGoOnSideBySide(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi", "position": afterOpening})
	want := c.think(id, "uct:sims=1000", 7)
	jobs := make([]int, mostJobs)
	for i := range jobs {
		c.get("think", object{"game": id, "agent": "uct:sims=1000", "seed": 7}, &jobs[i])
	}
	if f := c.ask("think", object{"game": id, "agent": "random"}, nil); f == nil || f.Kind != KindArgument {
		t.Errorf("one more: got %+v, want an argument error", f)
	}
	for left := len(jobs); left > 0; {
		for i, job := range jobs {
			if job == 0 {
				continue
			}
			var out view.Thought
			if c.get("step", object{"job": job, "milliseconds": 0}, &out); out.Text != "" {
				jobs[i] = 0
				left--
				if diff := cmp.Diff(want, out, untimed); diff != "" {
					t.Errorf("-alone +side by side:\n%s", diff)
				}
			}
		}
	}
}

func TestASearchIsCalledOff(t *testing.T) {
	c := newCaller(t)
	id := c.begin(object{"game": "kiothi"})
	for _, slices := range []int{0, 1, 5} {
		for _, spec := range []string{"alphabeta:depth=60", "uct:sims=100000000", "random"} {
			var job int
			c.get("think", object{"game": id, "agent": spec}, &job)
			for range slices {
				if f := c.ask("step", object{"job": job, "milliseconds": 0}, nil); f != nil {
					t.Fatalf("%s: %+v", spec, f)
				}
				if len(c.bridge.jobs) == 0 {
					break
				}
			}
			if len(c.bridge.jobs) > 0 {
				c.get("stop", object{"job": job}, nil)
			}
			if f := c.ask("stop", object{"job": job}, nil); f == nil {
				t.Errorf("%s was called off twice", spec)
			}
		}
	}
}

func TestAgentsAreKeptAndAtLastClosed(t *testing.T) {
	var list []*closing
	kinds := agent.Kinds{{Name: "closing", Options: []agent.Option{{Name: "n"}}, New: func(g mancala.Game, _ agent.Spec) (agent.Agent, error) {
		list = append(list, &closing{Random: scripted.Random{Game: g}})
		return list[len(list)-1], nil
	}}}
	c := newCaller(t)
	c.bridge.agents.kinds = kinds
	id := c.begin(object{"game": "rio-kadalis"})
	other := c.begin(object{"game": "rio-kadalis", "rules": "five-holes"})
	name := func(i int) string { return "closing:n=" + string(rune('a'+i)) }
	var under int
	c.get("think", object{"game": id, "agent": name(0)}, &under) // is in use until the end
	for i := range 10 {
		c.think(id, name(i), 1)
		c.think(id, name(i), 1)
	}
	c.think(other, name(9), 1)
	if len(list) != 11 {
		t.Errorf("%d agents were opened, want each once and one for the other game", len(list))
	}
	closed := func() (n int) {
		for _, a := range list {
			n += a.closed
		}
		return n
	}
	if list[0].closed != 0 || closed() != len(list)-keptAgents {
		t.Errorf("%d of %d agents are closed, the one in use %d times; want all but %d", closed(), len(list), list[0].closed, keptAgents)
	}
	c.get("forgetAgents", nil, nil)
	if list[0].closed != 0 || closed() != len(list)-1 {
		t.Errorf("%d of %d agents are closed after all were forgotten, the one in use %d times", closed(), len(list), list[0].closed)
	}
	c.think(id, name(0), 1)
	if len(list) != 12 {
		t.Error("what was forgotten was used again")
	}
	c.get("stop", object{"job": under}, nil)
	c.get("forgetAgents", nil, nil)
	if closed() != len(list) || len(c.bridge.agents.opened) != 0 {
		t.Errorf("%d of %d agents are closed at the end", closed(), len(list))
	}
}

// closing counts how often it is closed.
type closing struct {
	scripted.Random
	closed int
}

func (c *closing) Close() error {
	c.closed++
	return nil
}

func TestAnAgentThatFailsIsTold(t *testing.T) {
	c := newCaller(t)
	c.bridge.agents.kinds = agent.Kinds{{Name: "failing", New: func(mancala.Game, agent.Spec) (agent.Agent, error) { return failing{}, nil }}}
	var job int
	c.get("think", object{"game": c.begin(object{"game": "kiothi"}), "agent": "failing"}, &job)
	f := c.ask("step", object{"job": job, "milliseconds": 10}, nil)
	if f == nil || f.Kind != KindFailed || !strings.Contains(f.Message, "no idea") || !strings.Contains(f.Message, "S lift 0") {
		t.Errorf("got %+v, want a failure that tells the agent, the position and why", f)
	}
}

type failing struct{ agent.Agent }

func (failing) Choose(context.Context, *mancala.State, *rand.Rand) (mancala.Action, error) {
	return 0, errors.New("no idea")
}

// Some agents bound a search by a context of their own, which must not keep it from being called off.
func TestAPaceEndsTheContextsOverIt(t *testing.T) {
	var inner error
	p := start(func(ctx context.Context) {
		over, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		_ = ctx.Err() // pauses
		<-over.Done()
		inner = over.Err()
	})
	if p.step(0) {
		t.Fatal("the search ended in a slice of no time")
	}
	p.stop()
	if !errors.Is(inner, context.Canceled) {
		t.Errorf("the context over it says %v, want that it was canceled", inner)
	}
}

// An analysis is a thought, with shares for what is legal and chances for what is possible.
func TestAnAnalysisSaysWhatIsBehindAThought(t *testing.T) {
	t.Chdir("../../../../models")
	c := newCaller(t)
	for _, begin := range []object{{"game": "kiothi"}, {"game": "kiothi", "position": afterOpening}} {
		id := c.begin(begin)
		var legal []view.LegalMove
		c.get("legal", object{"game": id}, &legal)
		for spec, judges := range map[string]bool{"policy:kiothi-quick": true, "zero:kiothi-quick,sims=16": true, "greedy": false} {
			var job int
			var out view.Analysis
			c.get("analyse", object{"game": id, "agent": spec, "seed": 1}, &job)
			for out.Text == "" {
				c.get("step", object{"job": job, "milliseconds": 1}, &out)
			}
			if diff := cmp.Diff(c.think(id, spec, 1), out.Thought, untimed); diff != "" {
				t.Errorf("%v: %s thinks something else in an analysis (-think +analyse):\n%s", begin, spec, diff)
			}
			if !judges {
				if out.Policy != nil || out.Margins != nil {
					t.Errorf("%v: %s says %+v", begin, spec, out)
				}
				continue
			}
			shares, chances, expected := 0.0, 0.0, 0.0
			for i, p := range out.Policy {
				if p.Action != legal[i].Action {
					t.Errorf("%v: %s tells of action %d, want %d", begin, spec, p.Action, legal[i].Action)
				}
				shares += p.Probability
			}
			for _, m := range out.Margins {
				chances += m.Probability
				expected += m.Probability * float64(m.Margin)
			}
			if len(out.Policy) != len(legal) || math.Abs(shares-1) > 1e-5 || math.Abs(chances-1) > 1e-5 || math.Abs(expected-*out.Margin) > 1e-3 {
				t.Errorf("%v: %s tells %d shares that add up to %v and chances that add up to %v, %v on average, not %v", begin, spec, len(out.Policy), shares, chances, expected, *out.Margin)
			}
		}
	}
}
