package server

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kiothi/agent"
	"kiothi/agent/engine/protocol"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is the options of the engine.

// settings is what setoption has set.
type settings struct {
	game        mancala.Game
	agent       string
	simulations int
	utility     string
	seed        uint64
	threads     int
}

// MaxSeed is the largest seed: the largest whole number of 64 bits with a sign, which most languages read.
const MaxSeed = math.MaxInt64

const (
	maxSimulations = 200_000 // what every kind with such an option takes
	maxThreads     = 1024
)

// A utility is what an agent that can be told so is to maximise, as options of its kind. The first leaves it to the agent.
type utility struct {
	name    string
	options []agent.Setting
}

var utilities = []utility{
	{"agent", nil},
	{"win", []agent.Setting{{Option: "margin", Value: "0"}, {Option: "warrior", Value: "1"}}},
	{"margin", []agent.Setting{{Option: "margin", Value: "1"}, {Option: "warrior", Value: "1"}}},
	{"warrior-2", []agent.Setting{{Option: "margin", Value: "0"}, {Option: "warrior", Value: "2"}}},
	{"warrior-10", []agent.Setting{{Option: "margin", Value: "0"}, {Option: "warrior", Value: "10"}}},
}

func utilityNames() []string {
	var names []string
	for _, u := range utilities {
		names = append(names, u.name)
	}
	return names
}

// options lists what the engine offers, with the settings that it started with as defaults.
func (s *settings) options() []protocol.Option {
	return []protocol.Option{
		{Name: "Game", Type: protocol.Combo, Default: s.game.Name(), Vars: games.Names()},
		{Name: "Rules", Type: protocol.String, Default: s.game.Rules()},
		{Name: "Agent", Type: protocol.String, Default: s.agent},
		{Name: "Simulations", Type: protocol.Spin, Default: "0", Max: maxSimulations},
		{Name: "Threads", Type: protocol.Spin, Default: strconv.Itoa(s.threads), Min: 1, Max: maxThreads},
		{Name: "Utility", Type: protocol.Combo, Default: utilities[0].name, Vars: utilityNames()},
		{Name: "Seed", Type: protocol.Spin, Default: strconv.FormatUint(s.seed, 10), Max: MaxSeed},
	}
}

// set returns the settings with one of them changed.
func (s settings) set(kinds agent.Kinds, options []protocol.Option, name, value string) (settings, error) {
	option := protocol.FindOption(options, name)
	if option == nil {
		var names []string
		for _, o := range options {
			names = append(names, o.Name)
		}
		return s, fmt.Errorf("setoption: unknown option %s; the options are %s", protocol.Shown(name), strings.Join(names, ", "))
	}
	if err := option.Refuse(value); err != nil {
		return s, fmt.Errorf("setoption: %w", err)
	}
	number := func() int {
		n, _ := strconv.Atoi(value) // Refuse has read it
		return n
	}
	switch option.Name {
	case "Game":
		return s.playing(value, "") // the rules are of the game before
	case "Rules":
		return s.playing(s.game.Name(), value)
	case "Agent":
		if _, _, err := kinds.Parse(value); err != nil {
			return s, fmt.Errorf("setoption: %w", err)
		}
		s.agent = value
	case "Simulations":
		s.simulations = number()
	case "Threads":
		s.threads = number()
	case "Utility":
		s.utility = value
	case "Seed":
		s.seed, _ = strconv.ParseUint(value, 10, 64)
	}
	return s, nil
}

// playing returns the settings with a game, which stays the one that is open when it is that already.
func (s settings) playing(game, rules string) (settings, error) {
	g, err := games.Open(game, rules)
	if err != nil {
		return s, fmt.Errorf("setoption: %w", err)
	}
	if g.Name() != s.game.Name() || g.Rules() != s.game.Rules() {
		s.game = g
	}
	return s, nil
}

// spec returns the agent as the settings want it for their game, and its kind: where that stands for another, the other.
func (s *settings) spec(kinds agent.Kinds, g mancala.Game) (*agent.Kind, agent.Spec, error) {
	kind, spec, err := kinds.Resolve(g, s.agent)
	if err != nil {
		return nil, spec, err
	}
	for _, u := range utilities {
		for _, o := range u.options {
			if u.name == s.utility && has(kind, o.Option) {
				spec = with(spec, o)
			}
		}
	}
	if s.simulations > 0 && has(kind, "sims") {
		spec = spec.WithLimit(agent.Setting{Option: "sims", Value: strconv.Itoa(s.simulations)})
	}
	return kind, spec, nil
}

// has reports whether a kind has an option.
func has(kind *agent.Kind, option string) bool {
	return slices.ContainsFunc(kind.Options, func(o agent.Option) bool { return o.Name == option })
}

// with returns a spec with an option set anew.
func with(spec agent.Spec, to agent.Setting) agent.Spec {
	spec.Settings = append(slices.DeleteFunc(slices.Clone(spec.Settings), func(old agent.Setting) bool { return old.Option == to.Option }), to)
	return spec
}
