package plot

import (
	"cmp"
	"math"
	"slices"

	"kiothi/train/arena"
	"kiothi/train/history"
	"kiothi/train/rating"
)

// This file is the rating of runs over time.

// anchorName is the opponent whose rating is 0.
const anchorName = "random"

// ratingResamples is enough for a band in a picture, and quick for hundreds of evaluations.
const ratingResamples = 300

// ratingChart rates the networks of all evaluations together with their opponents: each network that was measured is a player
// of its own. Games and rule sets are rated apart. Metrics hold no opening pairs, so that each game counts as one, which leaves
// the intervals rather too wide than too narrow. Networks that no chain of games compares with the anchor are left out.
func ratingChart(runs []*history.Run, over X, unit float64, label string) (Chart, error) {
	c := Chart{Name: "rating", Title: "Rating, Elo above " + anchorName + ", with 95 % interval", X: label, Low: math.NaN(), High: math.NaN()}
	done := make([]bool, len(runs))
	for first := range runs {
		p := newPool(runs)
		for n, r := range runs {
			if !done[n] && r.Config.Game == runs[first].Config.Game && r.Config.Rules == runs[first].Config.Rules {
				done[n] = true
				p.add(n)
			}
		}
		series, err := p.rate(over, unit)
		if err != nil {
			return c, err
		}
		c.Series = append(c.Series, series...)
	}
	slices.SortFunc(c.Series, func(a, b Series) int { return a.Run - b.Run })
	return c, nil
}

// A pool is the players that are rated together: opponents by name, and networks by run and iteration.
type pool struct {
	runs      []*history.Run
	opponents map[string]int
	networks  map[network]int
	last      map[network]*history.Evaluation
	order     []network // as they were measured
	names     []string
	games     []rating.Game
}

type network struct{ run, iteration int }

func newPool(runs []*history.Run) *pool {
	return &pool{
		runs: runs, opponents: map[string]int{anchorName: 0}, names: []string{anchorName},
		networks: map[network]int{}, last: map[network]*history.Evaluation{},
	}
}

// add takes the evaluations of a run that are connected with the anchor, over and over until none is left that is.
func (p *pool) add(run int) {
	evaluations := p.runs[run].Evaluations
	taken := make([]bool, len(evaluations))
	for changed := true; changed; {
		changed = false
		for i := range evaluations {
			e := &evaluations[i]
			key := network{run, e.Iteration}
			_, knownNetwork := p.networks[key]
			_, knownOpponent := p.opponents[e.Opponent()]
			if taken[i] || !knownNetwork && !knownOpponent {
				continue
			}
			taken[i], changed = true, true
			if !knownNetwork {
				p.networks[key] = p.newPlayer("a network")
				p.order = append(p.order, key)
			}
			if !knownOpponent {
				p.opponents[e.Opponent()] = p.newPlayer(e.Opponent())
			}
			if p.last[key] == nil || e.Seconds > p.last[key].Seconds {
				p.last[key] = e
			}
			p.count(p.networks[key], p.opponents[e.Opponent()], 1, e.Result.South)
			p.count(p.networks[key], p.opponents[e.Opponent()], -1, e.Result.North)
		}
	}
}

// newPlayer returns the number of a new player.
func (p *pool) newPlayer(name string) int {
	p.names = append(p.names, name)
	return len(p.names) - 1
}

// count takes the games of a tally.
func (p *pool) count(a, b, first int, t arena.Tally) {
	for _, result := range []struct {
		score float64
		games int
	}{{1, t.Wins}, {0.5, t.Draws}, {0, t.Losses}} {
		for range result.games {
			p.games = append(p.games, rating.Game{A: a, B: b, Score: result.score, Pair: len(p.games), First: first})
		}
	}
}

// rate returns a series a run.
func (p *pool) rate(over X, unit float64) ([]Series, error) {
	if len(p.order) == 0 {
		return nil, nil
	}
	ratings, err := rating.Fit(len(p.names), p.games, rating.Options{Names: p.names, Resamples: ratingResamples, Seed: 1})
	if err != nil {
		return nil, err
	}
	byRun := map[int]*Series{}
	for _, key := range p.order {
		s := byRun[key.run]
		if s == nil {
			s = &Series{Run: key.run, Interval: true, Open: true}
			byRun[key.run] = s
		}
		last, elo := p.last[key], ratings.Elo[p.networks[key]]
		x := over.of(last.Seconds, last.Iteration, p.runs[key.run].Positions(last.Iteration)) / unit
		s.Points = append(s.Points, Point{x, elo.Value, elo.Low, elo.High})
	}
	var series []Series
	for run := range p.runs {
		if s := byRun[run]; s != nil {
			slices.SortFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
			series = append(series, *s)
		}
	}
	return series, nil
}
