package protocol

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// This file is what an engine says while it thinks.

// Info is what an engine says of its search. Numbers that are zero are not said, but for those that a flag goes with.
type Info struct {
	Depth       int
	Nodes       int64
	Simulations int64
	Time        time.Duration

	Judged          bool    // the next four are said
	Margin          float64 // expected final margin of the player to move, in seeds
	Win, Draw, Loss float64 // chances of the player to move, which add up to 1

	Line []string // turns; the first is the one that the engine would play
}

// String returns the line.
func (i Info) String() string {
	text := "info"
	add := func(word string, n int64) {
		if n > 0 {
			text += " " + word + " " + strconv.FormatInt(n, 10)
		}
	}
	add("depth", int64(i.Depth))
	add("nodes", i.Nodes)
	add("sims", i.Simulations)
	text += " time " + strconv.FormatInt(i.Time.Milliseconds(), 10)
	if i.Judged {
		win, loss := int(math.Round(1000*i.Win)), int(math.Round(1000*i.Loss))
		loss = min(loss, 1000-win)
		text += fmt.Sprintf(" score %.2f wdl %d %d %d", math.Round(100*i.Margin)/100+0, win, 1000-win-loss, loss) // +0: no -0.00
	}
	if len(i.Line) > 0 {
		text += " pv " + strings.Join(i.Line, " ")
	}
	return text
}

// The fixed beginnings of lines.
const (
	ErrorPrefix = "info string error: "
	NotePrefix  = "info string "
	NoMove      = "none" // the bestmove of an engine that has no answer
)

// ParseInfo reads an info line as far as it is understood: words that are unknown are passed over, so that engines may say
// more.
func ParseInfo(line string) Info {
	var i Info
	words := strings.Fields(line)
	number := func(at int) float64 {
		if at >= len(words) {
			return 0
		}
		x, err := strconv.ParseFloat(words[at], 64)
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e15 {
			return 0
		}
		return x
	}
	count := func(at int) float64 { return max(0, number(at)) }
	for at := 1; at < len(words); at++ {
		switch words[at] {
		case "string":
			return i
		case "pv":
			i.Line = words[at+1:]
			return i
		case "depth":
			i.Depth = int(count(at + 1))
		case "nodes":
			i.Nodes = int64(count(at + 1))
		case "sims":
			i.Simulations = int64(count(at + 1))
		case "time":
			i.Time = time.Duration(min(count(at+1), longest) * float64(time.Millisecond))
		case "score":
			i.Margin = number(at + 1)
		case "wdl":
			i.Judged = true
			i.Win, i.Draw, i.Loss = count(at+1)/1000, count(at+2)/1000, count(at+3)/1000
		}
	}
	return i
}
