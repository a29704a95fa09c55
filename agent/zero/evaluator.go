package zero

import (
	"fmt"

	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/env/mancala"
)

// ConfigOf returns the sizes of a network for a game: its inputs and outputs follow from the game, its depth and widths are
// free.
func ConfigOf(g mancala.Game, width, blocks, valueWidth int) (network.Config, error) {
	encoder, err := features.New(g)
	if err != nil {
		return network.Config{}, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return network.Config{}, err
	}
	c := network.Config{Inputs: encoder.Size(), Width: width, Blocks: blocks, Actions: g.Actions(), Bins: scale.Bins(), ValueWidth: valueWidth}
	return c, c.Validate()
}

// An Evaluator judges positions with a network: a search.Evaluator that writes features straight into the network's input
// and reads the value out of the distribution over margins. It is for one goroutine; evaluators over the same weights run
// side by side.
type Evaluator struct {
	inference *network.Inference
	encoder   features.Encoder
	utility   []float32 // of each bin
}

// NewEvaluator returns an evaluator for up to batch positions at a time. The network's sizes are those that ConfigOf gives
// for the game.
func NewEvaluator(g mancala.Game, w *network.Weights, u margin.Utility, batch int) (*Evaluator, error) {
	encoder, err := features.New(g)
	if err != nil {
		return nil, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	c := w.Config()
	if c.Inputs != encoder.Size() || c.Actions != g.Actions() || c.Bins != scale.Bins() {
		return nil, fmt.Errorf("network of %d inputs, %d actions, %d bins; %s needs %d, %d, %d",
			c.Inputs, c.Actions, c.Bins, g.Name(), encoder.Size(), g.Actions(), scale.Bins())
	}
	inference, err := network.NewInference(w, batch)
	if err != nil {
		return nil, err
	}
	return &Evaluator{inference, encoder, u.Table(scale)}, nil
}

// Batch returns the number of positions that one Evaluate can judge.
func (e *Evaluator) Batch() int { return e.inference.Batch() }

// Put implements search.Evaluator.
func (e *Evaluator) Put(i int, s *mancala.State) { e.encoder.Encode(e.inference.Input(i), s) }

// Evaluate implements search.Evaluator. It fails when the network's output is not finite.
func (e *Evaluator) Evaluate(n int) error { return e.inference.Evaluate(n) }

// Policy implements search.Evaluator.
func (e *Evaluator) Policy(i int) []float32 { return e.inference.Policy(i) }

// Value implements search.Evaluator.
func (e *Evaluator) Value(i int) float32 { return margin.Expected(e.utility, e.inference.Margin(i)) }

// Margin returns the logits of the distribution over the final margin in row i [Bins].
func (e *Evaluator) Margin(i int) []float32 { return e.inference.Margin(i) }

// Close releases the network's graph.
func (e *Evaluator) Close() error { return e.inference.Close() }
