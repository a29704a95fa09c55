package arena

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"

	"kiothi/agent"
	"kiothi/env/choice"
	"kiothi/env/mancala"
	"kiothi/train/rating"
)

// This file says what a tournament is made of.

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
	// GivenOpenings plays from Options.Positions.
	GivenOpenings
)

// MaxGames is the largest number of games in a tournament. All of them are kept until its end.
const MaxGames = 1_000_000

// RandomPlies is the number of random plies that open a game without opening turns: two by each player. From the start of
// Rio Kadalis they lead to 627 different positions (388 with five holes), enough for a match without repeating one, with
// 17 of the 48 stones won on average. Two plies fewer lead to 32 positions only, and two more decide too much.
const RandomPlies = 4

var openingsNames = []string{"random", "own", "given"}

// String returns "random", "own" or "given".
func (o Openings) String() string { return openingsNames[o] }

// ParseOpenings reads "random" or "own".
func ParseOpenings(text string) (Openings, error) {
	words := openingsNames[:GivenOpenings]
	for i, name := range words {
		if name == text {
			return Openings(i), nil
		}
	}
	return 0, choice.Unknown("opening", text, words)
}

// Options of a tournament. The zero value of each field but Games is a sensible choice.
type Options struct {
	Games    int // of each match: an even number, because each opening is played from both seats; MaxGames in all
	Seed     uint64
	Openings Openings
	// Positions are those from which games with GivenOpenings begin, in this order, and again from the first when they run
	// out. None of them is over.
	Positions []mancala.State
	// Warrior is how many wins a win by exactly two seeds is worth in match points: 1, 2 or 10 (rules, section 2.5).
	// 0 means 1.
	Warrior int

	// Forfeits lets an agent that plays an illegal action, fails, panics or is late lose that game, and the tournament go
	// on. Without it, that ends the tournament with an error. (A panic in a goroutine of the agent's own, or an error of the
	// Go runtime that cannot be recovered from, ends the program all the same.)
	Forfeits bool
	// MoveTime bounds the time of one call of an agent, which is one action: a turn of Kiothi's opening has several. 0 is no
	// bound. The agent's context ends with the time; an answer that comes later loses the game. An agent that does not
	// return for another second is left behind: its goroutine goes on in the background, for nothing can stop it, and takes
	// processor time from the others. An agent.Batch gets MoveTime for a whole batch; from the first batch on for which that
	// is too short, its games are asked one by one, and only that decides games.
	MoveTime time.Duration

	// Workers is the number of goroutines that ask agents. 0 means one a processor. With more workers than processors agents
	// share a processor, and with it the time of a move.
	Workers int
	// Concurrent is the largest number of games that run at once. 0 means 128 an agent; 32 an agent when one of them is an
	// agent.Starter, whose players take memory for each game; and 4 a worker when there is no agent.Batch beside that.
	Concurrent int

	// SPRT, when set, is a sequential test that ends a match of two as soon as it is decided. It looks at the finished pairs of
	// games in the order of their numbers, whatever the order in which they finish, and what was played of pairs after the
	// deciding one is dropped. Games is then the most that are played.
	SPRT *rating.SPRTConfig
	// Progress, when set, is called by the goroutine that called Match or RoundRobin whenever games have finished, with their
	// number so far.
	Progress func(done int)
	// Warn, when set, is told of what went wrong without an influence on a game, such as a player that could not be closed.
	Warn func(error)

	grace time.Duration // how long after its time an agent may take to return
}

// Validate refuses what cannot be played.
func (o *Options) Validate() error {
	if o.Games < 2 || o.Games > MaxGames || o.Games%2 != 0 {
		return fmt.Errorf("games of a match: found %d, expected an even number from 2 to %d, because each opening is played from both seats", o.Games, MaxGames)
	}
	if o.Warrior != 0 && o.Warrior != 1 && o.Warrior != 2 && o.Warrior != 10 {
		return fmt.Errorf("a warrior's victory that counts %d wins: expected 1, 2 or 10", o.Warrior)
	}
	if o.Workers < 0 || o.Concurrent < 0 {
		return fmt.Errorf("%d workers for %d games at once: expected positive numbers, or 0 for the default", o.Workers, o.Concurrent)
	}
	if o.MoveTime < 0 {
		return fmt.Errorf("a bound of %v for a move: expected a positive time, or 0 for none", o.MoveTime)
	}
	if given := o.Openings == GivenOpenings; given != (len(o.Positions) > 0) {
		return errors.New("positions to begin from belong to the openings called given, and only to them")
	}
	for i := range o.Positions {
		if o.Positions[i].Over() {
			return fmt.Errorf("position %d to begin from is over", i+1)
		}
	}
	if o.SPRT != nil {
		return o.SPRT.Validate()
	}
	return nil
}

// CheckFor refuses what cannot be played by so many contenders.
func (o *Options) CheckFor(contenders int) error {
	if err := o.Validate(); err != nil {
		return err
	}
	pairs := contenders * (contenders - 1) / 2
	switch {
	case contenders < 2:
		return fmt.Errorf("%d agents: expected at least 2", contenders)
	case pairs > MaxGames/o.Games:
		return fmt.Errorf("%d matches of %d games: expected at most %d games in all", pairs, o.Games, MaxGames)
	case contenders > 2 && o.SPRT != nil:
		return fmt.Errorf("%d agents: expected 2 for a sequential test", contenders)
	}
	return nil
}

// filled returns the options with zeros replaced by what they stand for.
func (o Options) filled(contenders []Contender) Options {
	o.Warrior = cmp.Or(o.Warrior, 1)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	o.grace = cmp.Or(o.grace, time.Second)
	if o.Concurrent == 0 {
		starters, batches := false, false
		for _, c := range contenders {
			if _, ok := c.Agent.(agent.Batch); ok {
				batches = true
			} else if _, ok := c.Agent.(agent.Starter); ok {
				starters = true
			}
		}
		switch {
		case !starters:
			o.Concurrent = 128 * len(contenders)
		case batches:
			o.Concurrent = 32 * len(contenders)
		default:
			o.Concurrent = 4 * o.Workers
		}
	}
	return o
}
