package screen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"kiothi/cmd/internal/record"
	"kiothi/env"
	"kiothi/env/child"
)

// This file is the screen on a real terminal.

// patience is how long agents that were told to stop may take for it.
const patience = 2 * time.Second

// Run plays on a terminal until the human leaves or ctx ends, and leaves the terminal as it was. It returns the game as it
// stands, and whether no agent is at work any more.
func Run(ctx context.Context, o Options, in, out *os.File) (r *record.Record, idle bool, err error) {
	m := New(ctx, o)
	p := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithEnvironment(o.Environment))
	_, err = p.Run()
	m.cancel()
	if ctx.Err() != nil || errors.Is(err, tea.ErrInterrupted) {
		err = nil // the human had enough
	}
	done := make(chan struct{})
	go func() {
		m.working.Wait()
		close(done)
	}()
	select {
	case <-done:
		idle = true
	case <-time.After(patience):
	}
	return m.record, idle, err
}

// Farewell says how a game stands when its screen is gone, and how to go on with it; flags are those of the command line that
// say who plays.
func Farewell(r *record.Record, flags string) string {
	var text strings.Builder
	g, s := r.Game(), r.State()
	text.WriteString(env.Render(g, &s))
	if standing := r.Standing(); standing != "" {
		fmt.Fprintln(&text, standing)
	}
	if _, competition := r.Competition(); competition && !r.Over() {
		fmt.Fprintf(&text, "To go on with a competition, save it before leaving (key s), then: kiothi play --load FILE%s\n", flags)
	} else if !r.Over() {
		fmt.Fprintf(&text, "To go on from here: kiothi play --game %s --rules %s --position %s%s\n", g.Name(), child.Quote(g.Rules()), child.Quote(g.Format(&s)), flags)
	}
	return text.String()
}
