package env

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// Options of an Env. The zero value is a game from its start, rewarded by its outcome, without a step limit.
type Options struct {
	Reward    Reward // nil: Outcome
	StepLimit int    // steps after which an unfinished game is truncated; 0: none
	Position  string // the text of the position that games start from; "": the game's start

	// Ended, if set, is told of each game that ended, whether terminated or truncated: Recorder.Add and Statistics.Add are
	// meant for it. It is called during the step that ends the game, by the goroutine that called Step.
	Ended func(*Episode)
}

// An Env is one game at a time, for two players in turn. It is not safe for concurrent use.
type Env struct {
	game     mancala.Game
	observer *Observer
	reward   Reward
	limit    int
	start    mancala.State
	ended    func(*Episode)

	state    mancala.State
	source   rand.PCG
	steps    int
	turns    int
	running  bool    // a game goes on: Reset was called, and it is neither terminated nor truncated
	episode  Episode // what ended is told
	legal    []mancala.Action
	observed []float32
}

// Info is what a step tells beyond its observation and reward.
type Info struct {
	Player   mancala.Player // who acts next
	Turn     mancala.Turn   // what the last step did; zero after a reset
	TurnOver bool           // the last step ended its player's turn, so that the other acts next or the game is over
	Steps    int            // steps since the reset
	Turns    int            // turns completed since the reset
	Stores   [2]int         // South's and North's, with the final sweep once the game is over
	Reason   mancala.Reason // why the game is over
	Series   Series         // of a Match or a Competition; zero elsewhere
}

// A Timestep is what the players see after a reset or a step.
type Timestep struct {
	Observation []float32  // [planes, 2, W], from the side of Info.Player; valid until the next call
	Reward      float64    // of the player who made the step
	Rewards     [2]float64 // of South and North; they add up to zero
	Terminated  bool       // the game is over by its rules
	Truncated   bool       // the game was cut short by the step limit
	Info        Info
}

// ErrNotRunning is returned by Step before the first Reset and after the end of a game.
var ErrNotRunning = errors.New("no game is running: call Reset first")

// New returns an environment for a game. Call Reset before Step.
func New(g mancala.Game, o Options) (*Env, error) {
	observer, err := NewObserver(g)
	if err != nil {
		return nil, err
	}
	if o.StepLimit < 0 {
		return nil, fmt.Errorf("step limit %d, expected a positive number, or 0 for none", o.StepLimit)
	}
	e := &Env{game: g, observer: observer, reward: o.Reward, limit: o.StepLimit, start: g.Start(), ended: o.Ended,
		observed: make([]float32, observer.Size())}
	if e.reward == nil {
		e.reward = Outcome
	}
	if o.Position != "" {
		if e.start, err = g.Parse(o.Position); err != nil {
			return nil, err
		}
		if e.start.Over() {
			return nil, fmt.Errorf("position %q is over (%s): no game can start from it", o.Position, e.start.End)
		}
	}
	return e, nil
}

// Game returns the game under its rule set.
func (e *Env) Game() mancala.Game { return e.game }

// ObservationSpace describes the observations.
func (e *Env) ObservationSpace() Box {
	planes := e.observer.Planes()
	return Box{Shape: []int{len(planes), 2, e.game.Width()}, Low: 0, High: 1, Planes: planes}
}

// ActionSpace describes the actions; which of them are legal is told by ActionMask.
func (e *Env) ActionSpace() Discrete { return Discrete{e.game.Actions()} }

// Reset starts a new game. The games hold no chance: the seed drives SampleAction alone.
func (e *Env) Reset(seed uint64) Timestep {
	e.state = e.start
	e.source.Seed(seed, 0)
	e.steps, e.turns = 0, 0
	e.running = true
	e.episode.begin(e.game, &e.start, seed)
	return e.observe(mancala.Turn{}, false)
}

// Step plays an action of the player to move. An illegal action returns a *mancala.IllegalError and changes nothing, so
// that another can be tried.
func (e *Env) Step(a mancala.Action) (Timestep, error) {
	if !e.running {
		return Timestep{}, ErrNotRunning
	}
	player := e.state.Player
	turn, err := e.game.Play(&e.state, a)
	if err != nil {
		return Timestep{}, err
	}
	e.steps++
	turnOver := e.state.Over() || e.state.Player != player
	if turnOver {
		e.turns++
	}
	t := e.observe(turn, turnOver)
	if t.Terminated {
		t.Rewards = both(e.reward(t.Info.Stores[mancala.South] - t.Info.Stores[mancala.North]))
		t.Reward = t.Rewards[player]
	}
	t.Truncated = !t.Terminated && e.limit > 0 && e.steps >= e.limit
	e.running = !t.Terminated && !t.Truncated
	if e.ended != nil {
		e.episode.step(a, turn)
		if !e.running {
			e.tell(&t)
		}
	}
	return t, nil
}

// tell tells of the game that ended with t.
func (e *Env) tell(t *Timestep) {
	e.episode.end(e.turns, t.Truncated, t.Info.Reason, t.Info.Stores, t.Rewards[mancala.South])
	e.ended(&e.episode)
}

// truncate cuts the running game short at t, its last Timestep, for a reason that a wrapper has.
func (e *Env) truncate(t *Timestep) {
	t.Truncated, e.running = true, false
	if e.ended != nil {
		e.tell(t)
	}
}

func (e *Env) observe(turn mancala.Turn, turnOver bool) Timestep {
	e.observer.Observe(e.observed, &e.state)
	return Timestep{
		Observation: e.observed,
		Terminated:  e.state.Over(),
		Info: Info{Player: e.state.Player, Turn: turn, TurnOver: turnOver, Steps: e.steps, Turns: e.turns,
			Stores: e.game.Final(&e.state), Reason: e.state.End},
	}
}

// ActionMask writes which actions Step accepts now into dst, which has one entry an action. All are false when no game is
// running.
func (e *Env) ActionMask(dst []bool) {
	clear(dst)
	if e.running {
		e.legal = mancala.Mask(e.game, &e.state, dst, e.legal)
	}
}

// Legal returns the actions that Step accepts now, in ascending order. The slice is valid until the next call.
func (e *Env) Legal() []mancala.Action {
	e.legal = e.legal[:0]
	if e.running {
		e.legal = e.game.AppendLegal(e.legal, &e.state)
	}
	return e.legal
}

// SampleAction returns one of the legal actions, each as likely as the others, from the generator that Reset seeded. It
// returns ErrNotRunning when there is none.
func (e *Env) SampleAction() (mancala.Action, error) {
	legal := e.Legal()
	if len(legal) == 0 {
		return 0, ErrNotRunning
	}
	return legal[rand.New(&e.source).IntN(len(legal))], nil
}

// State returns a copy of the position.
func (e *Env) State() mancala.State { return e.state }

// Render returns the board as text.
func (e *Env) Render() string { return Render(e.game, &e.state) }
