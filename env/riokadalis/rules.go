package riokadalis

import "kiothi/env/mancala"

// This file is the options of the rules and the named rule sets (rules, section 3.1).

// The widths of the board.
const (
	minHoles = 5
	maxHoles = 6
)

// four is the number of stones in a hole at the start, and the number that is won when a dropped stone makes it.
const four = 4

// MaxStones is the largest number of stones of a rule set, 48.
const MaxStones = 2 * four * maxHoles

// Rules is a rule set.
type Rules struct {
	Holes          int  // holes in a row
	Clockwise      bool // sow from hole i to i-1 instead of i+1
	NoCaptureLimit int  // turns without a capture that end a round
	LapLimit       int  // laps after which a relay is cut
}

var standard = Rules{Holes: 6, NoCaptureLimit: 100, LapLimit: 10000}

// Book lists the rule sets and options of Rio Kadalis.
var Book = mancala.RuleBook[Rules]{
	Sets: []mancala.NamedRules[Rules]{
		{Name: "standard", Doc: "six holes a row, sown counter-clockwise", Rules: standard},
		{Name: "five-holes", Doc: "five holes a row", Rules: with(func(r *Rules) { r.Holes = 5 })},
		{Name: "clockwise", Doc: "sown clockwise", Rules: with(func(r *Rules) { r.Clockwise = true })},
	},
	Options: []mancala.Option[Rules]{
		mancala.IntOption("holes", "How many holes there are in a row.",
			func(r *Rules) *int { return &r.Holes }, minHoles, maxHoles),
		mancala.WordOption("direction", "Which way the stones are sown.",
			func(r *Rules) *bool { return &r.Clockwise },
			map[string]bool{"counter-clockwise": false, "clockwise": true}, "counter-clockwise", "clockwise"),
		mancala.IntOption("no_capture_limit", "How many turns in a row without a capture end the round.",
			func(r *Rules) *int { return &r.NoCaptureLimit }, 1, 10_000),
		mancala.IntOption("lap_limit", "After how many laps a relay is cut.",
			func(r *Rules) *int { return &r.LapLimit }, 1, 1_000_000),
	},
	Check: func(*Rules) error { return nil }, // every combination can be played
}

// with returns the standard rules with a change.
func with(change func(*Rules)) Rules {
	r := standard
	change(&r)
	return r
}
