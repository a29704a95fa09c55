package server

import (
	"errors"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file keeps the agents that were opened, so that none is made anew for each turn.

// An opened is an agent, and its player for the game that is being played.
type opened struct {
	agent  agent.Agent
	player agent.Agent // nil before the game's first question
	used   int
}

// agents are the opened ones of one game, by the text of their specs.
type agents struct {
	kinds  agent.Kinds
	game   mancala.Game
	opened map[string]*opened
	uses   int
}

// keptAgents is how many agents are kept. A search by a clock may ask for a new one each turn, and each may hold a network
// or a large table.
const keptAgents = 12

func newAgents(kinds agent.Kinds, g mancala.Game) *agents {
	return &agents{kinds: kinds, game: g, opened: map[string]*opened{}}
}

// get returns the agent of a spec.
func (a *agents) get(spec agent.Spec) (*opened, error) {
	text := spec.String()
	o, ok := a.opened[text]
	if !ok {
		made, err := a.kinds.Open(a.game, text)
		if err != nil {
			return nil, err
		}
		for len(a.opened) >= keptAgents {
			a.drop()
		}
		o = &opened{agent: made}
		a.opened[text] = o
	}
	a.uses++
	o.used = a.uses
	return o, nil
}

// forGame returns the agent's player for the game that is being played.
func (o *opened) forGame() agent.Agent {
	if o.player == nil {
		o.player = agent.Start(o.agent)
	}
	return o.player
}

// drop closes the agent that was not asked for the longest time. What its Close says concerns nobody any more.
func (a *agents) drop() {
	oldest := ""
	for text, o := range a.opened {
		if oldest == "" || o.used < a.opened[oldest].used {
			oldest = text
		}
	}
	_ = a.opened[oldest].close()
	delete(a.opened, oldest)
}

// newGame forgets the game that was played.
func (a *agents) newGame() {
	for _, o := range a.opened {
		_ = o.endGame()
	}
}

// endGame closes the player for a game.
func (o *opened) endGame() error {
	var err error
	if o.player != nil {
		err = agent.End(o.agent, o.player)
	}
	o.player = nil
	return err
}

func (o *opened) close() error { return errors.Join(o.endGame(), agent.Close(o.agent)) }

// close closes all agents.
func (a *agents) close() error {
	var errs []error
	for text, o := range a.opened {
		errs = append(errs, o.close())
		delete(a.opened, text)
	}
	return errors.Join(errs...)
}
