package conformance

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file runs the checks of an environment, one after the other.

// Options of Check.
type Options struct {
	Seed  uint64 // of the first game; the next ones count up
	Games int    // random games that each check plays, at least 1
}

// A check is one promise of the environment.
type check struct {
	name string
	doc  string
	run  func(*run) error
}

// checks lists the promises in the order in which they are best understood: who breaks an early one often breaks later ones.
var checks = []check{
	{"spaces", "the spaces fit the game, and every observation lies in its space", checkSpaces},
	{"start", "games start where they should, and not from what is no position or over", checkStart},
	{"transitions", "a step does what the rules say, and no seed appears or vanishes", checkTransitions},
	{"mask", "the mask and the list of legal actions are exactly what Step accepts", checkMask},
	{"illegal", "an illegal action is an error that says why, and changes nothing", checkIllegal},
	{"turns", "who acts next, and what steps and turns there were, is told rightly", checkTurns},
	{"termination", "a game terminates when the rules say so, and says how it ended", checkTermination},
	{"truncation", "a step limit truncates, and that is told apart from termination", checkTruncation},
	{"rewards", "rewards are zero until the end, and then the players' margins as rewards, which add up to zero", checkRewards},
	{"end", "before the first reset and after the end there is no step", checkEnd},
	{"reset", "a reset starts anew, in the middle of a game as after its end", checkReset},
	{"determinism", "the same seed gives the same game, another seed another one", checkDeterminism},
	{"lossless", "the position can be rebuilt from its observation", checkLossless},
	{"seats", "an observation is from the chair of the player to move, and the same from either", checkSeats},
	{"texts", "positions, actions and turns as text read back to what they were", checkTexts},
}

// Check plays random games in environments of a subject and checks what every environment promises. A panic of the subject
// is a failure like others. It stops early when ctx ends, with the error of ctx.
func Check(ctx context.Context, s Subject, o Options) (Report, error) {
	r := Report{Title: s.Game.Name() + " " + s.Game.Rules()}
	for _, c := range checks {
		run := &run{ctx: ctx, subject: s, options: Options{Seed: o.Seed, Games: max(o.Games, 1)}}
		err := run.guarded(c.run)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		result := Result{Name: c.name, Doc: c.doc, Trials: run.trials}
		var failure *failed
		if errors.As(err, &failure) {
			result.Failures = []Failure{failure.Failure}
		} else if err != nil {
			result.Failures = []Failure{run.failure("no error", err.Error()).Failure}
		}
		r.Results = append(r.Results, result)
	}
	return r, nil
}

// A run is one check being run.
type run struct {
	ctx     context.Context
	subject Subject
	options Options
	trials  int     // how often the promise was tried
	at      *moment // where the run is, nil outside of a game
}

// failed is a Failure on its way up.
type failed struct{ Failure }

// Error implements error.
func (f *failed) Error() string { return f.String() }

// guarded runs a check and turns a panic into a failure.
func (r *run) guarded(check func(*run) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = r.failure("no panic", fmt.Sprintf("panic: %v\n%s", p, panicSite(debug.Stack())))
		}
	}()
	return check(r)
}

// panicSite returns the lines of a stack, as debug.Stack gives it, that tell where the panic came from.
func panicSite(stack []byte) string {
	_, below, _ := strings.Cut(string(stack), "\npanic(")
	lines := strings.SplitN(below, "\n", 5) // panic's own two lines, then the function and its place
	if len(lines) < 5 {
		return ""
	}
	return lines[2] + lines[3]
}

// failure makes a failure that happened where the run is.
func (r *run) failure(expected, found string) *failed {
	f := &failed{Failure{Expected: expected, Found: found}}
	g := r.subject.Game
	command := fmt.Sprintf("kiothi check --game %s --rules %s", g.Name(), g.Rules())
	if r.at == nil {
		f.Reproduce = []string{fmt.Sprintf("%s --seed %d --games %d", command, r.options.Seed, r.options.Games)}
		return f
	}
	f.Where = fmt.Sprintf("seed %d, ply %d, position %s", r.at.seed, len(r.at.actions), r.describe(&r.at.state))
	f.Reproduce = []string{fmt.Sprintf("%s --seed %d --games 1", command, r.at.seed)}
	if len(r.at.actions) > 0 {
		f.Reproduce = append(f.Reproduce, fmt.Sprintf("kiothi trace --game %s --rules %s --actions %s", g.Name(), g.Rules(), join(r.at.actions)))
	}
	return f
}

// failf is failure with a formatted finding.
func (r *run) failf(expected, found string, values ...any) error {
	return r.failure(expected, fmt.Sprintf(found, values...))
}

// describe writes a state as text, also one that is none.
func (r *run) describe(s *mancala.State) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("%+v", *s)
		}
	}()
	return fmt.Sprintf("%q", r.subject.Game.Format(s))
}

// actionText writes an action with its id.
func (r *run) actionText(s *mancala.State, a mancala.Action) string {
	return fmt.Sprintf("action %d (%s)", a, r.subject.Game.ActionText(s, a))
}

// open makes an environment.
func (r *run) open(o env.Options) (Environment, error) {
	e, err := r.subject.New(o)
	if err != nil {
		return nil, r.failure(fmt.Sprintf("an environment with %s", describeOptions(o)), "the error: "+err.Error())
	}
	return e, nil
}

// describeOptions writes the options that matter to a reader.
func describeOptions(o env.Options) string {
	text := "the default options"
	if o.Position != "" {
		text = fmt.Sprintf("the position %q", o.Position)
	}
	if o.StepLimit != 0 {
		text += fmt.Sprintf(" and a step limit of %d", o.StepLimit)
	}
	return text
}

// join writes actions as kiothi trace reads them.
func join(actions []mancala.Action) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(actions), "[]"), " ", ",")
}
