package plot

import (
	"math"
	"path/filepath"
	"slices"
	"strings"

	"kiothi/env/choice"
	"kiothi/train/history"
)

// This file says which charts tell the story of runs.

// An X is what runs are drawn over.
type X int

// What runs can be drawn over.
const (
	Time       X = iota // training time, pauses not counted
	Iterations          // iterations of self-play and training
	Positions           // positions played in self-play
)

// XNames are the words that ParseX reads.
var XNames = []string{"time", "iteration", "positions"}

// ParseX reads one of XNames.
func ParseX(word string) (X, error) {
	if i := slices.Index(XNames, word); i >= 0 {
		return X(i), nil
	}
	return 0, choice.Unknown("horizontal axis", word, XNames)
}

// RunNames returns what pictures call runs: the last part of their folder's name, or all of it where these are alike.
func RunNames(runs []*history.Run) []string {
	names := make([]string, len(runs))
	count := map[string]int{}
	last := func(r *history.Run) string {
		path, err := filepath.Abs(r.Dir)
		if err != nil {
			path = r.Dir
		}
		return filepath.Base(path)
	}
	for _, r := range runs {
		count[last(r)]++
	}
	for i, r := range runs {
		names[i] = last(r)
		if count[names[i]] > 1 {
			names[i] = r.Dir
		}
	}
	return names
}

// RunCharts returns the charts of runs: losses, entropies, the rating, the score against each opponent, the length of games
// and the speed of self-play. What no run has measured is left out.
func RunCharts(runs []*history.Run, over X) ([]Chart, error) {
	unit, label := axisUnit(runs, over)
	free := math.NaN()
	type measure struct {
		series string
		known  func(i *history.Iteration) bool
		value  func(r *history.Run, i *history.Iteration) float64
	}
	trained := func(i *history.Iteration) bool { return i.Steps > 0 }
	var charts []Chart
	add := func(c Chart, measures ...measure) {
		c.X = label
		for _, m := range measures {
			for n, r := range runs {
				s := Series{Run: n, Name: m.series}
				for k := range r.Iterations {
					if i := &r.Iterations[k]; m.known(i) {
						s.Points = append(s.Points, Point{X: over.of(i.Seconds, i.Iteration, i.TotalPositions) / unit, Y: m.value(r, i)})
					}
				}
				if s.Points != nil {
					c.Series = append(c.Series, s)
				}
			}
		}
		if c.Series != nil {
			charts = append(charts, c)
		}
	}
	add(Chart{Name: "policy-loss", Title: "Policy loss, nats", Low: free, High: free},
		measure{"", trained, func(_ *history.Run, i *history.Iteration) float64 { return i.PolicyLoss }})
	add(Chart{Name: "value-loss", Title: "Value loss, nats", Low: free, High: free},
		measure{"", trained, func(_ *history.Run, i *history.Iteration) float64 { return i.ValueLoss }})
	add(Chart{Name: "loss", Title: "Total loss with weight decay, nats", Low: free, High: free},
		measure{"", trained, func(r *history.Run, i *history.Iteration) float64 { return r.Loss(i) }})
	add(Chart{Name: "entropy", Title: "Entropy of policies, nats", Low: 0, High: free},
		measure{"search, opening", func(i *history.Iteration) bool { return i.OpeningEntropy > 0 },
			func(_ *history.Run, i *history.Iteration) float64 { return i.OpeningEntropy }},
		measure{"search, sowing", func(i *history.Iteration) bool { return i.SowingEntropy > 0 },
			func(_ *history.Run, i *history.Iteration) float64 { return i.SowingEntropy }},
		measure{"network", trained, func(_ *history.Run, i *history.Iteration) float64 { return i.NetworkPolicyEntropy }})
	rated, err := ratingChart(runs, over, unit, label)
	if err != nil {
		return nil, err
	}
	if rated.Series != nil {
		charts = append(charts, rated)
	}
	for _, opponent := range opponents(runs) {
		charts = append(charts, scoreChart(runs, opponent, over, unit, label))
	}
	add(Chart{Name: "game-length", Title: "Turns a game in self-play", Low: free, High: free},
		measure{"", func(i *history.Iteration) bool { return i.Games > 0 },
			func(_ *history.Run, i *history.Iteration) float64 { return i.TurnsPerGame }})
	add(Chart{Name: "speed", Title: "Positions a second in self-play", Low: 0, High: free},
		measure{"", func(i *history.Iteration) bool { return i.PositionsPerSecond > 0 },
			func(_ *history.Run, i *history.Iteration) float64 { return i.PositionsPerSecond }})
	return charts, nil
}

// opponents returns whom the runs were measured against, in the order in which they first appear.
func opponents(runs []*history.Run) (names []string) {
	for _, r := range runs {
		for _, e := range r.Evaluations {
			if !slices.Contains(names, e.Opponent()) {
				names = append(names, e.Opponent())
			}
		}
	}
	return names
}

// scoreChart returns the chart of the scores against an opponent.
func scoreChart(runs []*history.Run, opponent string, over X, unit float64, label string) Chart {
	c := Chart{
		Name: "score-" + fileWord(opponent), Title: "Score against " + squeeze(clean(opponent), bold(titleSize), 200) + ", %, with 95 % interval",
		X: label, Low: 0, High: 100,
	}
	for n, r := range runs {
		s := Series{Run: n, Interval: true}
		for _, e := range r.Evaluations {
			if e.Opponent() == opponent {
				x := over.of(e.Seconds, e.Iteration, r.Positions(e.Iteration)) / unit
				s.Points = append(s.Points, Point{x, 100 * e.Result.Score, 100 * e.Result.Low, 100 * e.Result.High})
			}
		}
		if s.Points != nil {
			c.Series = append(c.Series, s)
		}
	}
	return c
}

// fileWord makes a part of a file's name out of an agent.
func fileWord(agent string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '=':
			return r
		}
		return '-'
	}, agent)
}

// of picks what runs are drawn over.
func (x X) of(seconds float64, iteration int, positions int64) float64 {
	switch x {
	case Iterations:
		return float64(iteration)
	case Positions:
		return float64(positions)
	}
	return seconds
}

// axisUnit returns the unit of the horizontal axis and its label.
func axisUnit(runs []*history.Run, over X) (unit float64, label string) {
	switch over {
	case Iterations:
		return 1, "iterations"
	case Positions:
		return 1, "positions of self-play"
	}
	longest := 0.0
	for _, r := range runs {
		for _, i := range r.Iterations {
			longest = max(longest, i.Seconds)
		}
	}
	switch {
	case longest < 200:
		return 1, "training time, seconds"
	case longest < 3*3600:
		return 60, "training time, minutes"
	}
	return 3600, "training time, hours"
}
