package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/env/mancala"
)

// describe writes a plan with the first rungs of its ladder.
func describe(p plan) string {
	var parts []string
	if p.ladder != nil {
		for r := range p.ladder {
			if parts = append(parts, strings.TrimPrefix(r.spec.String(), r.spec.Name+",")); len(parts) == 4 {
				break
			}
		}
	}
	text := strings.Join(parts, " ")
	if p.ladderTime > 0 {
		text += fmt.Sprintf(" for %v", p.ladderTime)
	}
	if p.final != nil {
		text += " then " + p.final.spec.String()
	}
	if p.time > 0 {
		text += fmt.Sprintf(" in %v", p.time)
	}
	if p.infinite {
		text += " until stop"
	}
	return strings.TrimSpace(text)
}

func TestLimitsBecomeSearches(t *testing.T) {
	net := agent.Kind{Name: "net", Options: []agent.Option{{Name: "sims", Default: "64"}}}
	all := append(kinds(), net)
	for _, c := range []struct{ agent, command, want string }{
		{"greedy", "go", "then greedy"},
		{"greedy", "go depth 3", "then greedy"},
		{"greedy", "go movetime 100", "then greedy in 100ms"},
		{"greedy", "go infinite", "then greedy until stop"},
		{"alphabeta:depth=7", "go", "depth=1 depth=3 depth=5 then alphabeta,depth=7"},
		{"alphabeta:movetime=80ms", "go", "depth=1 depth=2 depth=3 depth=4 for 10ms then alphabeta,movetime=80ms"},
		{"alphabeta:depth=7,hash=2", "go depth 4", "hash=2,depth=2 then alphabeta,hash=2,depth=4"},
		{"alphabeta:depth=7", "go nodes 1000", "nodes=1 nodes=15 nodes=125 then alphabeta,nodes=1000"},
		{"alphabeta:depth=7", "go movetime 800", "depth=1 depth=2 depth=3 depth=4 for 100ms then alphabeta,movetime=700ms in 1.05s"},
		{"alphabeta:depth=7", "go movetime 800 depth 3", "depth=1 then alphabeta,depth=3 in 800ms"},
		{"alphabeta:depth=7", "go p1time 50500 p2time 100 p1inc 1000", "depth=1 depth=2 depth=3 depth=4 for 345ms then alphabeta,movetime=2.4s in 3.5s"},
		{"alphabeta:depth=7", "go infinite", "depth=1 depth=2 depth=3 depth=4 until stop"},
		{"uct:sims=640", "go", "sims=1 sims=10 sims=80 then uct,sims=640"},
		{"uct:sims=640", "go sims 16 nodes 9", "sims=2 then uct,sims=16"},
		{"uct:sims=640", "go infinite", "sims=16 sims=32 sims=64 sims=128 until stop"},
		{"net", "go", "sims=1 sims=8 then net"},
		{"net", "go movetime 50", "sims=16 sims=32 sims=64 sims=128 in 50ms"},
	} {
		l, err := protocol.ParseLimits(strings.Fields(c.command)[1:])
		if err != nil {
			t.Fatal(err)
		}
		kind, spec, err := all.Parse(c.agent)
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(newPlan(kind, spec, l, mancala.South, 1)); got != c.want {
			t.Errorf("%s: %s becomes\n%s, want\n%s", c.agent, c.command, got, c.want)
		}
	}
}

func TestAnAgentWithoutMemoryGetsAShareOfTheTimeForEachActionOfATurn(t *testing.T) {
	kind, spec, err := kinds().Parse("alphabeta:depth=3")
	if err != nil {
		t.Fatal(err)
	}
	p := newPlan(kind, spec, protocol.Limits{MoveTime: 800 * time.Millisecond}, mancala.South, 14)
	if got := p.final.spec.String(); got != "alphabeta,movetime=50ms" {
		t.Errorf("the agent is %s, want a 14th of 700ms for each action", got)
	}
	g := open(t, "kiothi", "")
	for position, want := range map[string]int{
		"startpos": 12, "startpos moves +e": 17, "startpos moves +e +f >a": 9, "startpos moves eh:a3c2J5 EH:A3C2j5": 1,
	} {
		s, err := protocol.ParsePosition(g, strings.Fields(position))
		if err != nil {
			t.Fatal(err)
		}
		if got := actionsLeft(&s, g.Width()); got != want {
			t.Errorf("%s: %d actions are expected, want %d", position, got, want)
		}
	}
}

func TestAClockIsNeverOverdrawn(t *testing.T) {
	for _, left := range []time.Duration{0, time.Millisecond, 30 * time.Millisecond, time.Second, time.Hour} {
		for _, increment := range []time.Duration{0, time.Second, time.Minute} {
			l := protocol.Limits{Clock: &protocol.Clock{Left: [2]time.Duration{time.Hour, left}, Increment: [2]time.Duration{0, increment}}}
			if got := budget(l, mancala.North); got > max(left/2, time.Millisecond) || got <= 0 {
				t.Errorf("with %v left and %v added, a turn gets %v", left, increment, got)
			}
		}
	}
	l := protocol.Limits{MoveTime: 7 * time.Millisecond, Clock: &protocol.Clock{Left: [2]time.Duration{time.Hour, time.Hour}}}
	if got := budget(l, mancala.South); got != l.MoveTime {
		t.Errorf("a movetime of %v on a clock gives %v", l.MoveTime, got)
	}
}
