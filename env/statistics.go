package env

import (
	"fmt"

	"kiothi/env/mancala"
)

// This file counts what happened in games.

// Statistics sums games up, by being told of them:
//
//	var statistics env.Statistics
//	e, err := env.New(game, env.Options{Ended: statistics.Add})
//
// The zero value is ready. It is not safe for concurrent use; a Vector tells of its games one at a time, by row.
type Statistics struct {
	Episodes  int        `json:"episodes"`
	Steps     Lengths    `json:"steps"`
	Turns     Lengths    `json:"turns"`
	Wins      [2]int     `json:"wins"`    // by South and by North; a warrior's victory is one
	Warriors  [2]int     `json:"warrior"` // of these, by exactly two seeds
	Draws     int        `json:"draws"`
	Returns   [2]float64 `json:"returns"`   // the sums of South's and of North's rewards
	Exhausted int        `json:"exhausted"` // games that ended by the clock
	Truncated int        `json:"truncated"` // games that were cut short: neither won nor drawn
	CutTurns  int        `json:"cut_turns"` // turns whose relay was cut
	Learner   Score      `json:"learner"`   // of the games of a Versus
}

// Lengths sums up lengths of games.
type Lengths struct {
	Total    int `json:"total"`
	Shortest int `json:"shortest"`
	Longest  int `json:"longest"`
}

// A Score counts results as one player sees them.
type Score struct {
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
	Return float64 `json:"return"` // the sum of the player's rewards
}

// Add counts a game that has ended.
func (s *Statistics) Add(e *Episode) {
	s.Steps.add(len(e.Actions), s.Episodes == 0)
	s.Turns.add(e.Turns, s.Episodes == 0)
	s.Episodes++
	s.CutTurns += e.Cut
	for p := range s.Returns {
		s.Returns[p] += e.Rewards[p]
	}
	if e.Learner != NoPlayer {
		s.Learner.Return += e.Rewards[e.Learner]
	}
	if e.Truncated {
		s.Truncated++
		return
	}
	if e.Reason == mancala.Exhausted {
		s.Exhausted++
	}
	margin := e.Stores[mancala.South] - e.Stores[mancala.North]
	if margin == 0 {
		s.Draws++
		if e.Learner != NoPlayer {
			s.Learner.Draws++
		}
		return
	}
	winner := mancala.South
	if margin < 0 {
		winner = mancala.North
	}
	s.Wins[winner]++
	if margin == 2 || margin == -2 {
		s.Warriors[winner]++
	}
	switch e.Learner {
	case NoPlayer:
	case int(winner):
		s.Learner.Wins++
	default:
		s.Learner.Losses++
	}
}

func (l *Lengths) add(length int, first bool) {
	l.Total += length
	l.Longest = max(l.Longest, length)
	if first || length < l.Shortest {
		l.Shortest = length
	}
}

// String says in a line what was counted.
func (s *Statistics) String() string {
	n := float64(max(s.Episodes, 1))
	text := fmt.Sprintf("%d games of %.1f steps and %.1f turns: South won %d, North %d, %d drawn",
		s.Episodes, float64(s.Steps.Total)/n, float64(s.Turns.Total)/n, s.Wins[mancala.South], s.Wins[mancala.North], s.Draws)
	for _, c := range []struct {
		count int
		what  string
	}{{s.Exhausted, "ended by the clock"}, {s.Truncated, "truncated"}, {s.CutTurns, "turns cut"}} {
		if c.count > 0 {
			text += fmt.Sprintf(", %d %s", c.count, c.what)
		}
	}
	return text
}
