package env

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the Vector: many games in one call. What it writes is in vector_buffers.go, how it steps in vector_step.go.

// VectorOptions are the options of a Vector.
type VectorOptions struct {
	Autoreset Autoreset // what happens to a game that is over; the zero value is SameStep
	Workers   int       // goroutines that share the rows, the caller's included; 0: one a processor. The results are the same.
}

// A Vector is n games, the rows, that step together. Rows may differ in their rule sets, rewards, step limits and start
// positions, as long as their observations and actions have the same shape.
//
// What the rows have to say is written into buffers of the caller. Step and SampleActions allocate nothing. A Vector is
// not safe for concurrent use. Close it after its last use, to end its workers.
type Vector struct {
	kind            []*Env // what each row's game is like
	observationSize int
	actionCount     int
	autoreset       Autoreset

	rows   []row
	states []mancala.State
	reset  bool // Reset was called
	closed bool

	// A step is tried in next before it is made, so that it can be dropped as a whole.
	next  []mancala.State
	turns []mancala.Turn

	episodes []Episode // by row, of those rows whose kind wants to be told
	team     *team
}

// A row is what a game is beside its state.
type row struct {
	seed         uint64
	episode      uint64 // games of this row before the current one
	source       rand.PCG
	steps, turns int32
	running      bool             // the game is neither terminated nor truncated
	ended        bool             // the game ended in this step, and its kind has not been told yet
	listed       bool             // legal is what it says
	legal        []mancala.Action // in the current state
}

// usualActions is room for the legal actions of any state of the two games, so that listing them allocates nothing.
const usualActions = 64

// NewVector returns n rows, of which row i is a game like envs[i%len(envs)]: it has that environment's game and options.
// The environments themselves take no part. Environments whose observations or actions have different shapes are refused,
// such as Rio Kadalis with six holes and with five. Call Reset before Step.
func NewVector(n int, envs []*Env, o VectorOptions) (*Vector, error) {
	switch {
	case len(envs) == 0:
		return nil, fmt.Errorf("a vector of no environments, expected at least one to take the rows' games and options from")
	case n < len(envs):
		return nil, fmt.Errorf("a vector of %d rows for %d environments, expected at least one row each", n, len(envs))
	case o.Autoreset < SameStep || o.Autoreset > Disabled:
		return nil, fmt.Errorf("autoreset mode %d, expected SameStep, NextStep or Disabled", int(o.Autoreset))
	case o.Workers < 0:
		return nil, fmt.Errorf("%d workers, expected a positive number, or 0 for one a processor", o.Workers)
	}
	for i, e := range envs {
		if e == nil {
			return nil, fmt.Errorf("environment %d of %d is nil, expected one that New has returned", i, len(envs))
		}
		if a, b := envs[0].game, e.game; a.Name() != b.Name() || a.Width() != b.Width() {
			return nil, fmt.Errorf("environment 0 is %s %s, with observations %v, and environment %d is %s %s, with observations %v: expected one shape in a vector",
				a.Name(), a.Rules(), envs[0].ObservationSpace().Shape, i, b.Name(), b.Rules(), e.ObservationSpace().Shape)
		}
	}
	v := &Vector{
		kind:            make([]*Env, n),
		observationSize: envs[0].observer.Size(),
		actionCount:     envs[0].game.Actions(),
		autoreset:       o.Autoreset,
		rows:            make([]row, n),
		states:          make([]mancala.State, n),
		next:            make([]mancala.State, n),
		turns:           make([]mancala.Turn, n),
	}
	lists := make([]mancala.Action, n*usualActions)
	for i := range v.rows {
		v.kind[i] = envs[i%len(envs)]
		v.states[i] = v.kind[i].start
		v.rows[i].legal = lists[i*usualActions : i*usualActions : (i+1)*usualActions]
	}
	for i := range v.rows {
		if v.kind[i].ended != nil && v.episodes == nil {
			v.episodes = make([]Episode, n)
		}
	}
	for i := range v.episodes {
		v.episodes[i].Row = i
	}
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	v.team = newTeam(v, workers)
	return v, nil
}

// Len returns n, the number of rows.
func (v *Vector) Len() int { return len(v.rows) }

// Game returns the game of a row, under the row's rule set.
func (v *Vector) Game(row int) mancala.Game { return v.kind[row].game }

// State returns a copy of a row's position.
func (v *Vector) State(row int) mancala.State { return v.states[row] }

// Autoreset returns what happens to a game that is over.
func (v *Vector) Autoreset() Autoreset { return v.autoreset }

// ObservationSpace describes the observation of one row.
func (v *Vector) ObservationSpace() Box { return v.kind[0].ObservationSpace() }

// ActionSpace describes the actions of one row.
func (v *Vector) ActionSpace() Discrete { return v.kind[0].ActionSpace() }

// ErrClosed is returned by a Vector that was closed.
var ErrClosed = errors.New("the vector was closed: make another one with NewVector")

// Close ends the workers; further calls of Reset, Step and the like return ErrClosed. Closing again does nothing.
func (v *Vector) Close() {
	if !v.closed {
		v.closed = true
		v.team.close()
	}
}

// ready says why a vector cannot step, if it cannot.
func (v *Vector) ready() error {
	switch {
	case v.closed:
		return ErrClosed
	case !v.reset:
		return ErrNotRunning
	}
	return nil
}

// Seeds returns n seeds out of one, for Reset: the seed of row i is seed.Mix(run, seed.Row, i). No two are equal.
func Seeds(run uint64, n int) []uint64 {
	seeds := make([]uint64, n)
	for i := range seeds {
		seeds[i] = seed.Mix(run, seed.Row, uint64(i))
	}
	return seeds
}

// EpisodeSeed returns the seed of a row's k-th game, counted from 0, out of the row's seed: seed.Mix(row, seed.Episode, k).
func EpisodeSeed(row, k uint64) uint64 { return seed.Mix(row, seed.Episode, k) }
