package arena

import (
	"slices"
	"time"

	"kiothi/train/rating"
)

// This file sums a tournament up.

// A Table is what a tournament showed.
type Table struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"`
	Seed     uint64 `json:"seed"`
	Openings string `json:"openings"`
	Warrior  int    `json:"warrior"`
	Games    int    `json:"games"` // in all matches

	Standings []Standing `json:"agents"` // by contender
	// Matches are those of contenders 0 and 1, 0 and 2, 1 and 2, 0 and 3, and so on.
	Matches []*Result `json:"matches"`

	// Ratings are what Rate makes of the games, in Elo with Anchor's being 0; nil before.
	Anchor  int             `json:"anchor"`
	Ratings *rating.Ratings `json:"ratings,omitempty"`
}

// A Standing is what a tournament showed about one contender: of all its games, as it sees them.
type Standing struct {
	Agent string `json:"agent"`
	Games int    `json:"games"`
	Total Tally  `json:"total"`
	// Score is the share of points, a draw being half a point, and Low to High its 95 % interval (see Wilson).
	Score float64 `json:"score"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`

	Points        float64 `json:"points"` // match points
	WarriorWins   int     `json:"warrior_wins"`
	WarriorLosses int     `json:"warrior_losses"`
	Distinct      int     `json:"distinct"`    // different sequences of actions among the games
	MeanTurns     float64 `json:"mean_turns"`  // of the games that were played to their end
	MeanMargin    float64 `json:"mean_margin"` // likewise
	// Forfeits counts the games that it lost without their being played to their end.
	Forfeits map[ForfeitReason]int `json:"forfeits,omitempty"`
	Cost     Cost                  `json:"cost"`
}

// Forfeited returns the number of games that the contender lost without their being played to their end.
func (s *Standing) Forfeited() int {
	n := 0
	for _, games := range s.Forfeits {
		n += games
	}
	return n
}

// A Cost is what an agent spent on its answers, in all games that were begun.
type Cost struct {
	Answers     int64   `json:"answers"`
	Simulations int64   `json:"simulations"` // of tree searches, 0 where it makes none
	Nodes       int64   `json:"nodes"`       // of alpha-beta searches, 0 where it makes none
	Seconds     float64 `json:"seconds"`     // by the clock on the wall; of a batch, once for all its answers
}

// each returns the share of an answer in an amount.
func (c *Cost) each(amount float64) float64 { return amount / float64(max(c.Answers, 1)) }

// SimulationsEach returns the simulations an answer.
func (c *Cost) SimulationsEach() float64 { return c.each(float64(c.Simulations)) }

// NodesEach returns the nodes an answer.
func (c *Cost) NodesEach() float64 { return c.each(float64(c.Nodes)) }

// MillisecondsEach returns the milliseconds an answer.
func (c *Cost) MillisecondsEach() float64 { return c.each(1000 * c.Seconds) }

func (e *entrant) cost() Cost {
	return Cost{
		Answers: e.answers.Load(), Simulations: e.effort.Simulations.Load(), Nodes: e.effort.Nodes.Load(),
		Seconds: time.Duration(e.spent.Load()).Seconds(),
	}
}

// table makes the result of what has been played.
func (t *tournament) table() *Table {
	o := &t.options
	table := &Table{Game: t.game.Name(), Rules: t.game.Rules(), Seed: o.Seed, Openings: o.Openings.String(), Warrior: o.Warrior}
	for i, pair := range t.pairs {
		played := t.played[i]
		slices.SortFunc(played, func(x, y Played) int { return x.Number - y.Number })
		if t.test != nil {
			played = slices.DeleteFunc(played, func(p Played) bool { return p.Number >= t.test.next })
		}
		r := summarize(t.game, [2]Contender{t.entrants[pair[0]].Contender, t.entrants[pair[1]].Contender}, *o, played)
		if t.test != nil {
			r.SPRT = t.test.result()
		}
		table.Matches = append(table.Matches, r)
		table.Games += r.Games
	}
	for i, e := range t.entrants {
		s := t.standing(table, i)
		s.Agent, s.Cost = e.Name, e.cost()
		table.Standings = append(table.Standings, s)
	}
	return table
}

// standing sums up the matches of one entrant.
func (t *tournament) standing(table *Table, entrant int) Standing {
	var s Standing
	sequences := map[string]bool{}
	turns, margins, complete := 0, 0, 0
	for i, pair := range t.pairs {
		side := slices.Index(pair[:], entrant)
		if side < 0 {
			continue
		}
		r := table.Matches[i]
		total, sign := r.Total, 1
		if side == 1 {
			total, sign = total.turned(), -1
		}
		s.Games += r.Games
		s.Total.Wins += total.Wins
		s.Total.Draws += total.Draws
		s.Total.Losses += total.Losses
		s.Points += r.Points[side]
		s.WarriorWins += r.WarriorWins[side]
		s.WarriorLosses += r.WarriorWins[1-side]
		for j := range r.Played {
			p := &r.Played[j]
			sequences[p.sequence()] = true
			if p.Forfeit == nil {
				turns += p.Turns
				margins += sign * p.Margin()
				complete++
			} else if p.Forfeit.Loser == side {
				if s.Forfeits == nil {
					s.Forfeits = map[ForfeitReason]int{}
				}
				s.Forfeits[p.Forfeit.Reason]++
			}
		}
	}
	n := float64(max(complete, 1))
	s.Distinct, s.MeanTurns, s.MeanMargin = len(sequences), float64(turns)/n, float64(margins)/n
	s.Score = s.Total.Points() / float64(max(s.Games, 1))
	s.Low, s.High = Wilson(s.Total.Points(), s.Games)
	return s
}

// Pair returns the contenders of a match by its index in Table.Matches.
func (t *Table) Pair(match int) (first, second int) {
	for second = 1; match >= second; second++ {
		match -= second
	}
	return match, second
}

// Match returns the match of two contenders and whether the first of them is its second contender; nil for one and the same.
func (t *Table) Match(a, b int) (r *Result, turned bool) {
	switch {
	case a < b:
		return t.Matches[b*(b-1)/2+a], false
	case a > b:
		return t.Matches[a*(a-1)/2+b], true
	}
	return nil, false
}

// Against returns the share of points of contender a against b. ok is false where they played no games.
func (t *Table) Against(a, b int) (score float64, ok bool) {
	r, turned := t.Match(a, b)
	if r == nil || r.Games == 0 {
		return 0, false
	}
	if turned {
		return 1 - r.Score, true
	}
	return r.Score, true
}

// Rate rates the contenders by all games, one of them being the anchor with a rating of 0. It fails where no chain of games
// connects them, as in a tournament that was stopped early.
func (t *Table) Rate(anchor, workers int) error {
	var names []string
	for i := range t.Standings {
		names = append(names, t.Standings[i].Agent)
	}
	ratings, err := rating.Fit(len(names), t.rated(), rating.Options{Anchor: anchor, Names: names, Seed: t.Seed, Workers: workers})
	if err != nil {
		return err
	}
	t.Anchor, t.Ratings = anchor, ratings
	return nil
}

// rated returns the games in the words of package rating.
func (t *Table) rated() []rating.Game {
	var games []rating.Game
	for i, r := range t.Matches {
		first, second := t.Pair(i)
		for j := range r.Played {
			p := &r.Played[j]
			g := rating.Game{A: first, B: second, Score: p.Score(), Pair: p.Number / 2, First: 1}
			if p.Number%2 == 1 {
				g.First = -1
			}
			games = append(games, g)
		}
	}
	return games
}
