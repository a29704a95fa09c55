package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// This file is what Ctrl-C does to a command that can stop in good order.

// interruptible returns a context that ends with the first Ctrl-C or SIGTERM. A second one ends the program at once, as
// it does by default. Call stop when the work is done.
func interruptible(parent context.Context, messages io.Writer) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
			signal.Stop(signals)
			fmt.Fprintln(messages, "\nkiothi: stopping; once more ends at once")
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
	}
}

// stoppedEarly says of work that Ctrl-C has ended, and that leaves nothing behind, that it was stopped; other errors it passes on.
func stoppedEarly(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped before its end")
	}
	return err
}
