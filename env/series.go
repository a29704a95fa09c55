package env

import (
	"fmt"
	"math/rand/v2"

	"kiothi/env/mancala"
)

// This file is what a competition and a match have in common: several games, the rounds, that are one episode.

// Series tells of the rounds of a Match or a Competition.
type Series struct {
	Round  int            // the current round, from 1
	Rounds int            // the most that are played
	Over   bool           // the last step ended a round; unless the episode is over too, the next one has begun
	Stores [2]int         // if so: South's and North's at the end of that round, with the sweep
	Reason mancala.Reason // if so: why that round ended
	Score  [2]float64     // South's and North's: match points, or stones owned
}

// A roundKeeper is the rules of a series: which round is played, from which state, and what it counts for.
type roundKeeper interface {
	// restart goes back to the start of the series.
	restart()
	// state is the current round's.
	state() mancala.State
	// play plays an action of the current round. An illegal one changes nothing.
	play(mancala.Action) (mancala.Turn, error)
	// finish counts the current round, which is over, and goes on to the next. It reports false, and stays, when there is
	// none, and counts nothing twice.
	finish() (more bool)
	// round and rounds are the number of the current round, from 1, and the most that are played.
	round() int
	rounds() int
	// score is what both players have so far, and margin South's less North's.
	score() [2]float64
	margin() int
	// fill writes the planes that a series adds to those of its rounds, which are zero before, for a mover.
	fill(dst []float32, mover mancala.Player)
}

// A series is an episode of several rounds: the environment that Competition and Match are made of.
type series struct {
	game     mancala.Game
	observer *Observer
	planes   []Plane // the rounds' and those that keeper fills
	keeper   roundKeeper
	reward   Reward
	limit    int
	ended    func(*Episode)

	now          mancala.State // keeper's
	source       rand.PCG
	seed         uint64
	steps, turns int
	roundTurns   int
	running      bool
	legal        []mancala.Action
	observed     []float32
	episode      Episode // the round
}

// newSeries returns a series with planes of its own. Of the options, Position is left to the caller.
func newSeries(g mancala.Game, o Options, keeper roundKeeper, own ...Plane) (series, error) {
	round, err := New(g, Options{Reward: o.Reward, StepLimit: o.StepLimit, Ended: o.Ended}) // checks and defaults
	if err != nil {
		return series{}, err
	}
	planes := append(append([]Plane(nil), round.observer.Planes()...), own...)
	return series{
		game: g, observer: round.observer, planes: planes, keeper: keeper,
		reward: round.reward, limit: round.limit, ended: o.Ended,
		now:      keeper.state(),
		observed: make([]float32, len(planes)*2*g.Width()),
	}, nil
}

// Game returns the game whose rounds are played, under its rule set.
func (e *series) Game() mancala.Game { return e.game }

// ObservationSpace describes the observations: the planes of the game, and then those of the series.
func (e *series) ObservationSpace() Box {
	return Box{Shape: []int{len(e.planes), 2, e.game.Width()}, Low: 0, High: 1, Planes: e.planes}
}

// ActionSpace describes the actions; which of them are legal is told by ActionMask.
func (e *series) ActionSpace() Discrete { return Discrete{e.game.Actions()} }

// Reset starts again with the first round. The games hold no chance: the seed drives SampleAction alone.
func (e *series) Reset(seed uint64) Timestep {
	e.keeper.restart()
	e.now = e.keeper.state()
	e.seed = seed
	e.source.Seed(seed, 0)
	e.steps, e.turns, e.roundTurns = 0, 0, 0
	e.running = true
	e.episode.begin(e.game, &e.now, seed)
	return e.observe(mancala.Turn{}, false, Series{})
}

// Step plays an action of the player to move. The last step of a round starts the next one, and Info.Series tells of it.
// An illegal action returns a *mancala.IllegalError and changes nothing, so that another can be tried.
//
// Rewards are zero until the end of the last round.
func (e *series) Step(a mancala.Action) (Timestep, error) {
	if !e.running {
		return Timestep{}, ErrNotRunning
	}
	player := e.now.Player
	turn, err := e.keeper.play(a)
	if err != nil {
		return Timestep{}, err
	}
	e.now = e.keeper.state()
	turnOver := e.now.Over() || e.now.Player != player
	e.steps++
	if turnOver {
		e.turns++
		e.roundTurns++
	}
	if e.ended != nil {
		e.episode.step(a, turn)
	}
	terminated := false
	var told Series
	if e.now.Over() {
		told = Series{Over: true, Stores: e.game.Final(&e.now), Reason: e.now.End}
		e.tell(false)
		if terminated = !e.keeper.finish(); !terminated {
			e.now = e.keeper.state()
			e.roundTurns = 0
			e.episode.begin(e.game, &e.now, e.seed)
		}
	}
	t := e.observe(turn, turnOver, told)
	if t.Terminated = terminated; terminated {
		t.Rewards = both(e.reward(e.keeper.margin()))
		t.Reward = t.Rewards[player]
	}
	t.Truncated = !terminated && e.limit > 0 && e.steps >= e.limit
	e.running = !t.Terminated && !t.Truncated
	if t.Truncated && len(e.episode.Actions) > 0 {
		e.tell(true)
	}
	return t, nil
}

// tell tells of a round that has ended or was cut short. Its rewards are those of the round's outcome.
func (e *series) tell(truncated bool) {
	if e.ended == nil {
		return
	}
	stores, south := e.game.Final(&e.now), 0.0
	if !truncated {
		south = Outcome(stores[mancala.South] - stores[mancala.North])
	}
	e.episode.end(e.roundTurns, truncated, e.now.End, stores, south)
	e.ended(&e.episode)
}

func (e *series) observe(turn mancala.Turn, turnOver bool, told Series) Timestep {
	size := e.observer.Size()
	e.observer.Observe(e.observed[:size], &e.now)
	clear(e.observed[size:])
	e.keeper.fill(e.observed[size:], e.now.Player)
	told.Round, told.Rounds, told.Score = e.keeper.round(), e.keeper.rounds(), e.keeper.score()
	return Timestep{
		Observation: e.observed,
		Info: Info{Player: e.now.Player, Turn: turn, TurnOver: turnOver, Steps: e.steps, Turns: e.turns,
			Stores: e.game.Final(&e.now), Reason: e.now.End, Series: told},
	}
}

// rebuild reads the round's state, and the values of the series' own planes, from an observation.
func (e *series) rebuild(observation []float32, p mancala.Player) (mancala.State, []float32, error) {
	if len(observation) != len(e.observed) {
		return mancala.State{}, nil, fmt.Errorf("observation of %d values, expected %v", len(observation), e.ObservationSpace().Shape)
	}
	if err := checkValues(observation); err != nil {
		return mancala.State{}, nil, err
	}
	size := e.observer.Size()
	s, err := e.observer.State(observation[:size], p)
	return s, observation[size:], err
}

// compare refuses an observation whose own planes are not those of the series that was read from it.
func (e *series) compare(own []float32, p mancala.Player, rebuilt roundKeeper, read string) error {
	again := make([]float32, len(own))
	rebuilt.fill(again, p)
	if err := compareValues(own, again, read); err != nil {
		return fmt.Errorf("after the planes of the game: %w", err)
	}
	return nil
}

// ActionMask writes which actions Step accepts now into dst, which has one entry an action. All are false when no episode
// is running.
func (e *series) ActionMask(dst []bool) {
	clear(dst)
	for _, a := range e.Legal() {
		dst[a] = true
	}
}

// Legal returns the actions that Step accepts now, in ascending order. The slice is valid until the next call.
func (e *series) Legal() []mancala.Action {
	e.legal = e.legal[:0]
	if e.running {
		e.legal = e.game.AppendLegal(e.legal, &e.now)
	}
	return e.legal
}

// SampleAction returns one of the legal actions, each as likely as the others, from the generator that Reset seeded. It
// returns ErrNotRunning when there is none.
func (e *series) SampleAction() (mancala.Action, error) {
	legal := e.Legal()
	if len(legal) == 0 {
		return 0, ErrNotRunning
	}
	return legal[rand.New(&e.source).IntN(len(legal))], nil
}

// State returns a copy of the current round's position.
func (e *series) State() mancala.State { return e.now }

// Render returns the current round's board as text.
func (e *series) Render() string { return Render(e.game, &e.now) }
