package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/internal/session"
	"kiothi/agent/engine/protocol"
	"kiothi/env/mancala"
)

// This file is the agent: its settings, and how a question is put to a process.

// Config holds the settings of an Engine.
type Config struct {
	Command   []string        // the program and its arguments
	Limits    protocol.Limits // of each turn; the zero value leaves them to the program
	Set       []Setting       // options of the program
	Processes int             // the most that run at once; 0: 16
	Timeout   time.Duration   // to start, and to answer beyond Limits.MoveTime; 0: 10 s
}

// A Setting is an option of a program with its value.
type Setting struct{ Name, Value string }

// What the zero values of Config stand for.
const (
	defaultProcesses = 16
	defaultTimeout   = 10 * time.Second
)

// An Engine is an agent that asks another program. It implements agent.Starter and io.Closer, and starts processes when it
// needs them: as many as there are questions at once, or games that have begun, up to the bound. Beyond that, games share
// processes, and a program that remembers a game forgets it when another one takes its process.
//
// The position is always sent in full. Chance is the program's own, but it is told a seed for each turn that is drawn from
// the agent's source, when it offers the option Seed.
//
// Everything that a program does wrong is an error that names its command and has its last words, and ends the process; the
// next question starts another one.
type Engine struct {
	game   mancala.Game
	config Config
	text   string // the command
	pool   *pool
}

// New returns an Engine. That the command exists is all that is known then.
func New(g mancala.Game, c Config) (*Engine, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("no command, expected a program and its arguments")
	}
	if _, err := exec.LookPath(c.Command[0]); err != nil {
		return nil, fmt.Errorf("the command is not there: %w", err)
	}
	if c.Processes == 0 {
		c.Processes = defaultProcesses
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	e := &Engine{game: g, text: strings.Join(c.Command, " "), config: c}
	e.pool = newPool(c.Processes, e.start)
	return e, nil
}

// Choose implements agent.Agent. It asks for the whole turn, and answers its first action.
func (e *Engine) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	turn, err := e.ask(ctx, nil, s, rng)
	if err != nil {
		return 0, err
	}
	return turn[0], nil
}

// Start implements agent.Starter.
func (e *Engine) Start() agent.Agent { return &player{engine: e} }

// Close ends the processes. The engine must not be in use.
func (e *Engine) Close() error {
	e.pool.close()
	return nil
}

// A player plays one game. It asks once a turn and hands out the turn's actions one by one.
type player struct {
	engine *Engine
	rest   []mancala.Action // of the turn that was answered
	next   mancala.State    // where the first of them is played
}

// Choose implements agent.Agent.
func (p *player) Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error) {
	if len(p.rest) == 0 || p.next != *s {
		turn, err := p.engine.ask(ctx, p, s, rng)
		if err != nil {
			return 0, err
		}
		p.rest, p.next = turn, *s
	}
	action := p.rest[0]
	if _, err := p.engine.game.Play(&p.next, action); err != nil {
		return 0, fmt.Errorf("engine %q: %w", p.engine.text, err)
	}
	p.rest = p.rest[1:]
	return action, nil
}

// Close gives the game's process to others.
func (p *player) Close() error {
	p.engine.pool.disown(p)
	return nil
}

// start starts a process and sets its options.
func (e *Engine) start(ctx context.Context) (*session.Session, error) {
	s, err := session.Start(e.config.Command, e.text)
	if err != nil {
		return nil, err
	}
	ctx, cancel := e.within(ctx, e.config.Timeout)
	defer cancel()
	if err := e.prepare(ctx, s); err != nil {
		return nil, s.Failure(err)
	}
	return s, nil
}

func (e *Engine) prepare(ctx context.Context, s *session.Session) error {
	if err := s.Handshake(ctx); err != nil {
		return err
	}
	set := append([]Setting{{"Game", e.game.Name()}, {"Rules", e.game.Rules()}}, e.config.Set...)
	for _, o := range set {
		if err := s.Set(ctx, o.Name, o.Value); err != nil {
			return err
		}
	}
	if err := s.Sync(ctx); err != nil {
		return err
	}
	if s.Complained() {
		return errors.New("it refuses what it was told")
	}
	return nil
}

// A timeoutError says that a program took too long. It is not the end of the caller's context.
type timeoutError struct{ time.Duration }

// Error says how long was waited.
func (e timeoutError) Error() string { return fmt.Sprintf("nothing came for %v", e.Duration) }

// within bounds a context by a time that a program may take.
func (e *Engine) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, timeoutError{d})
}

// ask puts a question to a process: the turn of the player to move in s, in a game or, when p is nil, in none.
func (e *Engine) ask(ctx context.Context, p *player, s *mancala.State, rng *rand.Rand) ([]mancala.Action, error) {
	if s.Over() {
		return nil, fmt.Errorf("engine %q: position %q is over", e.text, e.game.Format(s))
	}
	seed := rng.Uint64()
	if err := ctx.Err(); err != nil {
		return nil, e.stopped(ctx)
	}
	at, err := e.pool.take(ctx, p)
	if err != nil {
		if ctx.Err() != nil {
			return nil, e.stopped(ctx)
		}
		return nil, err
	}
	turn, err := e.question(ctx, at, p, s, seed)
	if err == nil {
		e.pool.give(at)
		return turn, nil
	}
	if ctx.Err() != nil {
		if e.recall(at) {
			e.pool.give(at)
		} else {
			e.pool.remove(at)
			at.Kill()
		}
		return nil, e.stopped(ctx)
	}
	e.pool.remove(at)
	return nil, at.Failure(fmt.Errorf("%w; position %q", err, e.game.Format(s)))
}

// stopped is the error of a question that the caller has no more use for.
func (e *Engine) stopped(ctx context.Context) error {
	return fmt.Errorf("engine %q: the question was stopped: %w", e.text, ctx.Err())
}

// question asks for a turn and reads it.
func (e *Engine) question(ctx context.Context, at *seat, p *player, s *mancala.State, seed uint64) ([]mancala.Action, error) {
	at.Forgive()
	at.asked = false
	if err := e.setUp(ctx, at, p, s, seed); err != nil {
		return nil, err
	}
	command := e.config.Limits.String()
	wait := e.config.Limits.MoveTime + e.config.Timeout
	thinking, cancel := e.within(ctx, wait)
	defer cancel()
	at.asked = true
	if err := at.Send(thinking, command); err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	var last protocol.Info
	words, err := at.Bestmove(thinking, func(line string) {
		if info := protocol.ParseInfo(line); info.Nodes+info.Simulations > 0 {
			last = info
		}
	})
	if err != nil {
		return nil, fmt.Errorf("no bestmove after %q: %w", command, err)
	}
	at.asked = false
	turn, err := protocol.ParseTurn(e.game, s, words)
	if err != nil {
		return nil, fmt.Errorf("bestmove %s: %w", protocol.Shown(strings.Join(words, " ")), err)
	}
	effort := agent.EffortOf(ctx)
	effort.Nodes.Add(last.Nodes)
	effort.Simulations.Add(last.Simulations)
	return turn, nil
}

// setUp says what the question is about.
func (e *Engine) setUp(ctx context.Context, at *seat, p *player, s *mancala.State, seed uint64) error {
	ctx, cancel := e.within(ctx, e.config.Timeout)
	defer cancel()
	if at.newGame {
		if err := at.Send(ctx, "uginewgame"); err != nil {
			return fmt.Errorf("uginewgame: %w", err)
		}
	}
	if o := protocol.FindOption(at.Options, "Seed"); o != nil && o.Type == protocol.Spin {
		value := o.Min
		if span := uint64(o.Max) - uint64(o.Min) + 1; span != 0 {
			value += int64(seed % span)
		} else {
			value = int64(seed)
		}
		if err := at.Send(ctx, protocol.SetOption(o.Name, fmt.Sprint(value))); err != nil {
			return fmt.Errorf("setoption: %w", err)
		}
	}
	if err := at.Send(ctx, protocol.Position(e.game, s)); err != nil {
		return fmt.Errorf("position: %w", err)
	}
	return at.Sync(ctx)
}

// recallTime is how long a program may take to answer a stop, so that it can be asked again.
const recallTime = 500 * time.Millisecond

// recall stops a search whose answer nobody wants, and reports whether the process is fit for another question.
func (e *Engine) recall(at *seat) bool {
	ctx, cancel := context.WithTimeout(context.Background(), recallTime)
	defer cancel()
	if !at.asked {
		return at.Sync(ctx) == nil
	}
	if at.Send(ctx, "stop") != nil {
		return false
	}
	_, err := at.Bestmove(ctx, func(string) {})
	return err == nil
}
