package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/env/choice"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file carries out the commands.

// Options of Serve.
type Options struct {
	Name        string      // of the engine, as it calls itself
	Kinds       agent.Kinds // the agents that the option Agent can name
	Agent       string      // the first of them
	Game, Rules string      // the first game; empty rules are the game's first
	Seed        uint64      // at most MaxSeed
	Threads     int         // that the option Threads begins with
	// SetThreads is called when that option is set; nil: nothing is done.
	SetThreads func(int)
}

// waits are what depends on the clock beside the limits of a search.
type waits struct {
	// How long Serve waits, once it is to end, for an agent that does not stop or a reader who does not read.
	patience time.Duration
	// How much longer a search may take that would give the first answer.
	grace time.Duration
}

var ordinary = waits{patience: 5 * time.Second, grace: grace}

// Serve answers commands until quit, the end of the input, or the end of ctx. It returns an error when the options name no
// game, or no agent that can play it, or the input or the output fails.
//
// When Serve returns, what reads the input may be blocked until that ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	return serve(ctx, in, out, o, ordinary)
}

func serve(ctx context.Context, in io.Reader, out io.Writer, o Options, w waits) error {
	if o.Seed > MaxSeed {
		return fmt.Errorf("a seed of %d, expected at most %d", o.Seed, uint64(MaxSeed))
	}
	if _, _, err := o.Kinds.Parse(o.Agent); err != nil {
		return err
	}
	g, err := games.Open(o.Game, o.Rules)
	if err != nil {
		return err
	}
	s := &server{options: o, waits: w, out: out, settings: settings{
		game: g, agent: o.Agent, utility: utilities[0].name, seed: o.Seed, threads: min(max(o.Threads, 1), maxThreads),
	}}
	s.declared = s.settings.options()
	s.play(g)
	if err := s.prepare(); err != nil {
		return errors.Join(err, s.agents.close())
	}

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines, ended := read(ctx, in)
	finished := make(chan error, 1)
	go func() { finished <- s.loop(ctx, lines) }()
	select {
	case err := <-finished:
		return err
	case <-ctx.Done():
	case <-ended:
	}
	select {
	case err := <-finished:
		return err
	case <-time.After(w.patience):
		return fmt.Errorf("the engine was to end, but for %v its agent did not stop, or nobody read its output", w.patience)
	}
}

// A line is a line of input, or what is wrong with it.
type line struct {
	text string
	err  error
}

// read reads lines until the input or ctx ends. The second channel is closed when the input has ended.
func read(ctx context.Context, in io.Reader) (<-chan line, <-chan struct{}) {
	lines, ended := make(chan line), make(chan struct{})
	go func() {
		defer close(lines)
		reader := protocol.NewReader(in)
		for {
			text, err := reader.Next()
			if errors.Is(err, io.EOF) {
				close(ended)
				return
			}
			select {
			case lines <- line{text, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, protocol.ErrTooLong) {
				close(ended)
				return
			}
		}
	}()
	return lines, ended
}

// A server is the state of the engine between two commands.
type server struct {
	options  Options
	waits    waits
	settings settings
	declared []protocol.Option
	out      io.Writer

	agents *agents
	state  *mancala.State // nil: the last position was refused

	thinking *thinking // nil: there is nothing to think about
}

// thinking is a search that goes on.
type thinking struct {
	stop  context.CancelFunc
	lines chan string
	mute  chan struct{} // closed when nobody reads lines any more
	done  chan answer   // gets one
}

// An answer is how a search ended.
type answer struct {
	turn  []mancala.Action
	err   error
	state mancala.State
}

// loop carries out commands in their order.
func (s *server) loop(ctx context.Context, lines <-chan line) (err error) {
	defer func() {
		s.endThinking()
		err = errors.Join(err, s.agents.close())
	}()
	for {
		var info <-chan string
		var done <-chan answer
		if s.thinking != nil {
			info, done = s.thinking.lines, s.thinking.done
		}
		select {
		case <-ctx.Done():
			return nil
		case text := <-info:
			err = s.say(text)
		case a := <-done:
			err = s.answer(a)
		case l, more := <-lines:
			if !more {
				return s.stop()
			}
			var quit bool
			if quit, err = s.obey(l); quit {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// say writes a line.
func (s *server) say(text string) error {
	if _, err := io.WriteString(s.out, text+"\n"); err != nil {
		return fmt.Errorf("writing an answer: %w", err)
	}
	return nil
}

// complain writes what is wrong.
func (s *server) complain(err error) error {
	return s.say(protocol.ErrorPrefix + protocol.OneLine(err))
}

// The commands.
var commands = []string{"ugi", "isready", "uginewgame", "setoption", "position", "go", "stop", "query", "quit"}

// obey carries out a line and reports whether it was to quit. An error means that the answer could not be written, or that
// the input failed.
func (s *server) obey(l line) (quit bool, err error) {
	if errors.Is(l.err, protocol.ErrTooLong) {
		return false, s.complain(l.err)
	}
	if l.err != nil {
		return false, fmt.Errorf("reading commands: %w", l.err)
	}
	words := strings.Fields(l.text)
	if len(words) == 0 {
		return false, nil
	}
	command, rest := words[0], words[1:]
	if s.thinking != nil {
		switch command {
		case "setoption", "position", "go", "uginewgame":
			return false, s.complain(fmt.Errorf("%s: the engine is thinking; expected stop first, and then the bestmove", command))
		}
	}
	switch command {
	case "ugi":
		return false, s.introduce()
	case "isready":
		return false, s.ready()
	case "uginewgame":
		s.agents.newGame()
		s.play(s.agents.game)
	case "setoption":
		err = s.setOption(rest)
	case "position":
		err = s.setPosition(rest)
	case "go":
		return false, s.search(rest)
	case "stop":
		return false, s.stop()
	case "query":
		return false, s.query(rest)
	case "quit":
		return true, nil
	default:
		err = choice.Unknown("command", command, commands)
	}
	if err != nil {
		return false, s.complain(err)
	}
	return false, nil
}

// introduce answers ugi.
func (s *server) introduce() error {
	lines := []string{"id name " + s.options.Name, "id author the authors of kiothi", fmt.Sprintf("protocol %d", protocol.Version)}
	for _, o := range s.declared {
		lines = append(lines, o.String())
	}
	return s.say(strings.Join(append(lines, "ugiok"), "\n"))
}

// ready answers isready, after what takes long: an agent may have to load a network.
func (s *server) ready() error {
	if s.thinking == nil {
		if err := s.prepare(); err != nil {
			if err := s.complain(err); err != nil {
				return err
			}
		}
	}
	return s.say("readyok")
}

// prepare opens the agent. An error says why it cannot play the game by its rules.
func (s *server) prepare() error {
	_, spec, err := s.settings.spec(s.options.Kinds, s.agents.game)
	if err != nil {
		return err
	}
	_, err = s.agents.get(spec)
	return err
}

// play begins a game.
func (s *server) play(g mancala.Game) {
	if s.agents == nil || s.agents.game != g {
		if s.agents != nil {
			_ = s.agents.close() // of a game that is no longer played
		}
		s.agents = newAgents(s.options.Kinds, g)
	}
	start := g.Start()
	s.state = &start
}

// setOption carries out setoption.
func (s *server) setOption(words []string) error {
	name, value, err := protocol.ParseSetOption(words)
	if err != nil {
		return err
	}
	next, err := s.settings.set(s.options.Kinds, s.declared, name, value)
	if err != nil {
		return err
	}
	before := s.settings
	s.settings = next
	if next.threads != before.threads && s.options.SetThreads != nil {
		s.options.SetThreads(next.threads)
	}
	if next.game != before.game {
		s.play(next.game)
	}
	return nil
}

// setPosition carries out position. After one that is refused there is none, so that nobody gets a move for another.
func (s *server) setPosition(words []string) error {
	s.state = nil
	state, err := protocol.ParsePosition(s.agents.game, words)
	if err == nil {
		s.state = &state
	}
	return err
}

// errNoPosition is what is wrong after a position that was refused.
var errNoPosition = errors.New("there is no position, because the last one was refused; expected position first")

// search carries out go. Whatever is wrong, a bestmove follows.
func (s *server) search(words []string) error {
	t, err := s.newThought(words)
	if err != nil {
		return errors.Join(s.complain(err), s.say("bestmove "+protocol.NoMove))
	}
	ctx, stop := context.WithCancel(context.Background())
	now := &thinking{stop: stop, lines: make(chan string), mute: make(chan struct{}), done: make(chan answer, 1)}
	t.say = func(line string) {
		select {
		case now.lines <- line:
		case <-now.mute:
		}
	}
	s.thinking = now
	go func() {
		turn, err := t.run(ctx)
		now.done <- answer{turn, err, t.state}
	}()
	return nil
}

// newThought prepares a search.
func (s *server) newThought(words []string) (*thought, error) {
	limits, err := protocol.ParseLimits(words)
	if err != nil {
		return nil, err
	}
	if s.state == nil {
		return nil, errNoPosition
	}
	if s.state.Over() {
		return nil, errors.New("go: the game is over in this position, there is no move")
	}
	began := time.Now()
	kind, spec, err := s.settings.spec(s.options.Kinds, s.agents.game)
	if err != nil {
		return nil, err
	}
	configured, err := s.agents.get(spec)
	if err != nil {
		return nil, err
	}
	actions := 1
	if _, starter := configured.agent.(agent.Starter); !starter { // such a player keeps the rest of a turn
		actions = actionsLeft(s.state, s.agents.game.Width())
	}
	return &thought{
		agents: s.agents, state: *s.state, seed: s.settings.seed, began: began, grace: s.waits.grace,
		plan: newPlan(kind, spec, limits, s.state.Player, actions),
	}, nil
}

// answer tells the end of a search.
func (s *server) answer(a answer) error {
	now := s.thinking
	s.thinking = nil
	now.stop()
	if a.err != nil {
		return errors.Join(s.complain(a.err), s.say("bestmove "+protocol.NoMove))
	}
	return s.say("bestmove " + s.agents.game.TurnText(&a.state, a.turn))
}

// stop ends a search and tells what it has found.
func (s *server) stop() error {
	if s.thinking == nil {
		return nil
	}
	s.thinking.stop()
	for {
		select {
		case text := <-s.thinking.lines:
			if err := s.say(text); err != nil {
				return err
			}
		case a := <-s.thinking.done:
			return s.answer(a)
		}
	}
}

// endThinking ends a search whose answer nobody wants.
func (s *server) endThinking() {
	if s.thinking != nil {
		s.thinking.stop()
		close(s.thinking.mute)
		<-s.thinking.done
		s.thinking = nil
	}
}

// query answers a question about the position.
func (s *server) query(words []string) error {
	questions := []string{"p1turn", "gameover", "result"}
	if len(words) != 1 {
		return s.complain(fmt.Errorf("query: expected one of %s", strings.Join(questions, ", ")))
	}
	if s.state == nil {
		return errors.Join(s.complain(errNoPosition), s.say("response "+protocol.NoMove))
	}
	switch words[0] {
	case "p1turn":
		return s.say(fmt.Sprintf("response %t", s.state.Player == mancala.South))
	case "gameover":
		return s.say(fmt.Sprintf("response %t", s.state.Over()))
	case "result":
		return s.say("response " + protocol.Result(s.agents.game, s.state))
	}
	return s.complain(fmt.Errorf("query: %w", choice.Unknown("question", words[0], questions)))
}
