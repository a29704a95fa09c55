package zero

import (
	"fmt"

	"kiothi/agent/bot"
	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/network/weights"
	"kiothi/env/mancala"
)

// ConfigOf returns the sizes of a network for a game: its inputs and outputs follow from the game, its depth and widths are
// free.
func ConfigOf(g mancala.Game, width, blocks, valueWidth int) (weights.Config, error) {
	encoder, err := features.New(g)
	if err != nil {
		return weights.Config{}, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return weights.Config{}, err
	}
	c := weights.Config{Inputs: encoder.Size(), Width: width, Blocks: blocks, Actions: g.Actions(), Bins: scale.Bins(), ValueWidth: valueWidth}
	return c, c.Validate()
}

// An Inference evaluates rows of features: a *bot.Inference, or a *network.Inference, which reads weights as they learn.
type Inference interface {
	// Config returns the shape of the network, Batch the greatest number of rows.
	Config() weights.Config
	Batch() int
	// Input is row i of the input, for the features.
	Input(i int) []float32
	// Evaluate computes the first n rows. It fails when a logit is not finite.
	Evaluate(n int) error
	// Policy returns the logits of row i over all actions, Margin those over the bins of the margin.
	Policy(i int) []float32
	Margin(i int) []float32
}

// An Evaluator judges positions with a network: a search.Evaluator that writes features straight into the network's input
// and reads the value out of the distribution over margins. It is for one goroutine; evaluators over the same weights run
// side by side.
type Evaluator struct {
	Inference
	game    mancala.Game
	encoder features.Encoder
	utility []float32 // of each bin

	bot   *bot.Inference // the inference, if it is one that can leave out what is illegal
	legal []mancala.Action
}

// NewEvaluator returns an evaluator. The network's sizes have to be those that ConfigOf gives for the game.
func NewEvaluator(g mancala.Game, inference Inference, u margin.Utility) (*Evaluator, error) {
	encoder, err := features.New(g)
	if err != nil {
		return nil, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	c := inference.Config()
	if c.Inputs != encoder.Size() || c.Actions != g.Actions() || c.Bins != scale.Bins() {
		return nil, fmt.Errorf("network of %d inputs, %d actions, %d bins; %s needs %d, %d, %d",
			c.Inputs, c.Actions, c.Bins, g.Name(), encoder.Size(), g.Actions(), scale.Bins())
	}
	e := &Evaluator{Inference: inference, game: g, encoder: encoder, utility: u.Table(scale)}
	e.bot, _ = inference.(*bot.Inference)
	return e, nil
}

// newEvaluator returns an evaluator of up to batch positions at a time, without Gorgonia.
func newEvaluator(g mancala.Game, n *bot.Network, u margin.Utility, batch int) (*Evaluator, error) {
	inference, err := bot.NewInference(n, batch)
	if err != nil {
		return nil, err
	}
	return NewEvaluator(g, inference, u)
}

// Put implements search.Evaluator. Of the policy, only the logits of legal actions are computed.
func (e *Evaluator) Put(i int, s *mancala.State) {
	e.encoder.Encode(e.Input(i), s)
	if e.bot != nil {
		e.legal = e.game.AppendLegal(e.legal[:0], s)
		e.bot.Restrict(i, e.legal)
	}
}

// Value implements search.Evaluator.
func (e *Evaluator) Value(i int) float32 { return margin.Expected(e.utility, e.Margin(i)) }
