package history

import (
	"encoding/json"
	"fmt"

	"kiothi/train/arena"
)

// This file is the form of metrics.jsonl: a line an iteration, and a line an evaluation.

// A Line is a line of the file: exactly one of the two is not nil.
type Line struct {
	Iteration  *Iteration
	Evaluation *Evaluation
}

// An Iteration is what an iteration showed. Losses and entropies are in nats. Of an iteration that was stopped and resumed,
// speeds, phases and losses are those since it was resumed, so that Steps or PositionsPerSecond is 0 where an earlier process
// did all of it; Seconds counts all.
type Iteration struct {
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
	OpeningEntropy float64 `json:"opening_entropy"` // of the search's policy, mean over its moves; 0 in a game without opening turns
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
	Phases               Phases  `json:"phases"`

	Gate *Gate `json:"gate,omitempty"` // nil where the iteration had none

	// Totals of the run.
	TotalGames     int64 `json:"total_games"`
	TotalPositions int64 `json:"total_positions"`
	TotalSteps     int   `json:"total_steps"`

	// Memory. HeapBytes is what the last garbage collection before the end of the iteration found to be in use; older versions
	// of the program wrote the size of the heap there, with what was not collected yet.
	WindowPositions int    `json:"window_positions"`
	WindowBytes     int64  `json:"window_bytes"`
	HeapBytes       uint64 `json:"heap_bytes"`
}

// Phases are where the time of an iteration went, in seconds.
type Phases struct {
	SelfPlay   float64 `json:"selfplay"`
	Replay     float64 `json:"replay"` // writing the games and replaying them into the window
	Training   float64 `json:"training"`
	Checkpoint float64 `json:"checkpoint"` // the one before the iteration
	Gate       float64 `json:"gate,omitempty"`
}

// A Gate is what a match of a candidate showed, in the line of its iteration.
type Gate struct {
	Accepted  bool              `json:"accepted"`
	Incumbent int               `json:"incumbent"` // the iteration after which the network that it played against took over
	Games     int               `json:"games"`
	Score     float64           `json:"score"` // the candidate's, a draw being half a point
	SPRT      *arena.SPRTResult `json:"sprt"`
}

// An Evaluation is a match of the network against an opponent, after an iteration.
type Evaluation struct {
	Iteration   int           `json:"iteration"` // after which it was
	Seconds     float64       `json:"seconds"`   // since the run began, pauses not counted
	Simulations int           `json:"simulations"`
	Result      *arena.Result `json:"evaluation"` // the network is the first contender
}

// Opponent returns the agent that the network met.
func (e *Evaluation) Opponent() string { return e.Result.Agents[1] }

// MarshalJSON writes the one that is there.
func (l Line) MarshalJSON() ([]byte, error) {
	if l.Evaluation != nil {
		return json.Marshal(l.Evaluation)
	}
	return json.Marshal(l.Iteration)
}

// UnmarshalJSON reads a line of either kind. It fails for what is no object, or has a field of another type, and leaves to Read
// whether the numbers make sense.
func (l *Line) UnmarshalJSON(text []byte) error {
	var e Evaluation
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	if e.Result != nil {
		*l = Line{Evaluation: &e}
		return nil
	}
	var i Iteration
	if err := json.Unmarshal(text, &i); err != nil {
		return err
	}
	*l = Line{Iteration: &i}
	return nil
}

// Number returns the iteration that the line is about.
func (l Line) Number() int {
	if l.Evaluation != nil {
		return l.Evaluation.Iteration
	}
	return l.Iteration.Iteration
}

// Seconds returns the time of the run at the end of what the line is about, pauses not counted.
func (l Line) Seconds() float64 {
	if l.Evaluation != nil {
		return l.Evaluation.Seconds
	}
	return l.Iteration.Seconds
}

// check refuses a line whose numbers make no sense.
func (l Line) check() error {
	if n, seconds := l.Number(), l.Seconds(); n < 1 || seconds < 0 {
		return fmt.Errorf("found iteration %d after %g seconds, expected an iteration from 1 up and a time", n, seconds)
	}
	if l.Evaluation == nil {
		return nil
	}
	r := l.Evaluation.Result
	if r.Agents[1] == "" || min(r.Score, r.Low, r.High) < 0 || max(r.Score, r.Low, r.High) > 1 {
		return fmt.Errorf("found an evaluation against %q with a score of %g in %g to %g, expected an opponent and shares from 0 to 1",
			r.Agents[1], r.Score, r.Low, r.High)
	}
	least := min(r.South.Wins, r.South.Draws, r.South.Losses, r.North.Wins, r.North.Draws, r.North.Losses)
	if found := r.South.Games() + r.North.Games(); found != r.Games || least < 0 {
		return fmt.Errorf("found results of %d games from both seats, expected those of %d games", found, r.Games)
	}
	return nil
}
