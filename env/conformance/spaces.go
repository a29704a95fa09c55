package conformance

import (
	"fmt"
	"slices"

	"kiothi/env"
	"kiothi/env/mancala"
)

// This file checks spaces, starts and steps.

// checkSpaces checks the two spaces, and that each observation lies in its own. That its values are float32 is checked by
// the compiler.
func checkSpaces(r *run) error {
	e, err := r.open(env.Options{})
	if err != nil {
		return err
	}
	g := r.subject.Game
	box, actions := e.ObservationSpace(), e.ActionSpace()
	if actions.N != g.Actions() {
		return r.failf(fmt.Sprintf("an action space of the game's %d actions", g.Actions()), "%v", actions)
	}
	if want := []int{len(box.Planes), 2, g.Width()}; len(box.Planes) == 0 || !slices.Equal(box.Shape, want) {
		return r.failf(fmt.Sprintf("an observation space of shape [planes, 2, W], here %v with the planes that it lists", want), "%v", box)
	}
	if box.Size() != r.subject.Observer.Size() {
		return r.failf(fmt.Sprintf("an observation space of as many values as the observer writes, %d", r.subject.Observer.Size()), "%v of %d values", box, box.Size())
	}
	if box.Low != 0 || box.High != 1 {
		return r.failf("an observation space from 0 to 1", "%v", box)
	}
	named := map[string]bool{}
	for i, p := range box.Planes {
		if p.Name == "" || p.Doc == "" || named[p.Name] {
			return r.failf("planes with names of their own and descriptions", "plane %d is called %q and described as %q", i, p.Name, p.Doc)
		}
		named[p.Name] = true
	}
	return r.walk(env.Options{}, func(m *moment) error {
		if len(m.step.Observation) != box.Size() {
			return r.failf(fmt.Sprintf("an observation of %d values", box.Size()), "%d values", len(m.step.Observation))
		}
		for i, v := range m.step.Observation {
			if !(v >= box.Low && v <= box.High) { // and so for what is no number
				plane, row, column := i/(2*g.Width()), i/g.Width()%2, i%g.Width()
				return r.failf("observed values from 0 to 1", "%v in plane %d (%s), row %d, column %d", v, plane, box.Planes[plane].Name, row, column)
			}
		}
		if !box.Contains(m.step.Observation) {
			return r.failf("the space contains the observation", "it says that it does not")
		}
		return nil
	})
}

// checkStart checks where games start: at the game's start, or at the position of the options.
func checkStart(r *run) error {
	g := r.subject.Game
	err := r.walk(env.Options{}, func(m *moment) error {
		if start := g.Start(); len(m.actions) == 0 && m.state != start {
			return r.failf("the game's start, "+r.describe(&start), "%s", r.describe(&m.state))
		}
		if m.rng.IntN(8) > 0 {
			return nil
		}
		position := g.Format(&m.state)
		e, err := r.subject.New(env.Options{Position: position})
		switch {
		case m.state.Over() && err == nil:
			return r.failf("no environment, since the position is over", "one that starts from it")
		case m.state.Over():
			return nil
		case err != nil:
			return r.failf("an environment that starts from the position", "the error: %v", err)
		}
		e.Reset(m.seed)
		if s := e.State(); s != m.state {
			return r.failf("an environment that starts from the position", "it starts from %s", r.describe(&s))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, o := range []env.Options{{Position: "nonsense"}, {StepLimit: -1}} {
		if _, err := r.subject.New(o); err == nil {
			return r.failf("an error for "+describeOptions(o), "an environment")
		}
	}
	return nil
}

// checkTransitions checks that steps are the game's turns.
func checkTransitions(r *run) error {
	g := r.subject.Game
	return r.walk(env.Options{}, func(m *moment) error {
		if total := m.state.Total(); total != g.Seeds() {
			return r.failf(fmt.Sprintf("%d seeds in pits, stores and hand", g.Seeds()), "%d", total)
		}
		if len(m.actions) == 0 {
			return nil
		}
		want := m.before
		turn, err := g.Play(&want, m.last())
		if err != nil {
			return r.failf("the last action, "+r.actionText(&m.before, m.last())+", is legal", "%v", err)
		}
		if m.state != want {
			return r.failf(r.actionText(&m.before, m.last())+" leads from "+r.describe(&m.before)+" to "+r.describe(&want), "%s", r.describe(&m.state))
		}
		if m.step.Info.Turn != turn {
			return r.failf(fmt.Sprintf("info of the turn %+v", turn), "%+v", m.step.Info.Turn)
		}
		return nil
	})
}

// checkTurns checks what a timestep tells about who acts, and its counts.
func checkTurns(r *run) error {
	g := r.subject.Game
	turns := 0
	return r.walk(env.Options{}, func(m *moment) error {
		info := m.step.Info
		turnOver := false
		if len(m.actions) == 0 {
			turns = 0
		} else if turnOver = m.state.Over() || m.state.Player != m.before.Player; turnOver {
			turns++
		}
		switch {
		case info.Player != m.state.Player:
			return r.failf(fmt.Sprintf("%s, who is to move, acts next", m.state.Player), "%s", info.Player)
		case info.TurnOver != turnOver:
			return r.failf(fmt.Sprintf("turn over: %v", turnOver), "%v; %s acted, and %s acts next", info.TurnOver, m.before.Player, m.state.Player)
		case info.Steps != len(m.actions):
			return r.failf(fmt.Sprintf("%d steps since the reset", len(m.actions)), "%d", info.Steps)
		case info.Turns != turns:
			return r.failf(fmt.Sprintf("%d turns since the reset", turns), "%d", info.Turns)
		case info.Stores != g.Final(&m.state):
			return r.failf(fmt.Sprintf("stores %v", g.Final(&m.state)), "%v", info.Stores)
		case len(m.actions) == 0 && info.Turn != mancala.Turn{}:
			return r.failf("no turn before the first step", "%+v", info.Turn)
		}
		return nil
	})
}
