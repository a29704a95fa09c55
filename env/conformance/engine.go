package conformance

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os/exec"
	"time"

	"kiothi/env/child"
)

// This file runs another program and talks with it, a line in and a line out. Whatever the program does, it is gone
// afterwards, with all that it started.

// longestAnswer is the longest line that a program may answer, in bytes, so that none can exhaust the memory.
const longestAnswer = 64 << 20

// A conversation is how talking with a program ended.
type conversation struct {
	sent, answered int
	exit           int    // the exit status; -1 when a signal ended the program
	timedOut       bool   // the program was ended because it did nothing for too long
	stopped        error  // why no more answers were read, by the callback
	stderr         string // the end of what it wrote to standard error
}

// errIdle is why a program is ended that does nothing.
var errIdle = errors.New("no answer in time")

// converse starts a program, writes lines to it, closes its input, and calls answer with each line that it writes, the
// first as number 0. It does not wait for an answer before it sends the next line, because a program may hold answers back
// in a buffer. When for a time neither a line nor an answer went through, the program is ended. An error means that it
// could not be started, or that ctx has ended.
func converse(ctx context.Context, command []string, idle time.Duration, lines iter.Seq[string], answer func(number int, line []byte) error) (c conversation, err error) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd := exec.CommandContext(running, command[0], command[1:]...)
	child.Apart(cmd)
	cmd.Cancel = func() error { return child.Kill(cmd) }
	cmd.WaitDelay = 2 * time.Second // for pipes that something outside of its reach holds open
	stderr := new(child.Tail)
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return c, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return c, err
	}
	if err := cmd.Start(); err != nil {
		return c, err
	}
	watchdog := time.AfterFunc(idle, func() { stop(errIdle) })
	defer watchdog.Stop()

	written := make(chan int)
	go func() {
		sent := 0
		defer func() {
			in.Close()
			written <- sent
		}()
		for line := range lines {
			if _, err := io.WriteString(in, line+"\n"); err != nil {
				return // the program has ended, or reads no more
			}
			watchdog.Reset(idle)
			sent++
		}
	}()
	c.stopped = readAnswers(out, func(line []byte) error {
		watchdog.Reset(idle)
		c.answered++
		return answer(c.answered-1, line)
	})
	if c.stopped != nil {
		stop(c.stopped) // it may go on writing for ever
	}
	waitErr := cmd.Wait()
	if errors.Is(waitErr, exec.ErrWaitDelay) {
		child.Kill(cmd) // what it left behind holds its output open
	}
	in.Close() // and so ends the writing
	c.sent = <-written
	c.exit = cmd.ProcessState.ExitCode()
	c.timedOut = errors.Is(context.Cause(running), errIdle)
	c.stderr = stderr.String()
	return c, ctx.Err()
}

// readAnswers calls answer with each line until the output or the reader's patience ends.
func readAnswers(out io.Reader, answer func([]byte) error) error {
	reader := bufio.NewReaderSize(out, 64<<10)
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		if line = append(line, part...); len(line) > longestAnswer {
			return fmt.Errorf("a line is longer than %d bytes", longestAnswer)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := bytes.TrimSpace(line); len(text) > 0 {
			if err := answer(text); err != nil {
				return err
			}
		}
		if err != nil { // the end; a pipe that breaks is one, too
			return nil
		}
		line = line[:0]
	}
}

// ending says in words how a conversation ended.
func (c *conversation) ending() string {
	text := fmt.Sprintf("it ended with exit status %d", c.exit)
	if c.exit < 0 {
		text = "a signal ended it"
	}
	if c.timedOut {
		text = "it did nothing for too long and was ended"
	}
	if c.stderr != "" {
		text += "; its standard error ends with\n" + c.stderr
	}
	return text
}
