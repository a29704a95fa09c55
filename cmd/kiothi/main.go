// Command kiothi trains, measures and plays Kiothi and Rio Kadalis.
//
// Each command has a file of its own and a function that returns it; root.go puts them together.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"kiothi/agent"
	"kiothi/agent/players"
)

// An app is what the commands share: where they read and write, and the players they know.
type app struct {
	in       io.Reader
	out, err io.Writer // results go to out, everything else to err
	kinds    agent.Kinds
}

func main() {
	a := &app{in: os.Stdin, out: os.Stdout, err: os.Stderr, kinds: players.Kinds()}
	os.Exit(a.run(context.Background(), os.Args[1:]))
}

// run carries out a command line and returns the exit status. An error is told in one line, after the name of its command, which
// the errors themselves do not repeat.
func (a *app) run(ctx context.Context, args []string) int {
	out := &watched{Writer: a.out}
	root := newRoot(&app{in: a.in, out: out, err: a.err, kinds: a.kinds})
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("writing the output: %w", out.err)
	}
	if err != nil {
		fmt.Fprintf(a.err, "kiothi: %s%s\n", prefix(cmd), strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return status(err)
}

// watched remembers the first write that failed, so that no command ends in success whose output nobody got.
type watched struct {
	io.Writer
	err error
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.err == nil {
		w.err = err
	}
	return n, err
}
