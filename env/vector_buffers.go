package env

import "fmt"

// This file is the memory that a Vector writes into, which belongs to the caller.

// Buffers is where a Vector of n rows puts what it has to say, an entry a row. Each slice may be nil, and is not written
// then, or has the length that its comment says. The slices belong to the caller: a Vector writes them during Reset,
// ResetRows and Step, reads none of them, and keeps none, so that each call may be given others — such as the slices of
// one moment in a rollout's memory [moments, n, …].
//
// A step that fails writes nothing.
type Buffers struct {
	// What the player to act next sees. Where a game was reset in this very step (SameStep), it is the new one's start.
	Observations []float32 // [n, planes, 2, W], from the side of Players
	Masks        []bool    // [n, actions]: exactly the actions that Step accepts
	Players      []int32   // [n]: who acts next, 0 for South and 1 for North

	// What the step did. After a reset: zeros, and NoPlayer in Actors.
	Rewards     []float32 // [n]: of the player who made the step, who is in Actors
	BothRewards []float32 // [n, 2]: of South and North; they add up to zero
	Actors      []int32   // [n]: who made the step, or NoPlayer
	Terminated  []bool    // [n]: the step ended the game by its rules
	Truncated   []bool    // [n]: the step was the last one that the step limit allows

	// What a game's last step left. A row is written in the step in which Terminated or Truncated is set for it, under
	// every Autoreset, and keeps its content otherwise.
	FinalObservations []float32 // [n, planes, 2, W], from the side of FinalPlayers
	FinalPlayers      []int32   // [n]: who would have acted next

	Infos Infos
}

// Infos is Info in arrays: what a step tells beyond its observation and reward. It describes the step that was made, also
// where the game was reset after it (SameStep), and zeros after a reset.
type Infos struct {
	Stores   []int32 // [n, 2]: South's and North's, with the final sweep once the game is over
	Reasons  []int32 // [n]: why the game is over, a mancala.Reason: 0 not over, 1 stuck, 2 exhausted
	Laps     []int32 // [n]: laps of the sowing, 0 for an opening action
	Captured []int32 // [n, 2]: seeds that the step put into the stores, before any sweep
	Cut      []bool  // [n]: the relay reached the lap limit
	TurnOver []bool  // [n]: the step ended its player's turn
	Steps    []int32 // [n]: steps since the game's start
	Turns    []int32 // [n]: turns completed since the game's start
}

// NoPlayer stands in Buffers.Actors where no step was made, after a reset and under NextStep, and in Episode.Learner where
// nobody learns.
const NoPlayer = -1

// NewBuffers returns buffers for all that a Vector has to say.
func NewBuffers(v *Vector) *Buffers {
	n := v.Len()
	return &Buffers{
		Observations:      make([]float32, n*v.observationSize),
		Masks:             make([]bool, n*v.actionCount),
		Players:           make([]int32, n),
		Rewards:           make([]float32, n),
		BothRewards:       make([]float32, 2*n),
		Actors:            make([]int32, n),
		Terminated:        make([]bool, n),
		Truncated:         make([]bool, n),
		FinalObservations: make([]float32, n*v.observationSize),
		FinalPlayers:      make([]int32, n),
		Infos: Infos{
			Stores:   make([]int32, 2*n),
			Reasons:  make([]int32, n),
			Laps:     make([]int32, n),
			Captured: make([]int32, 2*n),
			Cut:      make([]bool, n),
			TurnOver: make([]bool, n),
			Steps:    make([]int32, n),
			Turns:    make([]int32, n),
		},
	}
}

// check refuses buffers that do not fit a Vector.
func (b *Buffers) check(v *Vector) error {
	n := v.Len()
	if b == nil {
		return fmt.Errorf("buffers are nil: NewBuffers makes some; leave out what is not wanted by setting single slices to nil")
	}
	for _, c := range [...]struct {
		name      string
		got, want int
	}{
		{"Observations", len(b.Observations), n * v.observationSize},
		{"Masks", len(b.Masks), n * v.actionCount},
		{"Players", len(b.Players), n},
		{"Rewards", len(b.Rewards), n},
		{"BothRewards", len(b.BothRewards), 2 * n},
		{"Actors", len(b.Actors), n},
		{"Terminated", len(b.Terminated), n},
		{"Truncated", len(b.Truncated), n},
		{"FinalObservations", len(b.FinalObservations), n * v.observationSize},
		{"FinalPlayers", len(b.FinalPlayers), n},
		{"Infos.Stores", len(b.Infos.Stores), 2 * n},
		{"Infos.Reasons", len(b.Infos.Reasons), n},
		{"Infos.Laps", len(b.Infos.Laps), n},
		{"Infos.Captured", len(b.Infos.Captured), 2 * n},
		{"Infos.Cut", len(b.Infos.Cut), n},
		{"Infos.TurnOver", len(b.Infos.TurnOver), n},
		{"Infos.Steps", len(b.Infos.Steps), n},
		{"Infos.Turns", len(b.Infos.Turns), n},
	} {
		if c.got != 0 && c.got != c.want {
			return fmt.Errorf("buffer %s has %d entries, expected %d for %d rows, or nil", c.name, c.got, c.want, n)
		}
	}
	return nil
}
