package arena

import (
	"cmp"
	"fmt"
	"runtime"

	"kiothi/agent"
	"kiothi/env/choice"
)

// This file says what a match is made of.

// A Contender is an agent and the name by which the result calls it.
type Contender struct {
	Name  string
	Agent agent.Agent
}

// Openings says how the games of a match begin.
type Openings int

// The ways to begin a game.
const (
	// RandomOpenings draws an opening for each pair of games. Where the game has opening turns, both players' are drawn
	// by scripted.SampleOpening. Where it has none, as in Rio Kadalis, the first RandomPlies plies are.
	RandomOpenings Openings = iota
	// OwnOpenings lets the agents play from the start of the game.
	OwnOpenings
)

// MaxGames is the largest number of games in a match. All of them are kept until its end.
const MaxGames = 1_000_000

// RandomPlies is the number of random plies that open a game without opening turns: two by each player. From the start of
// Rio Kadalis they lead to 627 different positions (388 with five holes), enough for a match without repeating one, with
// 17 of the 48 stones won on average. Two plies fewer lead to 32 positions only, and two more decide too much.
const RandomPlies = 4

var openingsNames = []string{"random", "own"}

// String returns the word that ParseOpenings reads.
func (o Openings) String() string { return openingsNames[o] }

// ParseOpenings reads "random" or "own".
func ParseOpenings(text string) (Openings, error) {
	for i, name := range openingsNames {
		if name == text {
			return Openings(i), nil
		}
	}
	return 0, choice.Unknown("opening", text, openingsNames)
}

// Options of a match. The zero value of each field but Games is a sensible choice.
type Options struct {
	Games    int // an even number up to MaxGames, because each opening is played from both seats
	Seed     uint64
	Openings Openings
	// Warrior is how many wins a win by exactly two seeds is worth in Result.Points: 1, 2 or 10 (rules, section 2.5).
	// 0 means 1.
	Warrior int
	// Workers is the number of goroutines that ask an agent which is no agent.Batch. 0 means one a processor.
	Workers int
	// Concurrent is the largest number of games that run at once. 0 means 256.
	Concurrent int
	// Progress, when set, is called by the goroutine that called Match whenever games have finished, with their number so
	// far.
	Progress func(done int)
}

// Check refuses what cannot be played.
func (o *Options) Check() error {
	if o.Games < 2 || o.Games > MaxGames || o.Games%2 != 0 {
		return fmt.Errorf("a match of %d games: expected an even number from 2 to %d, because each opening is played from both seats", o.Games, MaxGames)
	}
	if o.Warrior != 0 && o.Warrior != 1 && o.Warrior != 2 && o.Warrior != 10 {
		return fmt.Errorf("a warrior's victory that counts %d wins: expected 1, 2 or 10", o.Warrior)
	}
	if o.Workers < 0 || o.Concurrent < 0 {
		return fmt.Errorf("%d workers for %d games at once: expected positive numbers, or 0 for the default", o.Workers, o.Concurrent)
	}
	return nil
}

// filled returns the options with zeros replaced by what they stand for.
func (o Options) filled() Options {
	o.Warrior = cmp.Or(o.Warrior, 1)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.Concurrent = cmp.Or(o.Concurrent, 256)
	return o
}
