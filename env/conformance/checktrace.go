package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"kiothi/env/games"
	"kiothi/env/trace"
)

// This file compares another program's engine with ours over the trace (rules, section 6).

// TraceOptions of CheckTrace.
type TraceOptions struct {
	Command []string      // the program and its arguments
	Sets    []Set         // what it is asked to play
	Seed    uint64        // of the games
	Games   int           // games of each set, at least 1
	Idle    time.Duration // how long it may do nothing before it is ended
}

// CheckTrace asks a program that answers lines of games as kiothi trace --batch does to play random games, from the start
// and from positions within, and compares every field of every state with our engine's. Then it asks it for what cannot
// be played. It returns an error when a rule set is none, or when ctx ends.
func CheckTrace(ctx context.Context, o TraceOptions) (Report, error) {
	o.Games = max(o.Games, 1)
	c := &traceCheck{ctx: ctx, options: o, results: map[string]*Result{}, wrong: map[string][]Set{}}
	for _, set := range o.Sets {
		g, err := games.Open(set.Game, set.Rules)
		if err != nil {
			return Report{}, err
		}
		c.games = append(c.games, tracedGames{set: set, game: g, seed: o.Seed})
	}
	c.add("runs", "the program starts, reads to the end of its input, and ends")
	c.add("answers", "each line has one answer, in its order: an array of a state more than there are actions")
	c.add("fields", "the states have the fields of the trace and no others")
	for _, f := range fieldDocs {
		c.add(f.name, f.doc)
	}
	c.add("illegal", `an illegal action is answered by {"error":…,"ply":…}, and the other lines go on`)
	c.add("malformed", `what is no game is answered by {"error":…,"ply":0}, and the other lines go on`)
	c.add("status", "the exit status is 0 when all lines were played to their end, and 1 otherwise")
	if c.playGames() {
		c.playIllegal()
		c.sendMalformed()
	}
	c.countGames()
	report := Report{Title: fmt.Sprintf("trace of %s: %d games of each of %d rule sets", commandText(o.Command), o.Games, len(o.Sets))}
	for _, name := range c.order {
		report.Results = append(report.Results, *c.results[name])
	}
	return report, ctx.Err()
}

// A traceCheck is a program being checked.
type traceCheck struct {
	ctx     context.Context
	options TraceOptions
	games   []tracedGames
	order   []string // the names of the results
	results map[string]*Result
	wrong   map[string][]Set // for each result with a failure, the sets of the games that failed it
}

func (c *traceCheck) add(name, doc string) {
	c.order = append(c.order, name)
	c.results[name] = &Result{Name: name, Doc: doc}
}

// fail notes a failure of a check, in a game when there is one, and keeps the first of its kind.
func (c *traceCheck) fail(name string, g *tracedGame, f Failure) {
	if g != nil {
		c.wrong[name] = append(c.wrong[name], g.set)
	}
	if result := c.results[name]; len(result.Failures) == 0 {
		result.Failures = append(result.Failures, f)
	}
}

// echo returns the command that sends one line. No line holds a single quote.
func (c *traceCheck) echo(line string) []string {
	send := "echo '" + line + "'"
	if !utf8.ValidString(line) { // bytes that no terminal shows
		var octal strings.Builder
		for _, b := range []byte(line) {
			fmt.Fprintf(&octal, `\%03o`, b)
		}
		send = "printf '" + octal.String() + `\n'`
	}
	return []string{send + " | " + commandText(c.options.Command)}
}

// failGame is fail for a whole game.
func (c *traceCheck) failGame(name string, g *tracedGame, expected, found string) {
	c.fail(name, g, Failure{Expected: expected, Found: found, Where: g.set.String(), Reproduce: c.echo(jsonText(g.line))})
}

// countGames adds to each failure how many games have it, and of which sets.
func (c *traceCheck) countGames() {
	for name, sets := range c.wrong {
		count := map[Set]int{}
		var order []Set
		for _, s := range sets {
			if count[s]++; count[s] == 1 {
				order = append(order, s)
			}
		}
		const shown = 5
		var texts []string
		for _, s := range order[:min(len(order), shown)] {
			texts = append(texts, fmt.Sprintf("%d of %s", count[s], s))
		}
		if more := len(order) - shown; more > 0 {
			texts = append(texts, fmt.Sprintf("and of %d more rule sets", more))
		}
		f := &c.results[name].Failures[0]
		f.Where += fmt.Sprintf("\nin %d games: %s", len(sets), strings.Join(texts, ", "))
	}
}

// all yields games of all sets, so many of each, in an order in which the sets take turns.
func (c *traceCheck) all(each int, game func(*tracedGames, int) tracedGame) iter.Seq[tracedGame] {
	return func(yield func(tracedGame) bool) {
		for number := range each {
			for i := range c.games {
				if !yield(game(&c.games[i], number)) {
					return
				}
			}
		}
	}
}

// lines yields the lines of games.
func lines(played iter.Seq[tracedGame]) iter.Seq[string] {
	return func(yield func(string) bool) {
		for g := range played {
			if !yield(jsonText(g.line)) {
				return
			}
		}
	}
}

// talk sends games and calls compare with each answer. It reports whether the program is one to go on with.
func (c *traceCheck) talk(played iter.Seq[tracedGame], status int, compare func(*tracedGame, []byte)) bool {
	next, stop := iter.Pull(played)
	defer stop()
	var g tracedGame // the one answered last
	talk, err := converse(c.ctx, c.options.Command, c.options.Idle, lines(played), func(number int, answer []byte) error {
		var ok bool
		if g, ok = next(); !ok {
			return fmt.Errorf("answer %d, where there are only %d lines: %s", number+1, number, short(answer))
		}
		compare(&g, answer)
		return nil
	})
	c.results["runs"].Trials++
	if c.ctx.Err() != nil {
		return false
	}
	if err != nil {
		c.fail("runs", nil, Failure{Expected: "a program that can be started", Found: err.Error()})
		return false
	}
	if talk.stopped != nil {
		c.fail("answers", nil, Failure{Expected: "one answer for each line", Found: talk.stopped.Error()})
		return false
	}
	if g, ok := next(); ok {
		c.failGame("runs", &g, fmt.Sprintf("an answer to line %d", talk.answered+1), talk.ending())
		return false
	}
	if talk.timedOut {
		c.fail("runs", nil, Failure{Expected: "the program ends when its input has ended and all is answered", Found: talk.ending()})
		return false
	}
	c.results["status"].Trials++
	if talk.exit != status {
		c.failGame("status", &g, fmt.Sprintf("exit status %d", status), talk.ending())
	}
	return true
}

// playGames compares games that are played to their end.
func (c *traceCheck) playGames() bool {
	return c.talk(c.all(c.options.Games, (*tracedGames).make), 0, c.compare)
}

// playIllegal sends games with an illegal action, and good ones between them.
func (c *traceCheck) playIllegal() bool {
	each := (c.options.Games + 1) / 2
	played := c.all(2*each, func(t *tracedGames, number int) tracedGame {
		if number%2 == 0 {
			return t.makeIllegal(number)
		}
		return t.make(number)
	})
	return c.talk(played, 1, func(g *tracedGame, answer []byte) {
		if !g.illegal {
			c.compare(g, answer)
			return
		}
		c.results["illegal"].Trials++
		ply := len(g.line.Actions) - 1
		if found := notAnError(answer, ply); found != "" {
			c.failGame("illegal", g, fmt.Sprintf(`{"error":"…","ply":%d}, since action %d is illegal in %s`, ply, g.line.Actions[ply], g.want[ply].Position), found)
		}
	})
}

// sendMalformed sends lines that are no games, each to a program of its own and between two good lines, so that it is
// seen which of them a program cannot bear.
func (c *traceCheck) sendMalformed() {
	if len(c.games) == 0 {
		return
	}
	good := c.games[0].make(1)
	good.line = until(good.line, min(4, len(good.line.Actions)))
	good.want = good.want[:len(good.line.Actions)+1]
	for _, bad := range malformed(c.games[0].set) {
		sent := []string{jsonText(good.line), bad.line, jsonText(good.line)}
		c.results["malformed"].Trials++
		wrong := ""
		talk, err := converse(c.ctx, c.options.Command, c.options.Idle, slices.Values(sent), func(number int, answer []byte) error {
			switch number {
			case 1:
				wrong = notAnError(answer, 0)
			case 2: // whose states were compared before
				if states := []trace.Step(nil); wrong == "" && (json.Unmarshal(answer, &states) != nil || len(states) != len(good.want)) {
					wrong = "the right answer, and to the line after it " + short(answer)
				}
			}
			return nil
		})
		if c.ctx.Err() != nil {
			return
		}
		if err != nil {
			c.fail("runs", nil, Failure{Expected: "a program that can be started", Found: err.Error()})
			return
		}
		c.results["status"].Trials++
		f := Failure{Expected: fmt.Sprintf(`{"error":"…","ply":0} for %s, and an answer to the line after it`, bad.what), Reproduce: c.echo(bad.line)}
		switch {
		case talk.answered != len(sent):
			f.Found = fmt.Sprintf("%d answers to a good line, the bad one and a good line; %s", talk.answered, talk.ending())
			c.fail("malformed", nil, f)
		case wrong != "":
			f.Found = wrong
			c.fail("malformed", nil, f)
		case talk.exit != 1:
			f.Expected, f.Found = "exit status 1 after "+bad.what, talk.ending()
			c.fail("status", nil, f)
		}
		if talk.timedOut {
			return // the others would take as long
		}
	}
}
