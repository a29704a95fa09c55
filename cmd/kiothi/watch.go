package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kiothi/env/webserver"
	"kiothi/train/watch"
)

// This file is the command watch, and the same page beside a training.

func newWatch(a *app) *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "watch RUN",
		Short: "Show a run's curves and games on a page",
		Long: `Serves a page for a browser: the curves of a run as they grow, and the newest game
that it played against itself, on a board, seed by seed. RUN is the folder of a
run, of this program or another one; it need not be there yet. Nothing in it is
changed. kiothi train --listen serves the same page of its own run.

The page is seen on this machine only. --listen :8080 shows it to all networks that
the machine is in: anybody there can look at it, and change nothing. Ctrl-C ends it.

TensorBoard shows more curves, and how weights are spread: tensorboard --logdir runs`,
		Example: `  kiothi watch runs/kiothi-quick
  kiothi watch runs/kiothi-quick --listen localhost:0`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("needs the folder of a run, as in kiothi watch runs/kiothi-quick; found %d arguments", len(args))
			}
			return pathArguments(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return usage("%s is a file, expected the folder of a run", dir)
			}
			w := watch.New(dir, false)
			server, err := webserver.Listen(listen)
			if err != nil {
				return fmt.Errorf("--listen: %w", err)
			}
			if w.Status() == watch.Waiting {
				fmt.Fprintf(a.err, "there is no run in %s yet; the page waits for it\n", dir)
			}
			ctx, stop := interruptible(cmd.Context(), a.err)
			defer stop()
			announcePage(a.out, server, dir)
			return watch.Serve(ctx, server, w)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "localhost:8080", "address to serve at, HOST:PORT; without a host all interfaces of the machine, port 0 for a free one")
	alias(cmd, "http", "listen")
	return cmd
}

// announcePage says where the page is, and who sees it.
func announcePage(messages io.Writer, s *webserver.Server, dir string) {
	fmt.Fprintf(messages, "the page of %s is at %s\n", filepath.Clean(dir), s.URL())
	if s.Open() {
		fmt.Fprintln(messages, "  other machines can see it, too")
	}
}

// serveTraining serves the page of a run that this process is about to train. The function it returns tells the page how that
// ended, and returns when nothing is served any more.
func serveTraining(ctx context.Context, address, dir string, messages io.Writer) (end func(error), err error) {
	w := watch.New(dir, true)
	server, err := webserver.Listen(address)
	if err != nil {
		return nil, err
	}
	announcePage(messages, server, dir)
	// Ctrl-C does not end the page: training first comes to its own end.
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan error, 1)
	go func() { done <- watch.Serve(ctx, server, w) }()
	return func(err error) {
		status := watch.Finished
		switch {
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded): // Ctrl-C, or the end of the time of --for
			status = watch.Stopped
		case err != nil:
			status = watch.Failed
		}
		w.End(status)
		stop()
		// The page is a guest: what becomes of it does not decide how training ended.
		if err := <-done; err != nil {
			fmt.Fprintln(messages, err)
		}
	}, nil
}
