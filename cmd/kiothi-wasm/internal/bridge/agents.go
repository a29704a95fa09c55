package bridge

import (
	"slices"

	"kiothi/agent"
	"kiothi/agent/alphabeta"
	"kiothi/agent/model"
	"kiothi/agent/perfect"
	"kiothi/agent/scripted"
	"kiothi/agent/uct"
	"kiothi/agent/zero"
	"kiothi/cmd/internal/view"
	"kiothi/env/mancala"
)

// This file is the agents that can play in a browser, and keeps those that were opened.

// kinds are the sorts of agent that make sense in a module, which is all but other programs.
func kinds() agent.Kinds {
	all := slices.Concat(scripted.Kinds(), alphabeta.Kinds(), perfect.Kinds(), uct.Kinds(), zero.Kinds())
	for i := range all {
		kind := &all[i]
		if slices.ContainsFunc(kind.Options, func(o agent.Option) bool { return o.Name == "hash" }) {
			open := kind.New
			kind.New = func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
				if _, err := spec.Int("hash", alphabeta.DefaultHash, 1, largestHash); err != nil {
					return nil, err
				}
				return open(g, spec)
			}
		}
	}
	return scripted.WithMixed(all)
}

// largestHash is the largest transposition table in MiB: the memory of a module can neither shrink nor exceed 4 GiB.
const largestHash = 256

// named are the arguments of operations on a name.
type named struct {
	Name string `json:"name"`
}

// A modelInfo describes a network.
type modelInfo struct {
	Name       string `json:"name"`
	Game       string `json:"game"`
	Rules      string `json:"rules"`
	Parameters int    `json:"parameters"`
}

// describeModel reads a network, and says what it is.
func describeModel(name string) (any, error) {
	d, _, err := model.Read(name)
	if err != nil {
		return nil, &view.ArgumentError{Field: "agent", Err: err}
	}
	return modelInfo{name, d.Game, d.Rules, d.Parameters}, nil
}

// keptAgents is how many agents are kept when nobody uses them. Each may hold a large table.
const keptAgents = 4

// agents are those that were opened, so that none is made anew for each turn.
type agents struct {
	kinds  agent.Kinds
	opened []*opened // the one that was asked last is the last
}

// An opened is an agent for a game.
type opened struct {
	game, rules, spec string
	agent             agent.Agent
	users             int
}

// take returns the agent that a text names, for a game. It is given back after its use.
func (a *agents) take(g mancala.Game, spec string) (*opened, error) {
	at := slices.IndexFunc(a.opened, func(o *opened) bool {
		return o.game == g.Name() && o.rules == g.Rules() && o.spec == spec
	})
	var o *opened
	if at >= 0 {
		o = a.opened[at]
		a.opened = slices.Delete(a.opened, at, at+1)
	} else {
		a.drop(keptAgents - 1)
		made, err := a.kinds.Open(g, spec)
		if err != nil {
			return nil, &view.ArgumentError{Field: "agent", Err: err}
		}
		o = &opened{game: g.Name(), rules: g.Rules(), spec: spec, agent: made}
	}
	o.users++
	a.opened = append(a.opened, o)
	return o, nil
}

// give gives an agent back.
func (a *agents) give(o *opened) {
	o.users--
	a.drop(keptAgents)
}

// forget closes the agents that nobody uses, because files have changed that they may have read. Those in use are not found
// any more.
func (a *agents) forget() {
	a.drop(0)
	for _, o := range a.opened {
		o.spec = ""
	}
}

// drop closes agents that nobody uses, those that were not asked for the longest time first, until so many are left.
func (a *agents) drop(left int) {
	for i := 0; i < len(a.opened) && len(a.opened) > left; {
		if o := a.opened[i]; o.users == 0 {
			_ = agent.Close(o.agent) // nothing that it could say concerns anybody any more
			a.opened = slices.Delete(a.opened, i, i+1)
		} else {
			i++
		}
	}
}
