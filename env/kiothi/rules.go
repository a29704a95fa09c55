package kiothi

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"kiothi/env/mancala"
)

// This file is the rule sets of Kiothi and their options (rules, section 2.1).

// A Pickup says how many seeds a sowing lifts.
type Pickup uint8

// The pickups.
const (
	PickupAny Pickup = iota // 1 to all seeds of the pit
	PickupAll               // the whole pit
)

// A Protection says which pits are marked after the opening, and which lifts clear a mark.
type Protection uint8

// The protections.
const (
	ProtectNki     Protection = iota // pits that hold seeds, until anyone lifts from them
	ProtectUnmoved                   // all pits, until their owner lifts from them
)

// A Bonus is the shape of the leftmost bonus.
type Bonus uint8

// The bonuses.
const (
	BonusThree Bonus = iota // all three pits, or none
	BonusRun                // the pits before the first empty one
)

// A LiftSet is a set of counts of pits that an opening turn may lift: bit c stands for c pits.
type LiftSet uint8

// Has reports whether c pits may be lifted.
func (l LiftSet) Has(c int) bool { return l>>uint(c)&1 != 0 }

// maxLifts is the largest count that a LiftSet can hold.
const maxLifts = 2

// Rules is a rule set. Book reads and writes it as text, and says what each option means.
type Rules struct {
	Pits, Seeds       int // start: the owner's rightmost Pits pits hold Seeds seeds each
	Lifts             LiftSet
	Pickup            Pickup
	FirstLap          bool // the first lap may not end in an occupied own pit
	Protection        Protection
	Crossing          bool // captures need a sowing that came back from the enemy row
	LoneCapture       bool // the last seed is won even when nothing else is
	Bonus             Bonus
	BonusNeedsCapture bool
	BonusFresh        bool
	NoCaptureLimit    int // turns
	LapLimit          int // laps
}

// mancalaWorld is the default rule set.
var mancalaWorld = Rules{
	Pits: 6, Seeds: 5, Lifts: 1 << 2,
	Pickup: PickupAny, FirstLap: true, Protection: ProtectNki,
	Bonus: BonusThree, BonusNeedsCapture: true,
	NoCaptureLimit: 100, LapLimit: 10000,
}

// with returns a rule set changed by edit.
func (r Rules) with(edit func(*Rules)) Rules {
	edit(&r)
	return r
}

// Book lists Kiothi's rule sets and options.
var Book = mancala.RuleBook[Rules]{
	Sets: []mancala.NamedRules[Rules]{
		{Name: "mancala-world", Doc: "Mancala World, Kiothi, in English.", Rules: mancalaWorld},
		{
			Name: "mancala-world-25", Doc: "The same with five rightmost pits filled, 25 seeds a side.",
			Rules: mancalaWorld.with(func(r *Rules) { r.Pits = 5 }),
		},
		{
			Name: "mancala-world-de", Doc: "The bonus as Mancala World's German page words it: its pits must be fresh.",
			Rules: mancalaWorld.with(func(r *Rules) { r.BonusFresh = true }),
		},
		{
			Name: "mancala-world-eu", Doc: "The bonus as Mancala World's Basque page words it: it needs no facing capture.",
			Rules: mancalaWorld.with(func(r *Rules) { r.BonusNeedsCapture = false }),
		},
		{
			Name: "wikipedia-it", Doc: "Italian Wikipedia, Kiothi, after A. Botta, Materi.",
			Rules: Rules{
				Pits: 5, Seeds: 6, Lifts: 1<<0 | 1<<2,
				Pickup: PickupAll, Protection: ProtectUnmoved, Crossing: true, LoneCapture: true,
				Bonus: BonusRun, NoCaptureLimit: 300, LapLimit: 10000,
			},
		},
	},
	Options: []mancala.Option[Rules]{
		{
			Name: "start", Doc: "Seeds in each of the owner's rightmost pits, and how many pits that is.",
			Values: "SEEDSxPITS such as 5x6, at most 10 pits and 60 seeds on both sides together",
			Get:    func(r *Rules) string { return fmt.Sprintf("%dx%d", r.Seeds, r.Pits) },
			Set:    setStart,
		},
		{
			Name: "lifts", Doc: "How many own pits an opening turn may empty; 0 alone means that there is no opening.",
			Values: "counts from 0 to 2 joined by +, such as 0+2",
			Get:    func(r *Rules) string { return r.Lifts.String() },
			Set:    setLifts,
		},
		mancala.WordOption("pickup", "How many seeds a sowing lifts: any number of the pit's seeds, or all of them.",
			func(r *Rules) *Pickup { return &r.Pickup },
			map[string]Pickup{"any": PickupAny, "all": PickupAll}, "any", "all"),
		mancala.BoolOption("first_lap", "The first lap of a turn may not end in an occupied own pit.",
			func(r *Rules) *bool { return &r.FirstLap }),
		mancala.WordOption("protection", "Which pits cannot be captured from: nki, those that held seeds after the opening, until a lift; unmoved, all, until their owner lifts from them.",
			func(r *Rules) *Protection { return &r.Protection },
			map[string]Protection{"nki": ProtectNki, "unmoved": ProtectUnmoved}, "nki", "unmoved"),
		mancala.BoolOption("crossing", "A capture needs a sowing that came back from the enemy row into the own row.",
			func(r *Rules) *bool { return &r.Crossing }),
		mancala.BoolOption("lone_capture", "The last seed is won even when the facing pit yields nothing.",
			func(r *Rules) *bool { return &r.LoneCapture }),
		mancala.WordOption("bonus", "The leftmost bonus: three, all three enemy pits or none; run, the pits before the first empty one.",
			func(r *Rules) *Bonus { return &r.Bonus },
			map[string]Bonus{"three": BonusThree, "run": BonusRun}, "three", "run"),
		mancala.BoolOption("bonus_needs_capture", "The bonus needs the facing capture.",
			func(r *Rules) *bool { return &r.BonusNeedsCapture }),
		mancala.BoolOption("bonus_fresh", "A bonus pit must have been empty when the turn began, or lifted from during it.",
			func(r *Rules) *bool { return &r.BonusFresh }),
		mancala.IntOption("no_capture_limit", "Turns without a capture that end the game.",
			func(r *Rules) *int { return &r.NoCaptureLimit }, 1, 10000),
		mancala.IntOption("lap_limit", "Laps after which a relay is cut.",
			func(r *Rules) *int { return &r.LapLimit }, 1, 1000000),
	},
	Check: check,
}

// setStart reads the option start.
func setStart(r *Rules, value string) error {
	seeds, pits, ok := strings.Cut(value, "x")
	if !ok {
		return fmt.Errorf("there is no x in it")
	}
	s, err := mancala.Number(seeds, 1, mancala.MaxSeeds/2)
	if err != nil {
		return fmt.Errorf("seeds: %w", err)
	}
	p, err := mancala.Number(pits, 1, width)
	if err != nil {
		return fmt.Errorf("pits: %w", err)
	}
	if total := 2 * s * p; total > mancala.MaxSeeds {
		return fmt.Errorf("that is %d seeds in all, over %d", total, mancala.MaxSeeds)
	}
	r.Seeds, r.Pits = s, p
	return nil
}

// setLifts reads the option lifts.
func setLifts(r *Rules, value string) error {
	var set LiftSet
	for count := range strings.SplitSeq(value, "+") {
		c, err := mancala.Number(count, 0, maxLifts)
		if err != nil {
			return err
		}
		if set.Has(c) {
			return fmt.Errorf("%d is given twice", c)
		}
		set |= 1 << c
	}
	r.Lifts = set
	return nil
}

// String returns the counts joined by +, as the option lifts is written.
func (l LiftSet) String() string {
	var counts []string
	for c := range maxLifts + 1 {
		if l.Has(c) {
			counts = append(counts, strconv.Itoa(c))
		}
	}
	return strings.Join(counts, "+")
}

// Max returns the largest count of the set.
func (l LiftSet) Max() int { return bits.Len8(uint8(l)) - 1 }

// leastNonzero returns the smallest count above zero of a set that has one.
func (l LiftSet) leastNonzero() int { return bits.TrailingZeros8(uint8(l) &^ 1) }

// check refuses the combinations in which the first player could not make the opening turn.
func check(r *Rules) error {
	if !r.Lifts.Has(0) && r.Lifts.leastNonzero() > r.Pits {
		return fmt.Errorf("lifts=%s needs %d occupied pits, but start=%dx%d fills %d; choose a start with more pits, or lifts with a smaller count",
			r.Lifts, r.Lifts.leastNonzero(), r.Seeds, r.Pits, r.Pits)
	}
	return nil
}
