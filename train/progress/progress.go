// Package progress shows how far long work has come: as a bar on a terminal, as a plain line now and then elsewhere. It
// writes to standard error, so that standard output is left to results.
//
// It counts on its own and never fails: work goes on whatever the terminal does.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"kiothi/env/choice"
)

// A Mode is a way to show progress.
type Mode int

// The modes.
const (
	Auto  Mode = iota // Bar on a terminal that can move its cursor, Plain elsewhere
	Bar               // a bar with rate and remaining time, redrawn in place
	Plain             // a line at the start and the end of each phase, and one every Options.Interval between
	None              // nothing
)

// ModeNames lists the words that ParseMode reads.
var ModeNames = []string{"auto", "bar", "plain", "none"}

// String returns the mode's word.
func (m Mode) String() string { return ModeNames[m] }

// ParseMode reads a mode by its word.
func ParseMode(text string) (Mode, error) {
	for i, name := range ModeNames {
		if name == text {
			return Mode(i), nil
		}
	}
	return 0, choice.Unknown("progress mode", text, ModeNames)
}

// Options of a Reporter. The zero value shows bars or lines, as fits, on standard error.
type Options struct {
	Mode     Mode
	Out      io.Writer        // nil: os.Stderr
	Interval time.Duration    // between plain lines; 0: 10 seconds
	Now      func() time.Time // nil: time.Now
}

// A Reporter shows one phase of work after the other. It is an io.Writer for messages: what is written to it stands above
// a running bar instead of tearing it. It is safe for concurrent use.
type Reporter struct {
	mode     Mode
	out      io.Writer
	interval time.Duration
	now      func() time.Time

	mu    sync.Mutex
	phase *Phase // running, nil when there is none
}

// New returns a reporter. TERM=dumb counts as no terminal. No colours are used, so there are none for NO_COLOR to forbid.
func New(o Options) *Reporter {
	if o.Out == nil {
		o.Out = os.Stderr
	}
	if o.Interval == 0 {
		o.Interval = 10 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Mode == Auto {
		o.Mode = Plain
		if file, ok := o.Out.(*os.File); ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb" {
			o.Mode = Bar
		}
	}
	return &Reporter{mode: o.Mode, out: o.Out, interval: o.Interval, now: o.Now}
}

// Mode returns how progress is shown: never Auto.
func (r *Reporter) Mode() Mode { return r.mode }

// Write writes messages, whole lines, above a running bar. It writes in every mode.
func (r *Reporter) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == nil {
		return r.out.Write(text)
	}
	r.phase.bar.clear()
	n, err := r.out.Write(text)
	r.phase.bar.draw()
	return n, err
}

// line writes one line where a running bar is cleared. The lock is held. An error leaves nothing to do about it.
func (r *Reporter) line(format string, values ...any) {
	if r.mode != None {
		_, _ = fmt.Fprintf(r.out, format+"\n", values...)
	}
}
