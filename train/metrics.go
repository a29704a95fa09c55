package train

import (
	"fmt"
	"runtime/metrics"
	"time"

	"kiothi/agent/network"
	"kiothi/train/history"
	"kiothi/train/selfplay"
)

// This file fills in the lines of metrics.jsonl, the form of which package history has.

// setCost takes what self-play cost.
func setCost(m *history.Iteration, c selfplay.Cost, took time.Duration) {
	m.Phases.SelfPlay = took.Seconds()
	if took > 0 {
		m.EvaluationsPerSecond = float64(c.Evaluations) / took.Seconds()
		m.PositionsPerSecond = float64(c.Plies) / took.Seconds()
	}
	if n := c.Evaluations + c.Recalled; n > 0 {
		m.RecalledShare = float64(c.Recalled) / float64(n)
	}
	if c.Elapsed > 0 {
		m.NetworkShare = c.Network.Seconds() / c.Elapsed.Seconds()
	}
}

// setGames takes what the games were like.
func setGames(m *history.Iteration, s selfplay.Stats) {
	m.Games, m.DistinctGames, m.Positions = s.Games, s.Distinct, s.Plies
	if s.Games > 0 {
		m.TurnsPerGame = float64(s.Turns) / float64(s.Games)
		m.Draws = float64(s.Draws) / float64(s.Games)
		m.Exhausted = float64(s.Exhausted) / float64(s.Games)
	}
	if s.Turns > 0 {
		m.CutTurns = float64(s.Cuts) / float64(s.Turns)
	}
	m.OpeningEntropy, m.SowingEntropy = s.OpeningEntropy(), s.SowingEntropy()
}

// setLosses takes the sums of the losses of a number of steps.
func setLosses(m *history.Iteration, sum network.Losses, steps int, took time.Duration) {
	m.Phases.Training = took.Seconds()
	m.Steps = steps
	if steps == 0 {
		return
	}
	n := float64(steps)
	m.PolicyLoss, m.ValueLoss, m.L2Loss = sum.Policy/n, sum.Value/n, sum.L2/n
	m.GradientNorm, m.NetworkPolicyEntropy, m.NetworkValueEntropy = sum.GradNorm/n, sum.PolicyEntropy/n, sum.ValueEntropy/n
}

func addLosses(sum *network.Losses, l network.Losses) {
	sum.Policy += l.Policy
	sum.Value += l.Value
	sum.L2 += l.L2
	sum.GradNorm += l.GradNorm
	sum.PolicyEntropy += l.PolicyEntropy
	sum.ValueEntropy += l.ValueEntropy
}

// report writes the line of the iteration that has just been completed, and tells a person in the 80 columns of a terminal.
func (r *run) report() error {
	m := &r.line
	m.Seconds = r.seconds()
	m.TotalGames, m.TotalPositions, m.TotalSteps = r.state.Games, r.state.Positions, r.state.Steps
	m.WindowPositions, m.WindowBytes, m.HeapBytes = r.window.Len(), r.window.Bytes(), liveHeap()
	fmt.Fprintf(r.Results, "iteration %d/%d: loss policy %.3f value %.3f; %.1f turns, %.0f %% draws; %s\n",
		m.Iteration, r.Config.Run.Iterations, m.PolicyLoss, m.ValueLoss, m.TurnsPerGame, 100*m.Draws,
		time.Duration(m.Seconds*float64(time.Second)).Round(time.Second))
	return history.Append(r.Dir, history.Line{Iteration: m})
}

// resumeMetrics takes the lines of iterations after the given one out of the file: those iterations are done again. It returns
// the seconds of the last line that stays, and the evaluations after the given iteration, by opponent.
func resumeMetrics(dir string, iteration int) (seconds float64, measured map[string]*history.Evaluation, err error) {
	lines, err := history.Trim(dir, iteration)
	measured = map[string]*history.Evaluation{}
	for _, l := range lines {
		seconds = l.Seconds()
		if e := l.Evaluation; e != nil && e.Iteration == iteration {
			measured[e.Opponent()] = e
		}
	}
	return seconds, measured, err
}

// liveHeap returns the bytes of memory that the last garbage collection found to be in use: unlike the size of the heap they do
// not depend on how long ago it was.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
