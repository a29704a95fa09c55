package server

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/env/mancala"
)

// This file decides how an agent is asked so that its search ends at given limits. An agent says nothing before it has
// finished, and nothing at all when it is stopped. Therefore it is first asked for shorter searches, a ladder of them, and
// the last that finished is the answer to a stop; they are also what the info lines are about.

// A rung is one search: an agent with a limit of its own.
type rung struct {
	spec  agent.Spec
	depth int // its limit, when that is a depth
}

// A plan is the searches of one go.
type plan struct {
	ladder     iter.Seq[rung] // ever longer searches; nil: none
	ladderTime time.Duration  // after which the ladder is left; 0: none
	final      *rung          // the search that was asked for; nil: the end of the ladder is it
	time       time.Duration  // after which there must be an answer; 0: none
	infinite   bool           // there must be none before a stop
	notes      []string       // what is told
}

// ladderShare is the part of the effort, one in so many, that goes into the ladder when a longer search follows.
const ladderShare = 8

// newPlan makes the plan for a kind and the spec that it is configured with. A turn has about so many actions, for each of
// which an agent without memory searches anew.
func newPlan(kind *agent.Kind, spec agent.Spec, l protocol.Limits, mover mancala.Player, actions int) plan {
	p := plan{infinite: l.Infinite, time: budget(l, mover)}
	limit, count := "", 0
	for _, given := range []struct {
		option string
		n      int
	}{{"sims", l.Simulations}, {"nodes", l.Nodes}, {"depth", l.Depth}} {
		switch {
		case given.n == 0:
		case !has(kind, given.option):
			p.notes = append(p.notes, fmt.Sprintf("%s knows no limit of %s, which is passed over", kind.Name, given.option))
		case limit == "":
			limit, count = given.option, given.n
		default:
			p.notes = append(p.notes, fmt.Sprintf("%s keeps to one limit, %s; %s is passed over", kind.Name, limit, given.option))
		}
	}
	switch {
	case l.Infinite:
		if p.ladder = climb(kind, spec); p.ladder == nil {
			p.final = &rung{spec: spec}
		}
	case limit != "":
		p.final = counted(spec, limit, count)
		p.ladder = upTo(spec, limit, count)
	case p.time > 0 && has(kind, "movetime"):
		// The rest of the time is for the final search, by a number that stays the same when the time does, so that an agent
		// with a memory of the game is asked again.
		p.ladder, p.ladderTime = climb(kind, spec), p.time/ladderShare
		each := max((p.time-p.ladderTime)/time.Duration(actions), time.Millisecond)
		p.final = &rung{spec: spec.WithLimit(agent.Setting{Option: "movetime", Value: twoDigits(each).String()})}
		// It keeps its time by itself. To stop it is to lose what it has found, and not worth it while it is a little late.
		p.time += p.time/4 + grace
	case p.time > 0:
		if p.ladder = climb(kind, spec); p.ladder == nil {
			p.final = &rung{spec: spec}
		}
	default:
		p.asConfigured(kind, spec)
	}
	return p
}

// asConfigured plans the search of the agent as it is.
func (p *plan) asConfigured(kind *agent.Kind, spec agent.Spec) {
	p.final = &rung{spec: spec}
	for _, option := range agent.Limits {
		value := setting(kind, spec, option)
		if t, err := time.ParseDuration(value); option == "movetime" && err == nil {
			p.ladder, p.ladderTime = climb(kind, spec), t/ladderShare
		} else if n, err := strconv.Atoi(value); option != "movetime" && err == nil {
			p.final = counted(spec, option, n)
			p.final.spec = spec
			p.ladder = upTo(spec, option, n)
		}
	}
}

// setting returns the value of an option, or its default.
func setting(kind *agent.Kind, spec agent.Spec, option string) string {
	for _, s := range spec.Settings {
		if s.Option == option {
			return s.Value
		}
	}
	for _, o := range kind.Options {
		if o.Name == option {
			return o.Default
		}
	}
	return ""
}

// counted returns the rung with a limit that is a number.
func counted(spec agent.Spec, option string, n int) *rung {
	r := &rung{spec: spec.WithLimit(agent.Setting{Option: option, Value: strconv.Itoa(n)})}
	if option == "depth" {
		r.depth = n
	}
	return r
}

// upTo returns a ladder for a search to a limit.
func upTo(spec agent.Spec, option string, n int) iter.Seq[rung] {
	var limits []int
	if option == "depth" { // two turns more take about ladderShare times as long
		for d := n - 2; d > 0; d -= 2 {
			limits = append(limits, d)
		}
	} else {
		for m := n / ladderShare; m > 0; m /= ladderShare {
			limits = append(limits, m)
		}
	}
	return func(yield func(rung) bool) {
		for _, m := range slices.Backward(limits) {
			if !yield(*counted(spec, option, m)) {
				return
			}
		}
	}
}

// climb returns a ladder without an end, but for that which the agent itself sets. It is nil for an agent whose search
// cannot be limited by a number.
func climb(kind *agent.Kind, spec agent.Spec) iter.Seq[rung] {
	option, n, next := "", 16, func(n int) int { return 2 * n }
	switch {
	case has(kind, "depth"):
		option, n, next = "depth", 1, func(n int) int { return n + 1 }
	case has(kind, "sims"):
		option = "sims"
	case has(kind, "nodes"):
		option = "nodes"
	default:
		return nil
	}
	return func(yield func(rung) bool) {
		for ; n < math.MaxInt/2; n = next(n) {
			if !yield(*counted(spec, option, n)) {
				return
			}
		}
	}
}

// Of a clock, a turn gets a 25th of what is left and three quarters of what is added, but no more than half of what is
// left; and of that, overhead goes to whatever lies between the clock and the search.
const (
	turnsLeft = 25
	overhead  = 10 * time.Millisecond
)

// budget returns the time for the turn, 0 when it is unlimited.
func budget(l protocol.Limits, mover mancala.Player) time.Duration {
	if l.Clock == nil {
		return l.MoveTime
	}
	left, increment := l.Clock.Left[mover], l.Clock.Increment[mover]
	t := max(min(left/turnsLeft+increment*3/4, left/2)-overhead, time.Millisecond)
	if l.MoveTime > 0 {
		t = min(t, l.MoveTime)
	}
	return t
}

// twoDigits rounds a time down to two digits, so that there are few different ones.
func twoDigits(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 100 {
		unit *= 10
	}
	return d / unit * unit
}

// actionsLeft returns about how many actions the player to move makes before the turn is over.
func actionsLeft(s *mancala.State, width int) int {
	switch s.Phase {
	case mancala.Place:
		return max(int(s.Hand), 1)
	case mancala.Lift:
		pits := make([]int, width)
		for i := range pits {
			pits[i] = s.Rows[s.Player].At(i)
		}
		slices.Sort(pits)
		return 2 + int(s.Hand) + pits[width-1] + pits[width-2]
	}
	return 1
}
