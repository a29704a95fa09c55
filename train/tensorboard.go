package train

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kiothi/train/events"
	"kiothi/train/history"
	"kiothi/train/replay"
)

// This file is the run as TensorBoard shows it: the lines of metrics.jsonl as scalars, and histograms, a step an iteration.
// Nothing depends on it: where it cannot be written, the run goes on without it.

// openEvents begins a file of events, and adds what is in metrics.jsonl and in none of the files yet: lines that were written
// just before a crash, or while run.tensorboard was off.
func (r *run) openEvents() {
	if r.Config.Run.TensorBoard == "off" {
		return
	}
	w, err := events.Open(r.Dir, int64(r.state.Iteration), time.Now())
	if err != nil {
		r.loseEvents(err)
		return
	}
	r.events = w
	lines, err := history.Lines(r.Dir)
	if err != nil {
		r.loseEvents(err)
		return
	}
	for _, l := range lines {
		if e := l.Evaluation; e != nil {
			r.addEvents(e.Iteration, evaluationValues(e))
		} else {
			r.addEvents(l.Iteration.Iteration, iterationValues(l.Iteration))
		}
	}
}

// addEvents adds the values of an iteration.
func (r *run) addEvents(iteration int, values []events.Value) {
	if r.events == nil {
		return
	}
	if err := r.events.Add(int64(iteration), time.Now(), values...); err != nil {
		r.loseEvents(err)
	}
}

// loseEvents says why TensorBoard will see no more of this process, and gives its file up.
func (r *run) loseEvents(cause error) {
	fmt.Fprintf(r.Messages, "%v; the run goes on without events for TensorBoard\n", cause)
	r.closeEvents()
}

// closeEvents closes the file of events, if there is one.
func (r *run) closeEvents() {
	if r.events == nil {
		return
	}
	if err := r.events.Close(); err != nil {
		fmt.Fprintf(r.Messages, "closing TensorBoard's file: %v\n", err)
	}
	r.events = nil
}

// iterationValues returns an iteration's line as scalars. What was not measured, because an earlier process did it, is left out.
func iterationValues(m *history.Iteration) []events.Value {
	values := []events.Value{
		{Tag: "games/turns", Scalar: m.TurnsPerGame},
		{Tag: "games/draws", Scalar: m.Draws},
		{Tag: "games/exhausted", Scalar: m.Exhausted},
		{Tag: "games/cut_turns", Scalar: m.CutTurns},
		{Tag: "games/distinct", Scalar: float64(m.DistinctGames)},
		{Tag: "entropy/search_opening", Scalar: m.OpeningEntropy},
		{Tag: "entropy/search_sowing", Scalar: m.SowingEntropy},
		{Tag: "memory/heap_bytes", Scalar: float64(m.HeapBytes)},
		{Tag: "memory/window_bytes", Scalar: float64(m.WindowBytes)},
		{Tag: "memory/window_positions", Scalar: float64(m.WindowPositions)},
		{Tag: "seconds/selfplay", Scalar: m.Phases.SelfPlay},
		{Tag: "seconds/replay", Scalar: m.Phases.Replay},
		{Tag: "seconds/training", Scalar: m.Phases.Training},
		{Tag: "seconds/checkpoint", Scalar: m.Phases.Checkpoint},
		{Tag: "seconds/total", Scalar: m.Seconds},
	}
	if m.PositionsPerSecond > 0 {
		values = append(values,
			events.Value{Tag: "speed/positions_per_second", Scalar: m.PositionsPerSecond},
			events.Value{Tag: "speed/evaluations_per_second", Scalar: m.EvaluationsPerSecond},
			events.Value{Tag: "speed/network_share", Scalar: m.NetworkShare},
		)
	}
	if m.Steps > 0 {
		values = append(values,
			events.Value{Tag: "loss/policy", Scalar: m.PolicyLoss},
			events.Value{Tag: "loss/value", Scalar: m.ValueLoss},
			events.Value{Tag: "loss/l2", Scalar: m.L2Loss},
			events.Value{Tag: "entropy/network_policy", Scalar: m.NetworkPolicyEntropy},
			events.Value{Tag: "entropy/network_value", Scalar: m.NetworkValueEntropy},
			events.Value{Tag: "training/learning_rate", Scalar: m.LearningRate},
			events.Value{Tag: "training/gradient_norm", Scalar: m.GradientNorm},
		)
	}
	return values
}

// evaluationValues returns an evaluation's line as scalars: the score and its 95 % interval.
func evaluationValues(e *history.Evaluation) []events.Value {
	opponent := "evaluation/" + tagPart(e.Opponent())
	return []events.Value{
		{Tag: opponent + "/score", Scalar: e.Result.Score},
		{Tag: opponent + "/low", Scalar: e.Result.Low},
		{Tag: opponent + "/high", Scalar: e.Result.High},
	}
}

// tagPart makes a part of a tag of a text: other characters than these divide tags, or are not taken everywhere.
func tagPart(text string) string {
	return strings.Map(func(c rune) rune {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '.' || c == '-' {
			return c
		}
		return '_'
	}, text)
}

// gameHistograms returns how the games of an iteration are spread: their actions, South's margin of seeds, and the entropy of
// the search's policies, in nats.
func gameHistograms(records []*replay.Game) []events.Value {
	var actions, margins, entropies []float32
	for _, g := range records {
		actions = append(actions, float32(len(g.Plies)))
		margins = append(margins, float32(g.Final[0])-float32(g.Final[1]))
		for ply := range g.Plies {
			policy := g.Policy(ply)
			if len(policy) == 0 {
				continue
			}
			entropy := 0.0
			for _, e := range policy {
				p := float64(e.Probability())
				entropy -= p * math.Log(p)
			}
			entropies = append(entropies, float32(entropy))
		}
	}
	return []events.Value{
		{Tag: "games/actions", Histogram: events.NewHistogram(actions)},
		{Tag: "games/margin_of_south", Histogram: events.NewHistogram(margins)},
		{Tag: "games/policy_entropy", Histogram: events.NewHistogram(entropies)},
	}
}

// weightHistograms returns how the weights of each tensor are spread.
func (r *run) weightHistograms() []events.Value {
	var values []events.Value
	for _, t := range r.weights.Tensors() {
		values = append(values, events.Value{Tag: "weights/" + t.Name, Histogram: events.NewHistogram(t.Data)})
	}
	return values
}
