//go:build unix

// This file asks a network about games that it has not learned from.

package main

import (
	"math"

	"kiothi/agent/margin"
	"kiothi/agent/network"
	"kiothi/agent/network/weights"
	"kiothi/env/mancala"
	"kiothi/train/config"
	"kiothi/train/replay"
)

// An exam is the positions that networks are asked about.
type exam struct {
	game    mancala.Game
	scale   margin.Scale
	utility margin.Utility
	samples []question
}

// A question is a position of a game.
type question struct {
	replay.Sample
	game int
}

// answers is what a network said of each position.
type answers struct {
	policy scores // divergence of the search's policy from the network's, in nats
	same   scores // whether the likeliest actions are the same
	value  scores // squared error of the utility to that of the result
	sign   scores // whether their signs are the same, in games that were not drawn
}

func newExam(game mancala.Game, window *replay.Window) (*exam, error) {
	scale, err := margin.Of(game)
	if err != nil {
		return nil, err
	}
	e := &exam{game: game, scale: scale, utility: margin.Utility{MarginShare: config.Default().Search.MarginShare}}
	start, number := game.Start(), 0
	for i := range window.Len() {
		var s replay.Sample
		if window.At(i, &s); s.State == start {
			number++
		}
		if s.Flags&replay.Random == 0 {
			e.samples = append(e.samples, question{s, number})
		}
	}
	return e, nil
}

// entropy returns the mean entropy of the search's policies in nats.
func (e *exam) entropy() float64 {
	var all scores
	for _, q := range e.samples {
		if len(q.Policy) == 0 {
			continue
		}
		sum := 0.0
		for _, entry := range q.Policy {
			p := float64(entry.Probability())
			sum -= p * math.Log(p)
		}
		all.add(q.game, sum)
	}
	return all.mean()
}

// ask asks a network about all positions.
func (e *exam) ask(w *weights.Weights, in inputs) (*answers, error) {
	const batch = 256
	inference, err := network.NewInference(w, batch)
	if err != nil {
		return nil, err
	}
	table, a := e.utility.Table(e.scale), new(answers)
	for first := 0; first < len(e.samples); first += batch {
		questions := e.samples[first:min(first+batch, len(e.samples))]
		for i := range questions {
			in.encode(inference.Input(i), &questions[i].State)
		}
		if err := inference.Evaluate(len(questions)); err != nil {
			return nil, err
		}
		for i, q := range questions {
			value := float64(margin.Expected(table, inference.Margin(i)))
			result := e.utility.Of(q.Margin, e.scale)
			a.value.add(q.game, (value-result)*(value-result))
			if q.Margin != 0 {
				a.sign.add(q.game, oneIf(value*result > 0))
			}
			if len(q.Policy) > 0 {
				divergence, same := e.compare(&q.Sample, inference.Policy(i))
				a.policy.add(q.game, divergence)
				a.same.add(q.game, oneIf(same))
			}
		}
	}
	return a, nil
}

// compare returns the divergence of the search's policy from the network's, whose logits are given, and whether the likeliest
// action of both is the same.
func (e *exam) compare(s *replay.Sample, logits []float32) (divergence float64, same bool) {
	legal := e.game.AppendLegal(nil, &s.State)
	best, sum := legal[0], 0.0
	for _, a := range legal {
		sum += math.Exp(float64(logits[a]))
		if logits[a] > logits[best] {
			best = a
		}
	}
	likeliest := s.Policy[0]
	for _, entry := range s.Policy {
		p := float64(entry.Probability())
		divergence += p * (math.Log(p) - float64(logits[entry.Action]) + math.Log(sum))
		if entry.Weight > likeliest.Weight {
			likeliest = entry
		}
	}
	return divergence, mancala.Action(likeliest.Action) == best
}

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
