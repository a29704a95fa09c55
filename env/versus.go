package env

import (
	"context"
	"fmt"
	"math/rand/v2"

	"kiothi/env/choice"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the single-agent view of a game: a learner against an opponent that belongs to the environment.

// An Opponent chooses the moves of the player who does not learn. Every agent of package agent is one.
type Opponent interface {
	// Choose returns an action that is legal in s, which is not over. All chance is drawn from rng.
	Choose(ctx context.Context, s *mancala.State, rng *rand.Rand) (mancala.Action, error)
}

// A Seat says where the learner of a Versus sits.
type Seat int

// The seats.
const (
	SouthSeat       Seat = iota // South, who moves first
	NorthSeat                   // North
	AlternatingSeat             // South in the first episode, North in the second, and so on
	RandomSeat                  // drawn by the episode's seed, so that an episode depends on its seed alone
)

var seatNames = []string{"south", "north", "alternating", "random"}

// String returns the word that ParseSeat reads, and "Seat(9)" for what is no seat.
func (s Seat) String() string {
	if s < SouthSeat || s > RandomSeat {
		return fmt.Sprintf("Seat(%d)", int(s))
	}
	return seatNames[s]
}

// ParseSeat reads "south", "north", "alternating" or "random".
func ParseSeat(text string) (Seat, error) {
	for i, name := range seatNames {
		if name == text {
			return Seat(i), nil
		}
	}
	return 0, choice.Unknown("seat", text, seatNames)
}

// Of returns where the learner sits in an episode: which one it is, counted from 0, and its seed.
func (s Seat) Of(episode, game uint64) mancala.Player {
	switch s {
	case AlternatingSeat:
		return mancala.Player(episode % 2)
	case RandomSeat:
		return mancala.Player(seed.Mix(game, seed.Seat) >> 63)
	}
	return mancala.Player(s)
}

// OpponentSeed returns the seed of an opponent's chance in an episode of a seed, after a number of steps of both players.
func OpponentSeed(game uint64, steps int) uint64 { return seed.Mix(game, seed.Opponent, uint64(steps)) }

// VersusOptions are the options of a Versus.
type VersusOptions struct {
	// Options are those of the game, but StepLimit counts the learner's steps alone. A game is truncated only when the
	// learner would act next, so that there is a last observation from the learner's side that can be judged.
	Options
	Seat Seat // the learner's; the zero value is SouthSeat
}

// A Versus is a game against an opponent, as one learner sees it: an environment for algorithms that know of a single
// agent. The opponent's turns, all steps of them, are played inside Reset and Step. It is not safe for concurrent use.
type Versus struct {
	env      *Env // without a step limit
	opponent Opponent
	seat     Seat
	limit    int

	learner  mancala.Player
	episodes uint64 // begun
	seed     uint64
	steps    int // the learner's
	running  bool
	replies  []mancala.Action
	chance   rand.PCG
	rng      *rand.Rand // on chance
}

// NewVersus returns the environment of a learner who plays a game against an opponent. Call Reset before Step.
func NewVersus(g mancala.Game, opponent Opponent, o VersusOptions) (*Versus, error) {
	if opponent == nil {
		return nil, fmt.Errorf("there is no opponent to play against")
	}
	if o.Seat < SouthSeat || o.Seat > RandomSeat {
		return nil, fmt.Errorf("seat %d, expected SouthSeat, NorthSeat, AlternatingSeat or RandomSeat", int(o.Seat))
	}
	e, err := New(g, o.Options)
	if err != nil {
		return nil, err
	}
	v := &Versus{env: e, opponent: opponent, seat: o.Seat, limit: e.limit}
	v.env.limit = 0
	v.rng = rand.New(&v.chance)
	return v, nil
}

// Game returns the game under its rule set.
func (v *Versus) Game() mancala.Game { return v.env.Game() }

// ObservationSpace describes the observations.
func (v *Versus) ObservationSpace() Box { return v.env.ObservationSpace() }

// ActionSpace describes the actions; which of them are legal is told by ActionMask.
func (v *Versus) ActionSpace() Discrete { return v.env.ActionSpace() }

// Learner returns the learner's seat in the current episode.
func (v *Versus) Learner() mancala.Player { return v.learner }

// Replies returns what the opponent played inside the last Reset or Step, in order. The slice is valid until the next call.
func (v *Versus) Replies() []mancala.Action { return v.replies }

// State returns a copy of the position.
func (v *Versus) State() mancala.State { return v.env.State() }

// Render returns the board as text.
func (v *Versus) Render() string { return v.env.Render() }

// Reset starts a new game, in which the opponent moves until the learner is to act. The seed drives the opponent's
// chance, SampleAction and a RandomSeat. It fails when the opponent does.
//
// The Timestep differs from that of an Env in this: Observation is from the learner's side, also at the end; Reward is
// the learner's; and of Info, Player is the learner until the game is over, Turn and TurnOver are about the learner's own
// step, not the opponent's replies (see Replies), and Steps counts the learner's. Should the opponent's first moves end
// the game, the Timestep says so.
func (v *Versus) Reset(ctx context.Context, s uint64) (Timestep, error) {
	v.seed, v.steps, v.running = s, 0, true
	v.learner = v.seat.Of(v.episodes, s)
	v.episodes++
	t := v.env.Reset(s)
	v.env.episode.Learner = int(v.learner)
	return v.reply(ctx, t)
}

// Step plays an action of the learner, and then the opponent's until the learner is to act again. An illegal action
// returns a *mancala.IllegalError and changes nothing. When the opponent fails, or chooses an illegal action, the game
// cannot go on: Step returns the error, and ErrNotRunning until the next Reset.
func (v *Versus) Step(ctx context.Context, a mancala.Action) (Timestep, error) {
	if !v.running {
		return Timestep{}, ErrNotRunning
	}
	t, err := v.env.Step(a)
	if err != nil {
		return Timestep{}, err
	}
	v.steps++
	return v.reply(ctx, t)
}

// reply lets the opponent move after the learner's step t, or the reset, and returns what the learner sees.
func (v *Versus) reply(ctx context.Context, t Timestep) (Timestep, error) {
	turn, turnOver := t.Info.Turn, t.Info.TurnOver
	v.replies = v.replies[:0]
	for !t.Terminated && t.Info.Player != v.learner {
		var err error
		if t, err = v.answer(ctx); err != nil {
			v.running = false
			return Timestep{}, err
		}
	}
	if t.Terminated && t.Info.Player != v.learner {
		s := v.env.state
		s.Player = v.learner // the end leaves nothing half done that would not be the learner's
		v.env.observer.Observe(t.Observation, &s)
	}
	if !t.Terminated && v.limit > 0 && v.steps >= v.limit {
		v.env.truncate(&t)
	}
	t.Reward = t.Rewards[v.learner]
	t.Info.Turn, t.Info.TurnOver, t.Info.Steps = turn, turnOver, v.steps
	v.running = !t.Terminated && !t.Truncated
	return t, nil
}

// answer plays one action of the opponent.
func (v *Versus) answer(ctx context.Context) (Timestep, error) {
	s := v.env.state // a copy, so that the opponent cannot change the game
	seed.Reseed(&v.chance, OpponentSeed(v.seed, v.env.steps))
	a, err := v.opponent.Choose(ctx, &s, v.rng)
	if err != nil {
		return Timestep{}, fmt.Errorf("the opponent failed as %s in %s %s, position %q: %w", v.learner.Other(),
			v.Game().Name(), v.Game().Rules(), v.Game().Format(&v.env.state), err)
	}
	t, err := v.env.Step(a)
	if err != nil {
		return Timestep{}, fmt.Errorf("the opponent chose an illegal action as %s in %s %s, position %q: %w", v.learner.Other(),
			v.Game().Name(), v.Game().Rules(), v.Game().Format(&v.env.state), err)
	}
	v.replies = append(v.replies, a)
	return t, nil
}

// ActionMask writes which actions Step accepts now into dst, which has one entry an action. All are false when no game is
// running.
func (v *Versus) ActionMask(dst []bool) {
	clear(dst)
	if v.running {
		v.env.ActionMask(dst)
	}
}

// Legal returns the actions that Step accepts now, in ascending order. The slice is valid until the next call.
func (v *Versus) Legal() []mancala.Action {
	if !v.running {
		return nil
	}
	return v.env.Legal()
}

// SampleAction returns one of the legal actions, each as likely as the others, from the generator that Reset seeded. It
// returns ErrNotRunning when there is none.
func (v *Versus) SampleAction() (mancala.Action, error) {
	if !v.running {
		return 0, ErrNotRunning
	}
	return v.env.SampleAction()
}
