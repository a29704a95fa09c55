package progress

import (
	"fmt"
	"strings"
	"time"
)

// This file counts a phase of work, and says in plain lines how far it is.

// A Phase is a stretch of work with a known amount, such as the games of a match. Its methods are safe for concurrent use.
type Phase struct {
	reporter   *Reporter
	name, unit string
	first      int64 // done before the phase began, by a run that was interrupted
	done       int64
	total      int64
	began      time.Time
	shown      time.Time // when the last plain line was written
	bar        bar
	ended      bool
}

// Start begins a phase. It is called name, counts units (in the plural, such as "games"), and ends when total are done;
// done says how many were there before, so that a resumed phase shows its own rate. A total of 0 or less is an amount that
// is not known: only a count and a rate are shown then. A phase that still runs is ended first.
func (r *Reporter) Start(name, unit string, done, total int64) *Phase {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != nil {
		r.phase.end()
	}
	now := r.now()
	p := &Phase{reporter: r, name: name, unit: unit, first: done, done: done, total: total, began: now, shown: now}
	if r.mode == Bar && total > done {
		p.bar = newBar(r.out, name, unit, total-done)
	} else {
		r.line("%s: %s", name, p.task())
	}
	r.phase = p
	return p
}

// Add counts n more units as done.
func (p *Phase) Add(n int64) {
	p.reporter.mu.Lock()
	defer p.reporter.mu.Unlock()
	p.add(n)
}

// Set counts the units as done that are not yet, up to done in all. A smaller number than before changes nothing.
func (p *Phase) Set(done int64) {
	p.reporter.mu.Lock()
	defer p.reporter.mu.Unlock()
	p.add(max(done-p.done, 0))
}

func (p *Phase) add(n int64) {
	if p.ended {
		return
	}
	p.done += n
	p.bar.add(n)
	now := p.reporter.now()
	if p.reporter.mode == Plain && now.Sub(p.shown) >= p.reporter.interval {
		p.shown = now
		p.reporter.line("%s: %s", p.name, p.status(now))
	}
}

// Done returns how many units are done.
func (p *Phase) Done() int64 {
	p.reporter.mu.Lock()
	defer p.reporter.mu.Unlock()
	return p.done
}

// End ends the phase and says what was done in it. Only the first call counts.
func (p *Phase) End() {
	p.reporter.mu.Lock()
	defer p.reporter.mu.Unlock()
	p.end()
}

func (p *Phase) end() {
	if p.ended {
		return
	}
	p.ended = true
	p.reporter.phase = nil
	p.bar.clear()
	now := p.reporter.now()
	amount := Count(p.done, p.unit)
	if p.done < p.total {
		amount = fmt.Sprintf("stopped at %d of %s", p.done, Count(p.total, p.unit))
	}
	p.reporter.line("%s: %s in %s%s", p.name, amount, duration(now.Sub(p.began)), p.rateText(now))
}

// task says what a phase that begins has before it.
func (p *Phase) task() string {
	switch {
	case p.total <= 0:
		return p.unit
	case p.first > 0:
		return fmt.Sprintf("%s, %d of them done before", Count(p.total, p.unit), p.first)
	}
	return Count(p.total, p.unit)
}

// status says how far a running phase is, how fast it goes, and how long it has still to go.
func (p *Phase) status(now time.Time) string {
	rate := p.rate(now)
	if p.total <= 0 {
		return Count(p.done, p.unit) + p.rateText(now)
	}
	text := fmt.Sprintf("%d of %s (%d%%)%s", p.done, Count(p.total, p.unit), min(p.done*100/p.total, 100), p.rateText(now))
	if rate > 0 && p.done < p.total {
		text += ", ETA " + duration(time.Duration(float64(p.total-p.done)/rate*float64(time.Second)))
	}
	return text
}

// rate returns the units a second of this run, 0 when nothing can be said yet.
func (p *Phase) rate(now time.Time) float64 {
	elapsed := now.Sub(p.began).Seconds()
	if elapsed <= 0 {
		return 0
	}
	return float64(p.done-p.first) / elapsed
}

// rateText writes the rate a second, or a minute where that is a number better read.
func (p *Phase) rateText(now time.Time) string {
	switch rate := p.rate(now); {
	case rate <= 0:
		return ""
	case rate < 1:
		return fmt.Sprintf(", %.1f %s/min", 60*rate, p.unit)
	case rate < 10:
		return fmt.Sprintf(", %.1f %s/s", rate, p.unit)
	default:
		return fmt.Sprintf(", %.0f %s/s", rate, p.unit)
	}
}

// Count writes a number of units, which are named in the plural: "2 games", "1 game", "1 search".
func Count(n int64, units string) string {
	if n == 1 {
		if stem, ok := strings.CutSuffix(units, "ches"); ok {
			units = stem + "ch"
		} else {
			units = strings.TrimSuffix(units, "s")
		}
	}
	return fmt.Sprintf("%d %s", n, units)
}

// duration writes a time to the second, a short one more finely.
func duration(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
