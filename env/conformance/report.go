package conformance

import (
	"fmt"
	"io"
	"strings"
)

// This file is what the checks report.

// A Report is what a suite found.
type Report struct {
	Title   string // what was checked, such as "kiothi mancala-world"
	Results []Result
}

// A Result is what one check found.
type Result struct {
	Name   string // one word
	Doc    string // what must hold
	Trials int    // how often it was tried
	// Failures is empty when the check passed. A check of an environment stops at its first failure.
	Failures []Failure
}

// A Failure says what was expected, what was found, and how to see it again.
type Failure struct {
	Expected, Found string
	Where           string   // the game, the ply and the position; "" when it is about none
	Reproduce       []string // command lines that show it again
}

// Passed reports whether the check found nothing wrong.
func (r *Result) Passed() bool { return len(r.Failures) == 0 }

// Failed returns the number of checks that found something wrong.
func (r *Report) Failed() (n int) {
	for i := range r.Results {
		if !r.Results[i].Passed() {
			n++
		}
	}
	return n
}

// String describes the failure in a few lines.
func (f *Failure) String() string {
	var b strings.Builder
	f.write(&b, "")
	return strings.TrimSuffix(b.String(), "\n")
}

// write writes the failure's parts, a line or more each.
func (f *Failure) write(b *strings.Builder, indent string) {
	part := func(label, text string) {
		for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
			fmt.Fprintf(b, "%s%-10s %s\n", indent, label, line)
			label = ""
		}
	}
	part("expected", f.Expected)
	part("found", f.Found)
	if f.Where != "" {
		part("at", f.Where)
	}
	label := "reproduce"
	for _, command := range f.Reproduce {
		part(label, command)
		label = ""
	}
}

// Print writes the report: a line a check, and below a failed one its failures.
func (r *Report) Print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintln(&b, r.Title)
	for i := range r.Results {
		result := &r.Results[i]
		verdict := "ok  "
		switch {
		case !result.Passed():
			verdict = "FAIL"
		case result.Trials == 0:
			verdict = "-   "
		}
		fmt.Fprintf(&b, "  %s  %-12s %s (%s)\n", verdict, result.Name, result.Doc, times(result.Trials))
		for j := range result.Failures {
			result.Failures[j].write(&b, "        ")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// times writes a number of trials.
func times(n int) string {
	switch n {
	case 0:
		return "not tried, because of what failed"
	case 1:
		return "tried once"
	}
	return fmt.Sprintf("tried %d times", n)
}
