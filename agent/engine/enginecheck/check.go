package enginecheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kiothi/agent/engine/internal/session"
	"kiothi/agent/engine/protocol"
	"kiothi/env/conformance"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file runs the checks, each with a process of its own.

// Options of Check.
type Options struct {
	Command []string
	Text    string            // the command as it was written
	Sets    []conformance.Set // what it is asked to play
	// Optional says that sets which the engine does not offer, or complains about when it is to play them, are left out.
	// Otherwise to lack one is a failure.
	Optional bool
	Seed     uint64        // of the random games that positions are taken from
	Games    int           // of each set, at least 1
	Timeout  time.Duration // for an answer that has no time of its own; at least 1 ms
}

// A check is one promise of an engine.
type check struct {
	name, doc string
	run       func(*run) error
}

var checks = []check{
	{"starts", "it answers ugi by its name, the protocol's version, its options and ugiok", checkStarts},
	{"options", "it offers Game and Rules, says of each option what it takes, and takes that", checkOptions},
	{"turns", "its bestmove is a whole legal turn in every phase of a game", checkTurns},
	{"rest", "where an opening turn is half done, its bestmove is the rest of the turn", checkRest},
	{"limits", "it takes every limit of go, and go alone", checkLimits},
	{"movetime", fmt.Sprintf("it answers within a movetime and %v", slack), checkMoveTime},
	{"thinking", "it answers isready while it thinks, and go infinite not before stop", checkThinking},
	{"stop", fmt.Sprintf("it answers a stop within %v", slack), checkStop},
	{"query", "it knows who is to move, whether the game is over, and who has won", checkQuery},
	{"over", "its bestmove in a game that is over is none", checkOver},
	{"newgame", "it plays on after uginewgame", checkNewGame},
	{"garbage", "it answers what is no command by an error, or not at all, and goes on", checkGarbage},
	{"refused", "after a position that it refuses it has no bestmove, until it gets another one", checkRefused},
	{"pieces", "it reads lines that come in pieces, together, or with a carriage return", checkPieces},
	{"quit", "it ends after quit, with exit status 0, also while it thinks", checkQuit},
	{"eof", "it ends when its input ends, also while it thinks", checkEOF},
}

// slack is how much longer than a limit says an engine may take: enough for a loaded machine, and no game is lost by it.
const slack = time.Second

// Check runs all checks. It returns an error when a set is none, or when ctx ends.
func Check(ctx context.Context, o Options) (conformance.Report, error) {
	c, err := newChecker(o)
	if err != nil {
		return conformance.Report{}, err
	}
	return c.all(ctx)
}

// all runs all checks.
func (c *checker) all(ctx context.Context) (conformance.Report, error) {
	report := conformance.Report{Title: "engine " + c.options.Text}
	dead := false // the program cannot even be started
	for _, k := range checks {
		result := conformance.Result{Name: k.name, Doc: k.doc}
		if !dead {
			result = c.check(ctx, k)
		}
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		dead = dead || k.name == "starts" && !result.Passed()
		if result.Trials > 0 || dead { // games without an opening turn have no rest of one
			report.Results = append(report.Results, result)
		}
	}
	return report, nil
}

func newChecker(o Options) (*checker, error) {
	o.Games = max(o.Games, 1)
	c := &checker{options: o, slack: slack, endTime: endTime}
	for _, set := range o.Sets {
		g, err := games.Open(set.Game, set.Rules)
		if err != nil {
			return nil, err
		}
		c.games = append(c.games, g)
	}
	return c, nil
}

// check runs one check and ends its process.
func (c *checker) check(ctx context.Context, k check) conformance.Result {
	r := &run{checker: c, ctx: ctx}
	defer func() {
		if r.engine != nil {
			r.engine.Kill()
		}
	}()
	result := conformance.Result{Name: k.name, Doc: k.doc}
	if err := k.run(r); err != nil {
		result.Failures = []conformance.Failure{r.failure(k.doc, err)}
		r.trials = max(r.trials, 1)
	}
	result.Trials = r.trials
	return result
}

// A checker is what the checks share.
type checker struct {
	options Options
	games   []mancala.Game // after the check "options", those that the engine offers
	slack   time.Duration  // slack, but in tests
	endTime time.Duration  // endTime, but in tests
}

// A run is one check being run.
type run struct {
	*checker
	ctx    context.Context
	trials int
	engine *session.Session
	game   mancala.Game // that the engine was told
	sent   []string     // lines, since it was started
	where  string       // the game and the position, for a failure
}

// A mismatch is what was found in place of what was expected.
type mismatch struct{ expected, found string }

// Error implements error.
func (m *mismatch) Error() string { return "expected " + m.expected + ", found " + m.found }

// expect returns a mismatch.
func expect(expected, found string, values ...any) error {
	return &mismatch{expected, fmt.Sprintf(found, values...)}
}

// failure describes how a check failed.
func (r *run) failure(doc string, err error) conformance.Failure {
	f := conformance.Failure{Expected: doc, Found: err.Error(), Where: r.where}
	if m := (*mismatch)(nil); errors.As(err, &m) {
		f.Expected, f.Found = m.expected, m.found
	} else if r.engine != nil {
		f.Found = r.engine.Failure(err).Error()
	}
	if lines := strings.Join(r.sent, `\n`); len(lines) > 0 && len(lines) < 1000 && !strings.ContainsAny(lines, "'%") {
		f.Reproduce = []string{fmt.Sprintf(`(printf '%s\n'; sleep 3) | %s`, lines, r.options.Text)}
	}
	return f
}

// start starts the program anew.
func (r *run) start() error {
	if r.engine != nil {
		r.engine.Kill()
	}
	r.sent, r.where, r.game = nil, "", nil
	var err error
	r.engine, err = session.Start(r.options.Command, r.options.Text)
	return err
}

// within calls f with a context of a limited time.
func (r *run) within(d time.Duration, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(r.ctx, d, late{d})
	defer cancel()
	return f(ctx)
}

// late says that something did not come in time.
type late struct{ time.Duration }

// Error says how long was waited.
func (l late) Error() string { return fmt.Sprintf("nothing came for %v", l.Duration) }

// open starts the program and has it play a game.
func (r *run) open(g mancala.Game) error {
	if err := r.start(); err != nil {
		return err
	}
	r.sent = append(r.sent, "ugi")
	if err := r.within(r.options.Timeout, r.engine.Handshake); err != nil {
		return err
	}
	if err := r.set("Game", g.Name()); err != nil {
		return err
	}
	if err := r.set("Rules", g.Rules()); err != nil {
		return err
	}
	r.game = g
	return r.sync()
}

// openAny is open with the first game.
func (r *run) openAny() error {
	if len(r.games) == 0 {
		return expect("a game that the engine offers, of those to be checked", "none")
	}
	return r.open(r.games[0])
}

// set sets an option.
func (r *run) set(name, value string) error {
	r.sent = append(r.sent, protocol.SetOption(name, value))
	return r.within(r.options.Timeout, func(ctx context.Context) error { return r.engine.Set(ctx, name, value) })
}

// send sends lines.
func (r *run) send(lines ...string) error {
	r.sent = append(r.sent, lines...)
	return r.within(r.options.Timeout, func(ctx context.Context) error { return r.engine.Send(ctx, lines...) })
}

// sync waits for readyok.
func (r *run) sync() error {
	r.sent = append(r.sent, "isready")
	return r.within(r.options.Timeout, r.engine.Sync)
}

// position sends a position, and forgets those before it.
func (r *run) position(s *mancala.State) error {
	r.sent = slices.DeleteFunc(r.sent, func(line string) bool {
		return strings.HasPrefix(line, "position") || strings.HasPrefix(line, "go") || line == "isready"
	})
	r.where = fmt.Sprintf("%s %s, position %q", r.game.Name(), r.game.Rules(), r.game.Format(s))
	return r.send(protocol.Position(r.game, s))
}

// bestmove waits for a bestmove and returns its words.
func (r *run) bestmove(wait time.Duration) (words []string, err error) {
	err = r.within(wait, func(ctx context.Context) error {
		words, err = r.engine.Bestmove(ctx, func(string) {})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("no bestmove: %w", err)
	}
	return words, nil
}

// legal returns an error when words are no whole turn from s.
func (r *run) legal(s *mancala.State, words []string) ([]mancala.Action, error) {
	turn, err := protocol.ParseTurn(r.game, s, words)
	if err != nil {
		return nil, expect("bestmove and a legal turn", "bestmove %s: %v", strings.Join(words, " "), err)
	}
	return turn, nil
}

// turn asks for a turn in a position and checks that it is legal.
func (r *run) turn(s *mancala.State, command string, wait time.Duration) error {
	r.trials++
	if err := r.position(s); err != nil {
		return err
	}
	if err := r.send(command); err != nil {
		return err
	}
	words, err := r.bestmove(wait)
	if err == nil {
		_, err = r.legal(s, words)
	}
	return err
}

// response asks a question and returns the answer.
func (r *run) response(question string) (answer string, err error) {
	if err := r.send("query " + question); err != nil {
		return "", err
	}
	err = r.within(r.options.Timeout, func(ctx context.Context) error {
		return r.engine.Await(ctx, func(line string) bool {
			text, ok := strings.CutPrefix(line, "response")
			answer = strings.TrimSpace(text)
			return ok
		})
	})
	if err != nil {
		err = fmt.Errorf("no response to query %s: %w", question, err)
	}
	return answer, err
}
