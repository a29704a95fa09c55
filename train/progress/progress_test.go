package progress

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// A clock stands still until it is moved.
type clock struct{ now time.Time }

func (c *clock) pass(d time.Duration) { c.now = c.now.Add(d) }

// plain returns a reporter of plain lines on a clock of its own.
func plain(mode Mode) (*Reporter, *bytes.Buffer, *clock) {
	out, c := &bytes.Buffer{}, &clock{time.Unix(1000, 0)}
	return New(Options{Mode: mode, Out: out, Now: func() time.Time { return c.now }}), out, c
}

func expect(t *testing.T, out *bytes.Buffer, want ...string) {
	t.Helper()
	if got := out.String(); got != strings.Join(want, "\n")+"\n" {
		t.Errorf("got\n%swant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestPlainLinesAtTheStartTheEndAndEveryInterval(t *testing.T) {
	r, out, c := plain(Plain)
	p := r.Start("self-play", "games", 0, 400)
	for range 20 {
		c.pass(2 * time.Second)
		p.Add(10)
	}
	p.End()
	expect(t, out,
		"self-play: 400 games",
		"self-play: 50 of 400 games (12%), 5.0 games/s, ETA 1m10s",
		"self-play: 100 of 400 games (25%), 5.0 games/s, ETA 1m0s",
		"self-play: 150 of 400 games (37%), 5.0 games/s, ETA 50s",
		"self-play: 200 of 400 games (50%), 5.0 games/s, ETA 40s",
		"self-play: stopped at 200 of 400 games in 40s, 5.0 games/s",
	)
}

func TestAResumedPhaseShowsItsOwnRate(t *testing.T) {
	r, out, c := plain(Plain)
	p := r.Start("training", "steps", 900, 1000)
	c.pass(time.Minute)
	p.Set(930)
	p.Set(10)
	c.pass(time.Minute)
	p.Set(1000)
	p.End()
	expect(t, out,
		"training: 1000 steps, 900 of them done before",
		"training: 930 of 1000 steps (93%), 30.0 steps/min, ETA 2m20s",
		"training: 1000 of 1000 steps (100%), 50.0 steps/min",
		"training: 1000 steps in 2m0s, 50.0 steps/min",
	)
}

func TestNothingToDoAndTooMuchDoneAreNoTrouble(t *testing.T) {
	for _, mode := range []Mode{Plain, Bar, None} {
		r, _, c := plain(mode)
		for _, total := range []int64{-1, 0, 1, 3} {
			p := r.Start("work", "units", 0, total)
			for range 5 {
				c.pass(20 * time.Second)
				p.Add(2)
			}
			if p.Done() != 10 {
				t.Errorf("mode %v, total %d: counted %d, want 10", mode, total, p.Done())
			}
			p.End()
			p.End()
			p.Add(1)
			if p.Done() != 10 {
				t.Errorf("mode %v, total %d: counted after the end", mode, total)
			}
		}
	}
	r, out, c := plain(Plain)
	p := r.Start("work", "units", 5, 4)
	c.pass(20 * time.Second)
	p.Add(1)
	p.End()
	expect(t, out,
		"work: 4 units, 5 of them done before",
		"work: 6 of 4 units (100%), 3.0 units/min",
		"work: 6 units in 20s, 3.0 units/min")
}

func TestAnUnknownTotalShowsCountAndRate(t *testing.T) {
	r, out, c := plain(Plain)
	p := r.Start("reading", "games", 0, 0)
	c.pass(10 * time.Second)
	p.Add(1234)
	p.End()
	expect(t, out, "reading: games", "reading: 1234 games, 123 games/s", "reading: 1234 games in 10s, 123 games/s")
}

func TestNoneShowsMessagesOnly(t *testing.T) {
	r, out, c := plain(None)
	p := r.Start("work", "units", 0, 10)
	c.pass(time.Hour)
	p.Add(5)
	fmt.Fprintln(r, "saved")
	p.End()
	expect(t, out, "saved")
}

func TestANewPhaseEndsTheLast(t *testing.T) {
	r, out, _ := plain(Plain)
	r.Start("one", "units", 0, 1)
	r.Start("two", "units", 0, 1).Add(1)
	expect(t, out, "one: 1 unit", "one: stopped at 0 of 1 unit in 0s", "two: 1 unit")
}

// screen returns what a terminal of one line after the other shows at the end of out.
func screen(out string) []string {
	var lines []string
	for text := range strings.SplitSeq(out, "\n") {
		line := []rune{}
		at := 0
		for _, c := range text {
			if c == '\r' {
				at = 0
				continue
			}
			if at == len(line) {
				line = append(line, c)
			} else {
				line[at] = c
			}
			at++
		}
		lines = append(lines, strings.TrimRight(string(line), " "))
	}
	return lines
}

func TestABarIsDrawnInPlaceAndMessagesStandAboveIt(t *testing.T) {
	r, out, c := plain(Bar)
	p := r.Start("evaluation", "games", 100, 300)
	drawn := strings.Join(screen(out.String()), "|")
	if !strings.HasPrefix(drawn, "evaluation") || !strings.Contains(drawn, "0/200") {
		t.Errorf("the bar begins as %q, want one for the 200 games that remain", drawn)
	}
	p.Add(50)
	fmt.Fprintln(r, "a message")
	time.Sleep(redraw) // the bar itself reads the real clock
	p.Add(50)
	lines := screen(out.String())
	if len(lines) != 2 || lines[0] != "a message" || !strings.Contains(lines[1], "100/200") {
		t.Errorf("the screen shows %q, want the message and below it the bar at 100/200", lines)
	}
	c.pass(100 * time.Second)
	p.Add(500)
	p.End()
	lines = screen(out.String())
	want := "evaluation: 700 games in 1m40s, 6.0 games/s"
	if len(lines) != 3 || lines[1] != want || lines[2] != "" {
		t.Errorf("the screen shows %q at the end, want the line %q in the bar's place", lines, want)
	}
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("there are escape codes in %q", out.String())
	}
}

func TestAutoIsPlainWithoutATerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := New(Options{Out: file}).Mode(); got != Plain {
		t.Errorf("a file gets mode %v, want plain", got)
	}
	if got := New(Options{Out: &bytes.Buffer{}}).Mode(); got != Plain {
		t.Errorf("a buffer gets mode %v, want plain", got)
	}
}

func TestModesAreReadByTheirWords(t *testing.T) {
	for _, mode := range []Mode{Auto, Bar, Plain, None} {
		if got, err := ParseMode(mode.String()); got != mode || err != nil {
			t.Errorf("ParseMode(%q) = %v, %v", mode, got, err)
		}
	}
	if _, err := ParseMode("plane"); err == nil || !strings.Contains(err.Error(), `did you mean "plain"?`) {
		t.Errorf("got %v, want a suggestion", err)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestAWriterThatFailsStopsNothing(t *testing.T) {
	for _, mode := range []Mode{Plain, Bar} {
		p := New(Options{Mode: mode, Out: broken{}}).Start("work", "units", 0, 10)
		p.Add(10)
		p.End()
		if p.Done() != 10 {
			t.Errorf("mode %v counted %d, want 10", mode, p.Done())
		}
	}
}

func TestManyGoroutinesCountTogether(t *testing.T) {
	for _, mode := range []Mode{Plain, Bar} {
		r, _, _ := plain(mode)
		p := r.Start("work", "units", 0, 1000)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 100 {
					p.Add(1)
				}
				fmt.Fprintln(r, "done")
			})
		}
		wg.Wait()
		if p.Done() != 800 {
			t.Errorf("mode %v counted %d, want 800", mode, p.Done())
		}
		p.End()
	}
}

func TestCountKnowsOne(t *testing.T) {
	for want, n := range map[string]int64{"1 game": 1, "0 games": 0, "2 games": 2} {
		if got := Count(n, "games"); got != want {
			t.Errorf("%d games are %q, want %q", n, got, want)
		}
	}
	if got := Count(1, "searches"); got != "1 search" {
		t.Errorf("one of the searches is %q", got)
	}
}
