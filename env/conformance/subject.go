package conformance

import (
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is what is checked: an environment by what a user sees of it.

// An Environment is what the suite plays in. *env.Env is one, and says what each method must do.
type Environment interface {
	ObservationSpace() env.Box
	ActionSpace() env.Discrete
	Reset(seed uint64) env.Timestep
	Step(a mancala.Action) (env.Timestep, error)
	ActionMask(dst []bool)
	Legal() []mancala.Action
	SampleAction() (mancala.Action, error)
	State() mancala.State
}

// An Observer writes observations of states and reads them back. *env.Observer is one.
type Observer interface {
	Size() int
	Observe(dst []float32, s *mancala.State)
	State(observation []float32, p mancala.Player) (mancala.State, error)
}

// A Subject is what a suite checks: environments of one game under one rule set.
type Subject struct {
	Game     mancala.Game // the rules that the environments follow, and the texts of positions, actions and turns
	Observer Observer     // what their observations say
	New      func(env.Options) (Environment, error)
}

// Of returns this module's own environment of a game as a subject.
func Of(g mancala.Game) (Subject, error) {
	observer, err := env.NewObserver(g)
	if err != nil {
		return Subject{}, err
	}
	return Subject{Game: g, Observer: observer, New: func(o env.Options) (Environment, error) {
		e, err := env.New(g, o)
		if err != nil {
			return nil, err // and no interface that holds a nil pointer
		}
		return e, nil
	}}, nil
}
