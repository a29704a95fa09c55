package env

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// This file is the competition of Rio Kadalis as an environment (rules, section 3.3).

// CompetitionOptions are the options of a Competition.
type CompetitionOptions struct {
	// Options are those of the whole competition: Reward is given the stones that a player owns at its end less the
	// opponent's, StepLimit counts all its steps, and Position, if set, is the text of a competition, such as
	// "2/100 x,4,4,4,4,4/4,4,4,4,4,4 - 2-2 N sow 0". Ended is told of each round.
	Options
	MaxRounds int // the most rounds; 0: riokadalis.DefaultMaxRounds, or what Position says
}

// A Competition is a competition of Rio Kadalis: an episode is all its rounds. After a round each player fills holes out
// of the stones owned, and holes that cannot be filled are closed; the start alternates. It ends when a player owns fewer
// than four stones, or when the rounds are spent.
//
// Beside the round's planes, the observation holds what each player owns and the number of the round.
type Competition struct {
	series
	rounds *competitionRounds
}

// The planes that a competition adds.
var (
	ownedPlane = Plane{Name: "owned", Doc: "stones that the row's owner owns, in store and row, divided by the game's scale, along the row"}
	roundPlane = Plane{Name: "round", Doc: "number of the round, from 1, divided by the most rounds, everywhere"}
)

// NewCompetition returns the competition of a game, which must be Rio Kadalis. Call Reset before Step.
func NewCompetition(g mancala.Game, o CompetitionOptions) (*Competition, error) {
	if g == nil {
		return nil, errNoGame
	}
	game, ok := g.(*riokadalis.Game)
	if !ok {
		return nil, fmt.Errorf("%s has no competition of rounds, expected rio-kadalis; a Match plays several games of any kind", g.Name())
	}
	start, err := competitionStart(game, o)
	if err != nil {
		return nil, err
	}
	c := &Competition{rounds: &competitionRounds{start: *start, current: *start}}
	c.series, err = newSeries(g, o.Options, c.rounds, ownedPlane, roundPlane)
	if err != nil {
		return nil, err
	}
	c.rounds.scale = c.observer.scale
	return c, nil
}

// competitionStart returns where the episodes start.
func competitionStart(g *riokadalis.Game, o CompetitionOptions) (*riokadalis.Competition, error) {
	if o.Position == "" {
		if o.MaxRounds == 0 {
			o.MaxRounds = riokadalis.DefaultMaxRounds
		}
		return riokadalis.NewCompetition(g, o.MaxRounds)
	}
	start, err := riokadalis.ParseCompetition(g, o.Position)
	if err != nil {
		return nil, err
	}
	if s := start.State(); s.Over() {
		return nil, fmt.Errorf("competition %q: the round is over (%s), so that nothing can be played in it", o.Position, s.End)
	}
	if o.MaxRounds != 0 && o.MaxRounds != start.MaxRounds() {
		return nil, fmt.Errorf("competition %q: it has %d rounds at most, and the options %d: expected the same, or 0 in the options",
			o.Position, start.MaxRounds(), o.MaxRounds)
	}
	return start, nil
}

// Position returns a copy of the competition as it stands.
func (c *Competition) Position() riokadalis.Competition { return c.rounds.current }

// Rebuild returns the competition that player p, to move, observed. It fails when the values are no observation of one.
func (c *Competition) Rebuild(observation []float32, p mancala.Player) (*riokadalis.Competition, error) {
	s, own, err := c.rebuild(observation, p)
	if err != nil {
		return nil, err
	}
	most := c.rounds.rounds()
	round := int(math.Round(float64(own[len(own)-1]) * float64(most)))
	game := c.rounds.start.Game()
	rebuilt, err := riokadalis.ParseCompetition(game, fmt.Sprintf("%d/%d %s", round, most, game.Format(&s)))
	if err != nil {
		return nil, err
	}
	if err := c.compare(own, p, &competitionRounds{current: *rebuilt, scale: c.rounds.scale}, rebuilt.Format()); err != nil {
		return nil, err
	}
	return rebuilt, nil
}

// competitionRounds is the rules of a competition's rounds.
type competitionRounds struct {
	start, current riokadalis.Competition
	scale          float32
}

func (r *competitionRounds) restart()             { r.current = r.start }
func (r *competitionRounds) state() mancala.State { return r.current.State() }
func (r *competitionRounds) round() int           { return r.current.Round() }
func (r *competitionRounds) rounds() int          { return r.current.MaxRounds() }

func (r *competitionRounds) play(a mancala.Action) (mancala.Turn, error) { return r.current.Play(a) }

func (r *competitionRounds) finish() bool {
	if r.current.End() != riokadalis.Undecided {
		return false
	}
	if err := r.current.Next(); err != nil {
		panic("env: a competition that is not decided has no next round: " + err.Error())
	}
	return true
}

func (r *competitionRounds) score() [2]float64 {
	owned := r.current.Holdings()
	return [2]float64{float64(owned[0]), float64(owned[1])}
}

func (r *competitionRounds) margin() int {
	owned := r.current.Holdings()
	return owned[0] - owned[1]
}

func (r *competitionRounds) fill(dst []float32, mover mancala.Player) {
	owned, width := r.current.Holdings(), r.current.Game().Width()
	fillAll(dst[:width], float32(owned[mover])/r.scale)
	fillAll(dst[width:2*width], float32(owned[mover.Other()])/r.scale)
	fillAll(dst[2*width:], float32(r.round())/float32(r.rounds()))
}
