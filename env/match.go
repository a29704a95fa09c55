package env

import (
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file is the match of several games as an environment (rules, section 2.5).

// MatchOptions are the options of a Match.
type MatchOptions struct {
	// Options are those of the whole match: Reward is given a player's match points less the opponent's, StepLimit counts
	// all steps, Position is that of the first game, and of the others with the sides changed in turn. Ended is told of
	// each game.
	Options
	Games   int // at least 1; with an even number each player begins as often
	Warrior int // how many wins a warrior's victory, by exactly two seeds, counts: 1, 2 or 10; 0: 1
}

// A Match is several games in one episode, for which the players score match points: a win is one, or the warrior weight
// if it is by exactly two seeds, and a draw half a point for each. The reward comes at the end of the last game.
//
// The players keep their sides, and begin in turn: South in the first game, North in the second. (The rules do not tell
// the sides apart. Where North makes the first opening turn, the position's text does not say so; see Recorder.Add.)
//
// Beside the game's planes, the observation holds both players' points and the number of the game.
type Match struct {
	series
	games *matchGames
}

// The planes that a match adds.
var (
	pointsPlane = Plane{Name: "points", Doc: "match points of the row's owner, divided by the most that can be scored, along the row"}
	gamePlane   = Plane{Name: "game", Doc: "number of the game, from 1, divided by the number of games, everywhere"}
)

// MaxMatchGames is the largest number of games in a Match.
const MaxMatchGames = 1000

// NewMatch returns a match. Call Reset before Step.
func NewMatch(g mancala.Game, o MatchOptions) (*Match, error) {
	if o.Games < 1 || o.Games > MaxMatchGames {
		return nil, fmt.Errorf("a match of %d games, expected 1 to %d", o.Games, MaxMatchGames)
	}
	if o.Warrior == 0 {
		o.Warrior = 1
	}
	if o.Warrior != 1 && o.Warrior != 2 && o.Warrior != 10 {
		return nil, fmt.Errorf("a warrior's victory that counts %d wins, expected 1, 2 or 10", o.Warrior)
	}
	first, err := New(g, o.Options) // reads the position
	if err != nil {
		return nil, err
	}
	m := &Match{games: &matchGames{game: g, count: o.Games, warrior: o.Warrior, start: first.start}}
	m.games.restart()
	m.series, err = newSeries(g, o.Options, m.games, pointsPlane, gamePlane)
	return m, err
}

// Points returns South's and North's match points so far.
func (m *Match) Points() [2]float64 { return m.games.points }

// A MatchPosition is a match as it stands.
type MatchPosition struct {
	Game   int           // the current one, from 1
	Points [2]float64    // South's and North's
	State  mancala.State // of the current game
}

// Position returns the match as it stands.
func (m *Match) Position() MatchPosition { return m.games.position() }

// Rebuild returns the match that player p, to move, observed. It fails when the values are no observation of one.
func (m *Match) Rebuild(observation []float32, p mancala.Player) (MatchPosition, error) {
	s, own, err := m.rebuild(observation, p)
	if err != nil {
		return MatchPosition{}, err
	}
	games := *m.games // the settings
	games.current = s
	games.number = int(math.Round(float64(own[len(own)-1]) * float64(games.count)))
	for i, owner := range [2]mancala.Player{p, p.Other()} {
		games.points[owner] = math.Round(2*float64(own[i*m.game.Width()])*games.most()) / 2
	}
	if err := games.check(); err != nil {
		return MatchPosition{}, err
	}
	read := fmt.Sprintf("game %d, points %v, %s", games.number, games.points, m.game.Format(&s))
	if err := m.compare(own, p, &games, read); err != nil {
		return MatchPosition{}, err
	}
	return games.position(), nil
}

// matchGames is the rules of a match.
type matchGames struct {
	game           mancala.Game
	count, warrior int
	start          mancala.State // of the first game

	number  int // of the current game, from 1
	current mancala.State
	points  [2]float64
}

// most returns the most points that can be scored.
func (m *matchGames) most() float64 { return float64(m.count * m.warrior) }

func (m *matchGames) restart() {
	m.number, m.current, m.points = 1, m.start, [2]float64{}
}

// check refuses a match as none can stand.
func (m *matchGames) check() error {
	if m.number < 1 || m.number > m.count {
		return fmt.Errorf("the observation is of game %d, expected 1 to %d", m.number, m.count)
	}
	ended := m.number - 1
	if m.current.Over() {
		if ended++; ended < m.count {
			return fmt.Errorf("the observation is of game %d of %d, which is over, expected the next one", m.number, m.count)
		}
	}
	// A draw shares a point, and a win counts at most as many as the warrior's.
	if total := m.points[0] + m.points[1]; total < float64(ended) || total > float64(ended*m.warrior) {
		return fmt.Errorf("the observation has %v points of South and %v of North after %d games, expected %d to %d together",
			m.points[0], m.points[1], ended, ended, ended*m.warrior)
	}
	return nil
}

func (m *matchGames) position() MatchPosition {
	return MatchPosition{m.number, m.points, m.current}
}

func (m *matchGames) state() mancala.State { return m.current }
func (m *matchGames) round() int           { return m.number }
func (m *matchGames) rounds() int          { return m.count }
func (m *matchGames) score() [2]float64    { return m.points }

func (m *matchGames) play(a mancala.Action) (mancala.Turn, error) { return m.game.Play(&m.current, a) }

func (m *matchGames) finish() bool {
	switch margin := mancala.Margin(m.game, &m.current, mancala.South); {
	case margin == 0:
		m.points[mancala.South] += 0.5
		m.points[mancala.North] += 0.5
	case margin > 0:
		m.points[mancala.South] += m.worth(margin)
	default:
		m.points[mancala.North] += m.worth(-margin)
	}
	if m.number == m.count {
		return false
	}
	m.number++
	m.current = m.start
	if m.number%2 == 0 {
		m.current = m.start.Swapped(m.game.Width())
	}
	return true
}

// worth returns the points of a win by a margin.
func (m *matchGames) worth(margin int) float64 {
	if margin == 2 {
		return float64(m.warrior)
	}
	return 1
}

// margin returns South's points less North's, which is whole: a draw adds the same to both.
func (m *matchGames) margin() int { return int(m.points[mancala.South] - m.points[mancala.North]) }

func (m *matchGames) fill(dst []float32, mover mancala.Player) {
	width := m.game.Width()
	fillAll(dst[:width], float32(m.points[mover]/m.most()))
	fillAll(dst[width:2*width], float32(m.points[mover.Other()]/m.most()))
	fillAll(dst[2*width:], float32(m.number)/float32(m.count))
}
