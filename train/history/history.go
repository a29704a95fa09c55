// Package history reads what a run of training wrote about itself, for those who draw or compare runs. It opens nothing for
// writing, and a run may be under way.
package history

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kiothi/train/config"
	"kiothi/train/runfiles"
)

// A Run is the history of a run. Both lists are in the order in which things happened.
type Run struct {
	Dir         string
	Config      config.Config
	Iterations  []Iteration
	Evaluations []Evaluation
}

// An Iteration is what an iteration showed. Losses and entropies are in nats. Where a run was stopped in the middle of an
// iteration, Steps or PositionsPerSecond can be 0: what belongs to them is not known.
type Iteration struct {
	Iteration      int     `json:"iteration"` // the first is 1
	Seconds        float64 `json:"seconds"`   // of training since the run began, pauses not counted
	TotalPositions int64   `json:"total_positions"`

	Games                int     `json:"games"`
	TurnsPerGame         float64 `json:"turns_per_game"`
	OpeningEntropy       float64 `json:"opening_entropy"` // of the search's policy; 0 in a game without opening turns
	SowingEntropy        float64 `json:"sowing_entropy"`
	PositionsPerSecond   float64 `json:"positions_per_second"` // 0 when the games were played before a stop
	Steps                int     `json:"steps"`                // training steps; 0 when they were done before a stop
	PolicyLoss           float64 `json:"policy_loss"`
	ValueLoss            float64 `json:"value_loss"`
	L2Loss               float64 `json:"l2_loss"`
	NetworkPolicyEntropy float64 `json:"network_policy_entropy"`
}

// An Evaluation is a match against an opponent, after an iteration.
type Evaluation struct {
	Iteration      int
	Seconds        float64
	TotalPositions int64 // of the iteration that it followed
	Opponent       string
	Games          int
	Score          float64 // the share of points, and its 95 % interval
	Low, High      float64
	South, North   Tally // the results by the network's seat
}

// A Tally counts results as the network sees them.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// games returns the number of games counted.
func (t Tally) games() int { return t.Wins + t.Draws + t.Losses }

// least returns the smallest count.
func (t Tally) least() int { return min(t.Wins, t.Draws, t.Losses) }

// Read reads the history of the run in a folder. A last line without its end is one that is being written, or that a crash has
// torn; it does not count. Any other line that cannot be read is an error that names the file and the line.
func Read(dir string) (*Run, error) {
	r := &Run{Dir: dir}
	var err error
	if r.Config, err = config.Load(filepath.Join(dir, runfiles.Config), config.Default()); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: found no run, for it has no %s: give the folder of a run", dir, runfiles.Config)
		}
		return nil, err
	}
	path := filepath.Join(dir, runfiles.Metrics)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading metrics: %w", err)
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		if err := r.add(line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, number, err)
		}
	}
	if len(r.Iterations) == 0 {
		return nil, fmt.Errorf("%s: the run has not completed an iteration yet: wait for the first", path)
	}
	return r, nil
}

// add takes a line of metrics.
func (r *Run) add(line []byte) error {
	var l struct {
		Iteration
		Evaluation *struct {
			Agents [2]string `json:"agents"`
			Games  int       `json:"games"`
			Score  float64   `json:"score"`
			Low    float64   `json:"low"`
			High   float64   `json:"high"`
			South  Tally     `json:"south"`
			North  Tally     `json:"north"`
		} `json:"evaluation"`
	}
	if err := json.Unmarshal(line, &l); err != nil {
		return fmt.Errorf("expected an object of metrics in JSON: %w", err)
	}
	if l.Iteration.Iteration < 1 || l.Seconds < 0 {
		return fmt.Errorf("found iteration %d after %g seconds, expected an iteration from 1 up and a time", l.Iteration.Iteration, l.Seconds)
	}
	e := l.Evaluation
	if e == nil {
		r.Iterations = append(r.Iterations, l.Iteration)
		return nil
	}
	if e.Agents[1] == "" || min(e.Score, e.Low, e.High) < 0 || max(e.Score, e.Low, e.High) > 1 {
		return fmt.Errorf("found an evaluation against %q with a score of %g in %g to %g, expected an opponent and shares from 0 to 1",
			e.Agents[1], e.Score, e.Low, e.High)
	}
	if found := e.South.games() + e.North.games(); found != e.Games || min(e.South.least(), e.North.least()) < 0 {
		return fmt.Errorf("found results of %d games from both seats, expected those of %d games", found, e.Games)
	}
	evaluation := Evaluation{
		Iteration: l.Iteration.Iteration, Seconds: l.Seconds, Opponent: e.Agents[1], Games: e.Games,
		Score: e.Score, Low: min(e.Low, e.Score), High: max(e.High, e.Score), // they can miss it by a rounding error
		South: e.South, North: e.North,
	}
	for _, i := range r.Iterations {
		if i.Iteration <= evaluation.Iteration {
			evaluation.TotalPositions = i.TotalPositions
		}
	}
	r.Evaluations = append(r.Evaluations, evaluation)
	return nil
}

// Loss returns the loss that training lowers: policy + weight × value + L2.
func (r *Run) Loss(i *Iteration) float64 {
	return i.PolicyLoss + r.Config.Training.ValueWeight*i.ValueLoss + i.L2Loss
}
