package train

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"kiothi/agent/network"
	"kiothi/env/durable"
	"kiothi/train/arena"
	"kiothi/train/runfiles"
	"kiothi/train/selfplay"
)

// This file is metrics.jsonl: a line an iteration, and a line an evaluation. Of an iteration that was stopped and resumed,
// speeds, phases and losses are those since it was resumed; the seconds of the run count all of it.

// metrics is what an iteration showed. Entropies and losses are in nats.
type metrics struct {
	Iteration int     `json:"iteration"` // the first is 1
	Seconds   float64 `json:"seconds"`   // since the run began, pauses not counted

	// The games of the iteration.
	Games          int     `json:"games"`
	DistinctGames  int     `json:"distinct_games"`
	Positions      int     `json:"positions"` // actions in the games
	TurnsPerGame   float64 `json:"turns_per_game"`
	Draws          float64 `json:"draws"`           // share of the games
	Exhausted      float64 `json:"exhausted"`       // share of the games that the clock ended
	CutTurns       float64 `json:"cut_turns"`       // share of the turns whose relay was cut
	OpeningEntropy float64 `json:"opening_entropy"` // of the search's policy, mean over its moves
	SowingEntropy  float64 `json:"sowing_entropy"`

	// The training steps of the iteration: means, and the last learning rate.
	Steps                int     `json:"steps"`
	PolicyLoss           float64 `json:"policy_loss"`
	ValueLoss            float64 `json:"value_loss"`
	L2Loss               float64 `json:"l2_loss"`
	GradientNorm         float64 `json:"gradient_norm"`
	NetworkPolicyEntropy float64 `json:"network_policy_entropy"`
	NetworkValueEntropy  float64 `json:"network_value_entropy"`
	LearningRate         float64 `json:"learning_rate"`

	// Speed of self-play: positions that the network judged a second, and actions played.
	EvaluationsPerSecond float64 `json:"evaluations_per_second"`
	PositionsPerSecond   float64 `json:"positions_per_second"`
	NetworkShare         float64 `json:"network_share"`  // of the time of self-play
	RecalledShare        float64 `json:"recalled_share"` // of the judgements: those known from the search of the move before
	Phases               phases  `json:"phases"`

	Gate *gateLine `json:"gate,omitempty"` // nil where the iteration had none

	// Totals of the run.
	TotalGames     int64 `json:"total_games"`
	TotalPositions int64 `json:"total_positions"`
	TotalSteps     int   `json:"total_steps"`

	// Memory.
	WindowPositions int    `json:"window_positions"`
	WindowBytes     int64  `json:"window_bytes"`
	HeapBytes       uint64 `json:"heap_bytes"`
}

// phases is where the time of an iteration went, in seconds.
type phases struct {
	SelfPlay   float64 `json:"selfplay"`
	Replay     float64 `json:"replay"` // writing the games and replaying them into the window
	Training   float64 `json:"training"`
	Checkpoint float64 `json:"checkpoint"` // the one before the iteration
	Gate       float64 `json:"gate,omitempty"`
}

func (m *metrics) setCost(c selfplay.Cost, took time.Duration) {
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

func (m *metrics) setGames(s selfplay.Stats) {
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
func (m *metrics) setLosses(sum network.Losses, steps int, took time.Duration) {
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
	m.WindowPositions, m.WindowBytes, m.HeapBytes = r.window.Len(), r.window.Bytes(), heapBytes()
	fmt.Fprintf(r.Results, "iteration %d/%d: loss policy %.3f value %.3f; %.1f turns, %.0f %% draws; %s\n",
		m.Iteration, r.Config.Run.Iterations, m.PolicyLoss, m.ValueLoss, m.TurnsPerGame, 100*m.Draws,
		time.Duration(m.Seconds*float64(time.Second)).Round(time.Second))
	return r.appendMetrics(m)
}

// evaluationLine is the line of an evaluation.
type evaluationLine struct {
	Iteration   int           `json:"iteration"` // after which it was
	Seconds     float64       `json:"seconds"`
	Simulations int           `json:"simulations"` // of the network's searches
	Evaluation  *arena.Result `json:"evaluation"`
}

// appendMetrics appends a line to the file of metrics.
func (r *run) appendMetrics(line any) error {
	data, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	file, err := os.OpenFile(filepath.Join(r.Dir, runfiles.Metrics), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	_, err = file.Write(append(data, '\n'))
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing metrics: %w", err)
	}
	return nil
}

// trimMetrics takes the lines of iterations after the given one out of the file, and a line that a crash has torn: those
// iterations are done again. It returns the seconds of the last line that stays, and the evaluations after the given
// iteration, by opponent.
func trimMetrics(path string, iteration int) (seconds float64, measured map[string]evaluationLine, err error) {
	measured = map[string]evaluationLine{}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, measured, nil
	}
	if err != nil {
		return 0, nil, fmt.Errorf("reading metrics: %w", err)
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(data) {
		var l evaluationLine
		if !bytes.HasSuffix(line, []byte("\n")) || json.Unmarshal(line, &l) != nil || l.Iteration > iteration {
			continue
		}
		seconds = l.Seconds
		if l.Evaluation != nil && l.Iteration == iteration {
			measured[l.Evaluation.Agents[1]] = l
		}
		kept.Write(line)
	}
	if kept.Len() == len(data) {
		return seconds, measured, nil
	}
	return seconds, measured, durable.WriteBytes(path, kept.Bytes())
}
