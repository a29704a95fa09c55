package env

import (
	"fmt"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// This file is how a Vector steps: all rows are tried first, and written when none has failed.

// Reset starts the first game of each row. seeds has one seed a row; see Seeds. A row's games, the first and those that
// follow, depend on its own seed and actions alone: its k-th game, counted from 0, is that of an Env after
// Reset(EpisodeSeed(seeds[row], k)).
func (v *Vector) Reset(seeds []uint64, b *Buffers) error {
	if v.closed {
		return ErrClosed
	}
	if len(seeds) != v.Len() {
		return fmt.Errorf("%d seeds for %d rows, expected one a row", len(seeds), v.Len())
	}
	if err := b.check(v); err != nil {
		return err
	}
	v.reset = true
	for i, s := range seeds {
		v.rows[i].seed, v.rows[i].episode = s, 0
		v.begin(i)
		v.writeStart(i, b)
	}
	return nil
}

// ResetRows starts the next game in each row for which rows, which has one entry a row, is true, whether its game is over
// or not. The other rows go on, and their entries in b are not written.
func (v *Vector) ResetRows(rows []bool, b *Buffers) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(rows) != v.Len() {
		return fmt.Errorf("%d entries say which of %d rows to reset, expected one a row", len(rows), v.Len())
	}
	if err := b.check(v); err != nil {
		return err
	}
	for i, wanted := range rows {
		if wanted {
			v.rows[i].episode++
			v.begin(i)
			v.writeStart(i, b)
		}
	}
	return nil
}

// Step plays an action in each row. It allocates nothing unless it fails. When an action is illegal or a game is not
// running, no row changes, nothing is written, and the error is a *StepError that lists the rows. (With NextStep, rows
// that are over take any action.)
func (v *Vector) Step(actions []int32, b *Buffers) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(actions) != v.Len() {
		return fmt.Errorf("%d actions for %d rows, expected one a row", len(actions), v.Len())
	}
	if err := b.check(v); err != nil {
		return err
	}
	if !v.team.run(task{kind: try, actions: actions}) {
		return v.refusal(actions)
	}
	v.states, v.next = v.next, v.states
	v.team.run(task{kind: commit, actions: actions, buffers: b})
	v.tell()
	return nil
}

// SampleActions fills dst, which has one entry a row, with legal actions, each as likely as the row's others, from the
// row's own generator: those that Env.SampleAction would give. It writes 0 where a game is over.
func (v *Vector) SampleActions(dst []int32) error {
	if err := v.ready(); err != nil {
		return err
	}
	if len(dst) != v.Len() {
		return fmt.Errorf("room for %d actions of %d rows, expected one a row", len(dst), v.Len())
	}
	v.team.run(task{kind: sample, actions: dst})
	return nil
}

// begin starts a row's game. An episode that has not been told of is kept until it is.
func (v *Vector) begin(i int) {
	r := &v.rows[i]
	v.states[i] = v.kind[i].start
	r.source.Seed(EpisodeSeed(r.seed, r.episode), 0)
	r.steps, r.turns, r.running, r.listed = 0, 0, true, false
	if v.episodes != nil && !r.ended {
		v.beginEpisode(i)
	}
}

func (v *Vector) beginEpisode(i int) {
	r := &v.rows[i]
	v.episodes[i].begin(v.kind[i].game, &v.kind[i].start, EpisodeSeed(r.seed, r.episode))
}

// endEpisode completes the episode of a game that has ended.
func (v *Vector) endEpisode(i int, did outcome) {
	v.episodes[i].end(int(v.rows[i].turns), did.truncated, v.states[i].End, did.stores, did.south)
	v.rows[i].ended = true
}

// tell tells of the games that the step ended, on the caller's goroutine and in the order of the rows, whatever the workers.
func (v *Vector) tell() {
	for i := range v.episodes {
		if r := &v.rows[i]; r.ended {
			v.kind[i].ended(&v.episodes[i])
			r.ended = false
			v.beginEpisode(i)
		}
	}
}

// try plays the actions of the rows from low to high into v.next. It reports whether all could be played.
func (v *Vector) try(low, high int, actions []int32) bool {
	for i := low; i < high; i++ {
		v.next[i] = v.states[i]
		v.turns[i] = mancala.Turn{}
		if !v.rows[i].running {
			if v.autoreset != NextStep {
				return false
			}
			continue
		}
		turn, err := v.kind[i].game.Play(&v.next[i], mancala.Action(actions[i]))
		if err != nil {
			return false
		}
		v.turns[i] = turn
	}
	return true
}

// refusal finds all rows for which try fails.
func (v *Vector) refusal(actions []int32) error {
	e := new(StepError)
	for i := range v.rows {
		var err error
		if v.rows[i].running {
			s := v.states[i]
			_, err = v.kind[i].game.Play(&s, mancala.Action(actions[i]))
		} else if v.autoreset != NextStep {
			err = ErrNotRunning
		}
		if err != nil {
			e.Rows = append(e.Rows, RowError{i, actions[i], err})
		}
	}
	return e
}

// commit makes the step of the rows from low to high, which was tried, and writes it. v.next holds the states before it.
func (v *Vector) commit(low, high int, actions []int32, b *Buffers) {
	for i := low; i < high; i++ {
		r := &v.rows[i]
		if !r.running { // NextStep
			r.episode++
			v.begin(i)
			v.writeStart(i, b)
			continue
		}
		kind, s, actor := v.kind[i], &v.states[i], v.next[i].Player
		turnOver := s.Over() || s.Player != actor
		r.listed = false
		r.steps++
		if turnOver {
			r.turns++
		}
		terminated := s.Over()
		truncated := !terminated && kind.limit > 0 && int(r.steps) >= kind.limit
		stores := kind.game.Final(s)
		south := 0.0
		if terminated {
			south = kind.reward(stores[mancala.South] - stores[mancala.North])
		}
		did := outcome{actor, south, terminated, truncated, turnOver, stores}
		v.writeStep(i, b, did)
		if kind.ended != nil {
			v.episodes[i].step(mancala.Action(actions[i]), v.turns[i])
		}
		if terminated || truncated {
			r.running = false
			if kind.ended != nil {
				v.endEpisode(i, did)
			}
			v.writeFinal(i, b)
			if v.autoreset == SameStep {
				r.episode++
				v.begin(i)
			}
		}
		v.writeView(i, b)
	}
}

// sample draws the actions of the rows from low to high.
func (v *Vector) sample(low, high int, dst []int32) {
	for i := low; i < high; i++ {
		dst[i] = 0
		if r := &v.rows[i]; r.running {
			legal := v.legal(i)
			dst[i] = int32(legal[rand.New(&r.source).IntN(len(legal))])
		}
	}
}

// legal returns the legal actions of a row whose game is running.
func (v *Vector) legal(i int) []mancala.Action {
	r := &v.rows[i]
	if !r.listed {
		r.legal = v.kind[i].game.AppendLegal(r.legal[:0], &v.states[i])
		r.listed = true
	}
	return r.legal
}

// An outcome is what a step did to a row.
type outcome struct {
	actor                           mancala.Player
	south                           float64 // reward
	terminated, truncated, turnOver bool
	stores                          [2]int
}

// writeStart writes a row whose game was just begun outside of a step.
func (v *Vector) writeStart(i int, b *Buffers) {
	v.turns[i] = mancala.Turn{}
	v.writeStep(i, b, outcome{stores: v.kind[i].game.Final(&v.states[i])})
	if b.Actors != nil {
		b.Actors[i] = NoPlayer
	}
	v.writeView(i, b)
}

// writeView writes what the player to act next sees.
func (v *Vector) writeView(i int, b *Buffers) {
	kind, s := v.kind[i], &v.states[i]
	if b.Observations != nil {
		kind.observer.Observe(b.Observations[i*v.observationSize:(i+1)*v.observationSize], s)
	}
	if b.Masks != nil {
		mask := b.Masks[i*v.actionCount : (i+1)*v.actionCount]
		clear(mask)
		if v.rows[i].running {
			for _, a := range v.legal(i) {
				mask[a] = true
			}
		}
	}
	if b.Players != nil {
		b.Players[i] = int32(s.Player)
	}
}

// writeFinal writes what a game's last step left.
func (v *Vector) writeFinal(i int, b *Buffers) {
	if b.FinalObservations != nil {
		v.kind[i].observer.Observe(b.FinalObservations[i*v.observationSize:(i+1)*v.observationSize], &v.states[i])
	}
	if b.FinalPlayers != nil {
		b.FinalPlayers[i] = int32(v.states[i].Player)
	}
}

// writeStep writes what a step did.
func (v *Vector) writeStep(i int, b *Buffers, o outcome) {
	if b.Rewards != nil {
		b.Rewards[i] = float32([2]float64{o.south, 0 - o.south}[o.actor])
	}
	if b.BothRewards != nil {
		b.BothRewards[2*i], b.BothRewards[2*i+1] = float32(o.south), float32(0-o.south) // not -0
	}
	if b.Actors != nil {
		b.Actors[i] = int32(o.actor)
	}
	if b.Terminated != nil {
		b.Terminated[i] = o.terminated
	}
	if b.Truncated != nil {
		b.Truncated[i] = o.truncated
	}
	v.writeInfo(i, &b.Infos, o)
}

// writeInfo writes what a step tells beyond that.
func (v *Vector) writeInfo(i int, f *Infos, o outcome) {
	turn := &v.turns[i]
	if f.Stores != nil {
		f.Stores[2*i], f.Stores[2*i+1] = int32(o.stores[0]), int32(o.stores[1])
	}
	if f.Reasons != nil {
		f.Reasons[i] = int32(v.states[i].End)
	}
	if f.Laps != nil {
		f.Laps[i] = turn.Laps
	}
	if f.Captured != nil {
		f.Captured[2*i], f.Captured[2*i+1] = int32(turn.Captured[0]), int32(turn.Captured[1])
	}
	if f.Cut != nil {
		f.Cut[i] = turn.Cut
	}
	if f.TurnOver != nil {
		f.TurnOver[i] = o.turnOver
	}
	if f.Steps != nil {
		f.Steps[i] = v.rows[i].steps
	}
	if f.Turns != nil {
		f.Turns[i] = v.rows[i].turns
	}
}
