// Package session runs an engine as a child process and exchanges lines with it. Whatever the engine does, no call waits
// longer than its context says, and nothing is left of the engine after Close or Kill.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"kiothi/agent/engine/protocol"
	"kiothi/env/child"
)

// A Session is a running engine. Its methods are called by one goroutine at a time.
type Session struct {
	Name, Author string            // as the engine calls itself; after Handshake
	Options      []protocol.Option // that it offers; after Handshake

	text    string // the command, for errors
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     *os.File
	lines   chan string
	readErr error         // why lines was closed
	leave   chan struct{} // closed when nobody reads lines any more
	left    bool
	exited  chan struct{} // closed when the process has ended
	end     func() error  // ends the process and all that it started
	stderr  *child.Tail
	heard   string // what it complained of last
}

// How long an engine may take to end: after it was asked to, after it was killed, and after it has closed a pipe, when it is
// only to be told how it ended.
const (
	politely = time.Second
	killed   = 2 * time.Second
	closed   = 5 * time.Second
)

// Start starts a command, whose text is for errors.
func Start(command []string, text string) (*Session, error) {
	s := &Session{
		text: text, cmd: exec.Command(command[0], command[1:]...), stderr: new(child.Tail),
		lines: make(chan string), leave: make(chan struct{}), exited: make(chan struct{}),
	}
	s.cmd.Stderr = s.stderr
	s.cmd.WaitDelay = politely // for what the engine started and left behind, and holds its pipes
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, s.failed(err)
	}
	// A pipe of our own: one of package exec would be closed at the end of the process, with lines in it.
	out, theirs, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, s.failed(err)
	}
	s.cmd.Stdout = theirs
	ended, err := child.Run(s.cmd)
	theirs.Close()
	if err != nil {
		out.Close()
		return nil, s.failed(err)
	}
	s.in, s.out = in, out
	s.end = func() error { return child.Kill(s.cmd) }
	go s.read()
	go func() {
		<-ended
		_ = child.Kill(s.cmd)                             // what it left behind, while its id is still known
		_ = out.SetReadDeadline(time.Now().Add(politely)) // what escaped that may hold the pipe open
		close(s.exited)
	}()
	return s, nil
}

// read passes lines on until the output ends.
func (s *Session) read() {
	defer s.out.Close()
	reader := protocol.NewReader(s.out)
	for {
		line, err := reader.Next()
		if err != nil {
			s.readErr = err
			close(s.lines)
			_, _ = io.Copy(io.Discard, s.out) // an engine that waits for a reader would not see that it is to end
			return
		}
		select {
		case s.lines <- line:
		case <-s.leave:
		}
	}
}

// failed puts the command before what went wrong.
func (s *Session) failed(err error) error { return fmt.Errorf("engine %q: %w", s.text, err) }

// Failure ends the engine and returns an error that says what went wrong, how the engine ended, and its last words. A
// context's end is not the engine's fault, and is told without them.
func (s *Session) Failure(err error) error {
	ending := ""
	select {
	case <-s.exited: // by itself
		ending = s.howEnded()
	default:
		s.Kill()
	}
	text := ending
	if s.heard != "" {
		text += "; it complained: " + s.heard
	}
	if words := s.stderr.String(); words != "" {
		text += "; its standard error ends with: " + words
	}
	return s.failed(fmt.Errorf("%w%s", err, text))
}

// howEnded says in words how a process ended that has ended.
func (s *Session) howEnded() string {
	if status := s.cmd.ProcessState.ExitCode(); status >= 0 {
		return fmt.Sprintf("; it ended with exit status %d", status)
	}
	return fmt.Sprintf("; it ended by a signal (%v)", s.cmd.ProcessState)
}

// Exited is closed when the process has ended.
func (s *Session) Exited() <-chan struct{} { return s.exited }

// Status returns the exit status of a process that has ended, -1 when a signal ended it.
func (s *Session) Status() int { return s.cmd.ProcessState.ExitCode() }

// Send writes lines.
func (s *Session) Send(ctx context.Context, lines ...string) error {
	for _, line := range lines {
		if err := s.Write(ctx, line+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Write writes bytes that need not be lines. When ctx ends before they are written, the engine is killed.
func (s *Session) Write(ctx context.Context, text string) error {
	done := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(done)
		s.kill()
		s.in.Close()
	})
	_, err := io.WriteString(s.in, text)
	if !forget() {
		<-done
		return context.Cause(ctx)
	}
	if err != nil {
		s.lastWords()
		return fmt.Errorf("it takes no more input: %w", err)
	}
	return nil
}

// CloseInput ends the engine's input and lets its output run into nothing.
func (s *Session) CloseInput() {
	s.giveUp()
	s.in.Close()
}

// lastWords waits a moment for a process that closed a pipe to end, so that it can be told how.
func (s *Session) lastWords() {
	select {
	case <-s.exited:
	case <-time.After(closed):
	}
}

// Next returns the next line.
func (s *Session) Next(ctx context.Context) (string, error) {
	select {
	case line, ok := <-s.lines:
		if ok {
			return line, nil
		}
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if errors.Is(s.readErr, protocol.ErrTooLong) {
		return "", s.readErr
	}
	s.lastWords()
	return "", errors.New("it closed its output")
}

// Await reads lines until one is accepted.
func (s *Session) Await(ctx context.Context, accept func(line string) bool) error {
	for {
		line, err := s.Next(ctx)
		if err != nil {
			return err
		}
		if what, ok := complaint(line); ok {
			s.heard = what
		}
		if accept(line) {
			return nil
		}
	}
}

// Close asks the engine to end, and kills it with all that it started when it does not.
func (s *Session) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), politely)
	defer cancel()
	s.giveUp()
	_ = s.Write(ctx, "quit\n") // it may have ended
	s.in.Close()
	select {
	case <-s.exited:
	case <-ctx.Done():
		s.Kill()
	}
}

// Kill ends the engine and all that it started.
func (s *Session) Kill() {
	s.giveUp()
	s.kill()
	s.in.Close()
	select {
	case <-s.exited:
	case <-time.After(killed): // the system does not end it, and we cannot either
	}
}

// kill ends the processes unless that was done. The system may give the id of one that has ended to another program.
func (s *Session) kill() {
	select {
	case <-s.exited:
	default:
		_ = s.end() // it may just end
	}
}

// giveUp lets the output run into nothing.
func (s *Session) giveUp() {
	if !s.left {
		s.left = true
		close(s.leave)
	}
}
