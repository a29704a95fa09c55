// Package record keeps a game that people play: the turns so far, to be taken back, told, saved and gone on with. It is a
// single game of either sort, or a competition of rounds of Rio Kadalis.
package record

import (
	"fmt"
	"slices"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// A Record is a game, or a competition, with all that was played.
type Record struct {
	game   mancala.Game
	now    place
	rounds []round // at least one; the last is being played
	turns  []Turn
}

// A place is where a game stands.
type place struct {
	state mancala.State          // of a single game
	match riokadalis.Competition // of a competition; its game is nil in a single one
}

// A round is one game from its start.
type round struct {
	start   mancala.State
	actions []mancala.Action
}

// A Turn is what was played at once: a whole turn, or a step of an opening.
type Turn struct {
	Round   int // from 1
	Mover   mancala.Player
	Text    string
	Effects mancala.Turn
	Before  mancala.State
	Actions []mancala.Action

	before place
	plies  int // of the round, before the turn
}

// New returns the record of a game that begins in a state.
func New(g mancala.Game, start mancala.State) *Record {
	return &Record{game: g, now: place{state: start}, rounds: []round{{start: start}}}
}

// NewCompetition returns the record of a competition of at most maxRounds rounds. Only Rio Kadalis has competitions.
func NewCompetition(g mancala.Game, maxRounds int) (*Record, error) {
	rio, ok := g.(*riokadalis.Game)
	if !ok {
		return nil, fmt.Errorf("%s has no competitions of rounds, only rio-kadalis has", g.Name())
	}
	match, err := riokadalis.NewCompetition(rio, maxRounds)
	if err != nil {
		return nil, err
	}
	return Continue(match), nil
}

// Continue returns the record of a competition that is under way. What was played before is not in it, so that its first
// round is the one that the competition is in.
func Continue(match *riokadalis.Competition) *Record {
	return &Record{game: match.Game(), now: place{match: *match}, rounds: []round{{start: match.State()}}}
}

// Game returns the game.
func (r *Record) Game() mancala.Game { return r.game }

// Competition returns the competition, and whether it is one.
func (r *Record) Competition() (*riokadalis.Competition, bool) {
	match := r.now.match
	return &match, match.Game() != nil
}

// State returns where the game, or the round that is being played, stands.
func (r *Record) State() mancala.State { return r.now.at() }

func (p *place) at() mancala.State {
	if p.match.Game() != nil {
		return p.match.State()
	}
	return p.state
}

// Round returns the number of the round in this record, from 1.
func (r *Record) Round() int { return len(r.rounds) }

// Plies returns the number of actions played in this round.
func (r *Record) Plies() int { return len(r.last().actions) }

func (r *Record) last() *round { return &r.rounds[len(r.rounds)-1] }

// Turns returns what was played, oldest first.
func (r *Record) Turns() []Turn { return r.turns }

// Over reports whether the game or the whole competition is over.
func (r *Record) Over() bool {
	if match, ok := r.Competition(); ok {
		return match.End() != riokadalis.Undecided
	}
	return r.now.state.Over()
}

// RoundOver reports whether a round of a competition is over and there is a next one.
func (r *Record) RoundOver() bool {
	s := r.State()
	return s.Over() && !r.Over()
}

// Play plays the actions of one player, which are a turn or part of one. When one of them is illegal, nothing is played.
func (r *Record) Play(actions ...mancala.Action) (Turn, error) {
	before := r.State()
	turn := Turn{
		Round: r.Round(), Mover: before.Player, Before: before, Actions: actions, before: r.now, plies: r.Plies(),
		Text: r.game.TurnText(&before, actions),
	}
	if before.Phase != mancala.Sow && len(actions) == 1 {
		turn.Text = r.game.ActionText(&before, actions[0])
	}
	next := r.now
	for _, a := range actions {
		var err error
		if _, competition := r.Competition(); competition {
			turn.Effects, err = next.match.Play(a)
		} else {
			turn.Effects, err = r.game.Play(&next.state, a)
		}
		if err != nil {
			return Turn{}, err
		}
	}
	r.now = next
	r.last().actions = append(r.last().actions, actions...)
	r.turns = append(r.turns, turn)
	return turn, nil
}

// Next begins the next round of a competition.
func (r *Record) Next() error {
	match, ok := r.Competition()
	if !ok {
		return fmt.Errorf("a single game has no next round")
	}
	if err := match.Next(); err != nil {
		return err
	}
	r.now.match = *match
	r.rounds = append(r.rounds, round{start: match.State()})
	return nil
}

// Undo goes back to before the last turn of a player whom accept accepts, and reports whether there was one.
func (r *Record) Undo(accept func(mancala.Player) bool) bool {
	for i, turn := range slices.Backward(r.turns) {
		if accept(turn.Mover) {
			r.now = turn.before
			r.rounds = r.rounds[:turn.Round]
			r.last().actions = r.last().actions[:turn.plies]
			r.turns = r.turns[:i]
			return true
		}
	}
	return false
}
