package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kiothi/agent"
	"kiothi/cmd/internal/record"
	"kiothi/cmd/kiothi/internal/screen"
	"kiothi/env/child"
)

// This file is the command play on a terminal.

// terminal returns the input and output of the program when both are a terminal on which a screen can be drawn.
func (a *app) terminal() (in, out *os.File, ok bool) {
	in, inOK := a.in.(*os.File)
	writer := a.out
	if w, ok := writer.(*watched); ok {
		writer = w.Writer
	}
	out, outOK := writer.(*os.File)
	ok = inOK && outOK && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) && os.Getenv("TERM") != "dumb"
	return in, out, ok
}

// playOnScreen plays until the human leaves, and says then how the game stands.
func playOnScreen(cmd *cobra.Command, a *app, f *playFlags, r *record.Record, t *table, in, out *os.File) error {
	o := screen.Options{Record: r, Seats: t.seats, Seed: f.seed, Speed: f.speed, File: f.load, Environment: os.Environ()}
	if adviser, ok := t.adviser.Agent.(agent.Adviser); ok {
		o.AdviserName, o.Adviser = t.adviser.Name, adviser
	}
	r, idle, err := screen.Run(cmd.Context(), o, in, out)
	if !idle {
		t.opened = nil // an agent that is still thinking must not be closed; the program is about to end
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(a.out, screen.Farewell(r, f.players(cmd)))
	return err
}

// players returns the flags that say who plays, as they would be typed again.
func (f *playFlags) players(cmd *cobra.Command) string {
	var text strings.Builder
	for _, spec := range f.agents {
		text.WriteString(" --agent " + child.Quote(spec))
	}
	for _, name := range []string{"seat", "hints", "seed"} {
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			text.WriteString(" --" + name + " " + child.Quote(flag.Value.String()))
		}
	}
	return text.String()
}
