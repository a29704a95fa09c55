package protocol

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the command go: when a search ends.

// Limits say when a search ends, the first that is reached. The zero value leaves it to the engine.
type Limits struct {
	MoveTime    time.Duration // for the whole turn; 0: none
	Depth       int           // turns; 0: none
	Nodes       int           // positions that a turn was played to reach; 0: none
	Simulations int           // of a tree search; 0: none
	Clock       *Clock        // nil: none
	Infinite    bool          // the search ends by stop alone
}

// A Clock is what the players have left for the rest of the game, by mancala.Player, and what each gets after each turn.
type Clock struct{ Left, Increment [2]time.Duration }

// The words of go.
var limitWords = []string{"movetime", "depth", "nodes", "sims", "p1time", "p2time", "p1inc", "p2inc", "infinite"}

// longest is the longest time in milliseconds, a year: nothing that is computed from it overflows.
const longest = 365 * 24 * 60 * 60 * 1000

// ParseLimits reads what stands after go.
func ParseLimits(words []string) (Limits, error) {
	var l Limits
	var clock Clock
	seen := map[string]bool{}
	for i := 0; i < len(words); i++ {
		word := words[i]
		if seen[word] {
			return Limits{}, fmt.Errorf("go: %s is given twice", word)
		}
		seen[word] = true
		if word == "infinite" {
			l.Infinite = true
			continue
		}
		if !slices.Contains(limitWords, word) {
			return Limits{}, fmt.Errorf("go: %w", choice.Unknown("limit", word, limitWords))
		}
		if i++; i == len(words) {
			return Limits{}, fmt.Errorf("go: expected a number after %s", word)
		}
		low, high := 1, math.MaxInt
		switch word {
		case "movetime":
			high = longest
		case "p1time", "p2time", "p1inc", "p2inc":
			low, high = 0, longest
		}
		n, err := mancala.Number(choice.Cut(words[i]), low, high)
		if err != nil {
			return Limits{}, fmt.Errorf("go: %s: %w", word, err)
		}
		duration := time.Duration(n) * time.Millisecond
		switch word {
		case "movetime":
			l.MoveTime = duration
		case "depth":
			l.Depth = n
		case "nodes":
			l.Nodes = n
		case "sims":
			l.Simulations = n
		case "p1time", "p2time":
			clock.Left[word[1]-'1'] = duration
		case "p1inc", "p2inc":
			clock.Increment[word[1]-'1'] = duration
		}
	}
	switch {
	case seen["p1time"] != seen["p2time"]:
		return Limits{}, fmt.Errorf("go: expected both p1time and p2time, or neither")
	case (seen["p1inc"] || seen["p2inc"]) && !seen["p1time"]:
		return Limits{}, fmt.Errorf("go: expected p1time and p2time together with p1inc or p2inc")
	case l.Infinite && len(seen) > 1:
		return Limits{}, fmt.Errorf("go: infinite excludes all other limits")
	}
	if seen["p1time"] {
		l.Clock = &clock
	}
	return l, nil
}

// String returns the command go with these limits. Times are rounded up to whole milliseconds.
func (l Limits) String() string {
	text := "go"
	add := func(word string, n int) {
		if n > 0 {
			text += " " + word + " " + strconv.Itoa(n)
		}
	}
	add("movetime", milliseconds(l.MoveTime))
	add("depth", l.Depth)
	add("nodes", l.Nodes)
	add("sims", l.Simulations)
	if c := l.Clock; c != nil {
		text += fmt.Sprintf(" p1time %d p2time %d", milliseconds(c.Left[0]), milliseconds(c.Left[1]))
		add("p1inc", milliseconds(c.Increment[0]))
		add("p2inc", milliseconds(c.Increment[1]))
	}
	if l.Infinite {
		text += " infinite"
	}
	return text
}

func milliseconds(d time.Duration) int { return int((d + time.Millisecond - 1) / time.Millisecond) }
