// Package selfplay plays games of a network against itself, hundreds at once in lockstep: each round takes every search to
// its next leaf and judges all the leaves in one batch.
//
// Games belong to streams, and a stream is a function of the run's seed, its own number and the weights alone. The number of
// streams is part of a run's configuration; the number of workers that run them is not, and changes nothing but the time.
// All chance of a move is drawn from a seed made of stream, game and ply, so that a search that was cut off can be begun
// anew and is the same.
//
// A game that is under way when the weights change goes on with the new ones; the search of its current move begins anew, so
// that no search mixes two networks.
package selfplay

import (
	"fmt"

	"kiothi/agent/margin"
	"kiothi/agent/search"
	"kiothi/env/mancala"
)

// Config holds the settings of self-play. All of them determine the games.
type Config struct {
	Seed    uint64 // of the run
	Streams int
	Slots   int // games that a stream plays at once
	Quota   int // games that a stream finishes in an iteration

	Simulations        int // a move of the sowing phase
	OpeningSimulations int // an action of an opening turn
	Temperature        float64
	RandomOpenings     float64 // share of games that begin at random: with random opening turns, or random plies

	Search  search.Config
	Utility margin.Utility
}

// RandomPlies is the largest number of random plies that begin a game without opening turns, in the share of games that
// begin at random; all numbers up to it are equally likely.
const RandomPlies = 8

// Validate refuses settings that no self-play can use.
func (c *Config) Validate() error {
	for _, n := range []struct {
		name  string
		value int
	}{{"streams", c.Streams}, {"slots", c.Slots}, {"quota", c.Quota}, {"simulations", c.Simulations}, {"opening simulations", c.OpeningSimulations}} {
		if n.value < 1 {
			return fmt.Errorf("self-play: %s %d, expected at least 1", n.name, n.value)
		}
	}
	if !(c.Temperature >= 0) {
		return fmt.Errorf("self-play: temperature %v, expected 0 or more", c.Temperature)
	}
	if !(c.RandomOpenings >= 0 && c.RandomOpenings <= 1) {
		return fmt.Errorf("self-play: share of random openings %v, expected 0 to 1", c.RandomOpenings)
	}
	if err := c.Utility.Validate(); err != nil {
		return fmt.Errorf("self-play: %w", err)
	}
	if err := c.Search.Validate(); err != nil {
		return fmt.Errorf("self-play: %w", err)
	}
	return nil
}

// simulationsFor returns the simulations of the action that a state asks for.
func (c *Config) simulationsFor(s *mancala.State) int {
	if s.Phase == mancala.Sow {
		return c.Simulations
	}
	return c.OpeningSimulations
}
