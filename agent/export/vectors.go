package export

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/env"
	"kiothi/env/mancala"
	"kiothi/env/seed"
)

// This file is vectors.jsonl: positions, one a line, with what the network is given and what it says.

// A vector is a line of the file. Arrays are in row-major order.
type vector struct {
	Position    string           `json:"position"` // text
	Sort        string           `json:"kind"`     // see sorts
	Player      mancala.Player   `json:"player"`   // to move
	Observation exact            `json:"observation"`
	Features    exact            `json:"features"`
	Legal       []mancala.Action `json:"legal"`   // ascending
	Policy      rounded          `json:"policy"`  // probability of each legal action
	Margins     rounded          `json:"margins"` // probability of each final margin
	Outcome     rounded          `json:"win_draw_loss"`
	Expected    rounded1         `json:"expected_margin"`
	Action      mancala.Action   `json:"action"` // that the search chooses
	Text        string           `json:"text"`   // of the action
}

// exact are float32 numbers in their shortest decimals.
type exact []float32

// MarshalJSON implements json.Marshaler.
func (list exact) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(v), 'g', -1, 32)
	}
	return append(out, ']'), nil
}

// rounded are numbers to six significant digits, ten times what they are compared to and more.
type rounded []float64

// MarshalJSON implements json.Marshaler.
func (list rounded) MarshalJSON() ([]byte, error) {
	out := []byte{'['}
	for i, v := range list {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, v, 'g', 6, 64)
	}
	return append(out, ']'), nil
}

// rounded1 is one such number.
type rounded1 float64

// MarshalJSON implements json.Marshaler.
func (v rounded1) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(v), 'g', 6, 64), nil
}

// writeVectors writes the vectors of a bot and returns their number. Equal bots give equal bytes on machines whose
// arithmetic is the same.
func writeVectors(ctx context.Context, w io.Writer, b *Bot) (int, error) {
	samples, err := samplePositions(b.Game, b.Seed)
	if err != nil {
		return 0, err
	}
	v, err := newVectors(b)
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(w)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // moves in an opening begin with >
	for first := 0; first < len(samples); {
		chunk := samples[first:min(first+b.Judge.Batch(), len(samples))]
		lines, err := v.judge(ctx, chunk, first)
		if err != nil {
			return 0, err
		}
		for i := range lines {
			if err := encoder.Encode(&lines[i]); err != nil {
				return 0, err
			}
		}
		first += len(chunk)
	}
	return len(samples), out.Flush()
}

// vectors makes vectors of positions.
type vectors struct {
	*Bot
	observer *env.Observer
	encoder  features.Encoder
	scale    margin.Scale
}

func newVectors(b *Bot) (*vectors, error) {
	v := &vectors{Bot: b}
	var err error
	if v.observer, err = env.NewObserver(b.Game); err != nil {
		return nil, err
	}
	if v.encoder, err = features.New(b.Game); err != nil {
		return nil, err
	}
	v.scale, err = margin.Of(b.Game)
	return v, err
}

// judge returns the vectors of no more positions than the judge takes at once, the first of which has a number.
func (v *vectors) judge(ctx context.Context, samples []sample, first int) ([]vector, error) {
	states := make([]mancala.State, len(samples))
	for i := range samples {
		states[i] = samples[i].state
		v.Judge.Put(i, &states[i])
	}
	if err := v.Judge.Evaluate(len(states)); err != nil {
		return nil, err
	}
	lines := make([]vector, len(states))
	for i := range states {
		lines[i] = v.line(&samples[i], v.Judge.Policy(i), v.Judge.Margin(i))
	}
	for i := range states {
		a, err := v.Player.Choose(ctx, &states[i], seed.Rand(v.Seed, seed.Match, uint64(first+i)))
		if err != nil {
			return nil, fmt.Errorf("choosing moves for the vectors: %w", err)
		}
		lines[i].Action, lines[i].Text = a, v.Game.ActionText(&states[i], a)
	}
	return lines, nil
}

// line returns a vector without its action.
func (v *vectors) line(at *sample, policy, margins []float32) vector {
	s := &at.state
	line := vector{
		Position: v.Game.Format(s), Sort: at.sort, Player: s.Player,
		Observation: make(exact, v.observer.Size()), Features: make(exact, v.encoder.Size()),
		Legal: v.Game.AppendLegal(nil, s), Margins: margin.Probabilities(margins),
	}
	v.observer.Observe(line.Observation, s)
	v.encoder.Encode(line.Features, s)
	logits := make([]float32, len(line.Legal))
	for i, a := range line.Legal {
		logits[i] = policy[a]
	}
	line.Policy = margin.Probabilities(logits)
	sum := v.scale.Summarize(margins)
	line.Outcome, line.Expected = rounded{sum.Win, sum.Draw, sum.Loss}, rounded1(sum.Margin)
	return line
}
