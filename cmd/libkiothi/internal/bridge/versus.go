package bridge

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"kiothi/agent"
	"kiothi/env"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is the single-agent view of many games: one seat learns, an agent plays the other one as part of the step.

// ReasonIllegal stands in Infos.Reasons where a game is over because the learner's action was illegal. It follows the
// numbers of mancala.Reason.
const ReasonIllegal = int32(mancala.Exhausted) + 1

// A Versus is games of a learner against an agent: many games of an env.Versus, stepped like an env.Vector, with one
// question to the agent for all rows that wait for it. Every observation, the final ones too, is seen from the learner's
// seat, which stands in Players. Of Infos it writes Stores, Reasons, Steps and Turns; steps are the learner's.
//
// A game depends on its row's seed and the learner's actions alone, not on the number of workers: a row's k-th game is
// that of an env.Versus after Reset(EpisodeSeed(seed, k)), but for the alternating seat, in which a row plays its k-th
// game as South when its seed plus k is even.
type Versus struct {
	rows         []*versusRow
	opponents    []agent.Agent // row i plays against opponents[i%len(opponents)]
	seat         env.Seat
	limit        int // of the learner's steps; 0: none
	illegalLoses bool
	autoreset    env.Autoreset
	workers      int
	parts        []versusPart
	reset        bool // Reset was called
}

// A versusRow is a game of a Versus.
type versusRow struct {
	*env.Env // without a step limit
	opponent int

	seed, episode uint64
	game          uint64         // the seed of this game
	seat          mancala.Player // the learner's
	source        rand.PCG       // of the opponent's chance
	chance        *rand.Rand
	last          env.Timestep // its observation belongs to Env and is read at once
	steps         int          // the learner's
	illegal       bool         // the game ended by an illegal action
	running       bool
}

// A versusPart is what one goroutine works with.
type versusPart struct {
	asked []questions // by opponent
}

// Len returns the number of rows.
func (v *Versus) Len() int { return len(v.rows) }

// ObservationSpace describes the observation of one row.
func (v *Versus) ObservationSpace() env.Box { return v.rows[0].ObservationSpace() }

// ActionSpace describes the actions of one row.
func (v *Versus) ActionSpace() env.Discrete { return v.rows[0].ActionSpace() }

// Game returns the game of a row.
func (v *Versus) Game(row int) mancala.Game { return v.rows[row].Game() }

// State returns a copy of a row's position.
func (v *Versus) State(row int) mancala.State { return v.rows[row].State() }

// Close closes the opponents.
func (v *Versus) Close() {
	for _, opponent := range v.opponents {
		// The opponents only read their files when they are made: nothing is lost when closing fails.
		_ = agent.Close(opponent)
	}
}

// Reset starts the first game of each row, from one seed a row.
func (v *Versus) Reset(seeds []uint64, b *env.Buffers) error {
	if len(seeds) != len(v.rows) {
		return &ArgumentError{fmt.Errorf("%d seeds for %d rows, expected one a row", len(seeds), len(v.rows))}
	}
	v.reset = true
	for i, r := range v.rows {
		r.seed, r.episode = seeds[i], 0
	}
	return v.start(func(int) bool { return true }, b)
}

// ResetRows starts the next game in each row that is wanted.
func (v *Versus) ResetRows(wanted []bool, b *env.Buffers) error {
	if len(wanted) != len(v.rows) {
		return &ArgumentError{fmt.Errorf("%d entries say which of %d rows to reset, expected one a row", len(wanted), len(v.rows))}
	}
	if !v.reset {
		return env.ErrNotRunning
	}
	for i, r := range v.rows {
		if wanted[i] {
			r.episode++
		}
	}
	return v.start(func(i int) bool { return wanted[i] }, b)
}

// start begins the games of the wanted rows and writes them.
func (v *Versus) start(wanted func(int) bool, b *env.Buffers) error {
	return spread(len(v.rows), v.workers, func(part, low, high int) error {
		for i := low; i < high; i++ {
			if wanted(i) {
				v.begin(i)
			}
		}
		if err := v.opponentsPlay(part, low, high); err != nil {
			return err
		}
		for i := low; i < high; i++ {
			if wanted(i) {
				v.writeStart(i, b)
				v.writeView(i, b)
			}
		}
		return v.checkSeats(low, high)
	})
}

// Step plays the learner's action in each row, and then the opponent until the learner is to move again. When an illegal
// action is to raise, or a game is not running, no row changes and the error is an *env.StepError.
func (v *Versus) Step(actions []int32, b *env.Buffers) error {
	if !v.reset {
		return env.ErrNotRunning
	}
	if err := v.try(actions); err != nil {
		return err
	}
	return spread(len(v.rows), v.workers, func(part, low, high int) error {
		for i := low; i < high; i++ {
			if r := v.rows[i]; r.running {
				if err := r.play(mancala.Action(actions[i])); err != nil {
					return err
				}
			} else { // NextStep
				r.episode++
				v.begin(i)
			}
		}
		if err := v.opponentsPlay(part, low, high); err != nil {
			return err
		}
		for i := low; i < high; i++ {
			if v.rows[i].steps == 0 {
				v.writeStart(i, b)
				continue
			}
			v.writeStep(i, b)
			if r := v.rows[i]; !r.running && v.autoreset == env.SameStep {
				r.episode++
				v.begin(i)
			}
		}
		if v.autoreset == env.SameStep { // where the opponent opens the new games
			if err := v.opponentsPlay(part, low, high); err != nil {
				return err
			}
		}
		for i := low; i < high; i++ {
			v.writeView(i, b)
		}
		return v.checkSeats(low, high)
	})
}

// try finds the rows that cannot be stepped.
func (v *Versus) try(actions []int32) error {
	refused := new(env.StepError)
	for i, r := range v.rows {
		var err error
		switch {
		case r.running && !v.illegalLoses:
			s := r.State()
			_, err = r.Game().Play(&s, mancala.Action(actions[i]))
		case !r.running && v.autoreset != env.NextStep:
			err = env.ErrNotRunning
		}
		if err != nil {
			refused.Rows = append(refused.Rows, env.RowError{Row: i, Action: actions[i], Err: err})
		}
	}
	if len(refused.Rows) > 0 {
		return refused
	}
	return nil
}

// SampleActions fills dst with random legal actions, 0 where no game is running.
func (v *Versus) SampleActions(dst []int32) error {
	for i, r := range v.rows {
		dst[i] = 0
		if r.running {
			a, err := r.SampleAction()
			if err != nil {
				return err
			}
			dst[i] = int32(a)
		}
	}
	return nil
}

// begin starts a row's game. The learner may not be the first to move.
func (v *Versus) begin(i int) {
	r := v.rows[i]
	r.game = env.EpisodeSeed(r.seed, r.episode)
	r.seat = v.seat.Of(r.seed+r.episode, r.game)
	if r.chance == nil {
		r.chance = rand.New(&r.source)
	}
	r.last = r.Reset(r.game)
	r.steps, r.illegal, r.running = 0, false, true
}

// play makes the learner's action.
func (r *versusRow) play(a mancala.Action) error {
	r.steps++
	t, err := r.Env.Step(a)
	var illegal *mancala.IllegalError
	if errors.As(err, &illegal) {
		r.illegal, r.running = true, false
		r.last.Rewards = [2]float64{1, 1}
		r.last.Rewards[r.seat] = -1
		r.last.Terminated = true
		return nil
	}
	if err != nil {
		return err
	}
	r.take(t)
	return nil
}

// take keeps what a step told.
func (r *versusRow) take(t env.Timestep) {
	r.last = t
	r.running = !t.Terminated
}

// ask asks the opponent about a row, if it is the one to move.
func (r *versusRow) ask(i int, asked []questions) bool {
	if !r.running || r.last.Info.Player == r.seat {
		return false
	}
	seed.Reseed(&r.source, env.OpponentSeed(r.game, r.last.Info.Steps))
	asked[r.opponent].add(i, r.State(), r.chance)
	return true
}

// opponentsPlay lets the opponents of the rows from low to high play until the learner is to move in each of them, or its
// game is over. All rows that wait for an opponent are asked about together.
func (v *Versus) opponentsPlay(part, low, high int) error {
	asked := v.parts[part].asked
	if asked == nil {
		asked = make([]questions, len(v.opponents))
		for k := range asked {
			asked[k].player = v.opponents[k]
		}
		v.parts[part].asked = asked
	}
	for {
		for k := range asked {
			asked[k].clear()
		}
		waiting := false
		for i := low; i < high; i++ {
			if v.rows[i].ask(i, asked) {
				waiting = true
			}
		}
		if !waiting {
			v.truncate(low, high)
			return nil
		}
		for k := range asked {
			if err := asked[k].answer(1); err != nil {
				return err
			}
			for j, i := range asked[k].rows {
				t, err := v.rows[i].Env.Step(asked[k].actions[j])
				if err != nil {
					return fmt.Errorf("row %d: the opponent: %w", i, err)
				}
				v.rows[i].take(t)
			}
		}
	}
}

// truncate ends the games in which the learner would act next, and has no steps left.
func (v *Versus) truncate(low, high int) {
	for _, r := range v.rows[low:high] {
		if r.running && v.limit > 0 && r.steps >= v.limit {
			r.last.Truncated, r.running = true, false
		}
	}
}

// checkSeats refuses games that end before the learner has moved, which only a start position can bring about.
func (v *Versus) checkSeats(low, high int) error {
	for i := low; i < high; i++ {
		r := v.rows[i]
		if !r.running && r.steps == 0 {
			s := r.State()
			return &ArgumentError{fmt.Errorf("row %d: the game is over before the learner, %s, has moved (now at %q): start from another position, or take the other seat",
				i, r.seat, r.Game().Format(&s))}
		}
	}
	return nil
}
