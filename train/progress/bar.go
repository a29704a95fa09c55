package progress

import (
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// This file keeps progressbar from its own traps: it is given a positive maximum, never more than that, and a writer; its
// errors are dropped, and its line is cleared by us, because on Windows it clears none.

// redraw is the time between two drawings of a bar: fast enough to look alive, rare enough to cost nothing.
const redraw = 100 * time.Millisecond

// longestName is the most of a name that a bar shows, so that the rest still fits beside it.
const longestName = 30

// A bar is a line on a terminal. The zero value draws nothing.
type bar struct {
	line *progressbar.ProgressBar
	out  io.Writer
	left int64
}

// newBar draws an empty bar for total > 0 units.
func newBar(out io.Writer, name, unit string, total int64) bar {
	b := bar{out: out, left: total}
	if runes := []rune(name); len(runes) > longestName {
		name = string(runes[:longestName-3]) + "..."
	}
	b.line = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetItsString(unit),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(redraw),
		progressbar.OptionClearOnFinish(),
	)
	b.draw()
	return b
}

func (b *bar) add(n int64) {
	if b.line == nil || b.left == 0 {
		return
	}
	n = min(n, b.left)
	b.left -= n
	_ = b.line.Add64(n)
}

func (b *bar) draw() {
	if b.line != nil && b.left > 0 {
		_ = b.line.RenderBlank()
	}
}

func (b *bar) clear() {
	if b.line == nil {
		return
	}
	width := 80
	if file, ok := b.out.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			width = columns
		}
	}
	_, _ = io.WriteString(b.out, "\r"+strings.Repeat(" ", max(width-1, 0))+"\r")
}
