package api

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kiothi/agent"
	"kiothi/agent/release"
	"kiothi/agent/scripted"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is who may be asked: agents that reach no file and no program, within bounds, and those that were opened.

// mixedName is the kind that is made of another one, which has to be one of those that are offered.
const mixedName = "mixed"

// free is the bound of an option that needs none, or one of its own.
const free = 0

// bounds are the options that are offered, by kind, and the largest values of those that are whole numbers and bound the memory of a
// search. Its time is bounded by that of the request. What is not here is not offered: it may reach files or programs.
var bounds = map[string]map[string]int{
	"random":    {},
	"greedy":    {},
	"alphabeta": {"depth": free, "movetime": free, "nodes": free, "hash": 64, "net": free}, // MiB
	"perfect":   {"nodes": 10_000_000},
	"uct":       {"sims": 1_000_000, "movetime": free},                                                                   // in a tree of 100 MiB at most
	"zero":      {"sims": 20_000, "movetime": free, "search": free, "considered": free, "margin": free, "warrior": free}, // of 1.5 kB at most
	"policy":    {"temperature": free},
	"best":      {"movetime": free},
}

// modelDocs say how the kinds play whose argument is a model.
var modelDocs = map[string]string{
	"zero":   "Searches with the network of a model, such as kiothi-quick.",
	"policy": "Plays the policy of a model's network without a search.",
}

// offered returns those of the kinds that anybody may ask for.
func offered(kinds agent.Kinds, l limits) agent.Kinds {
	var all agent.Kinds
	mixed := false
	for _, kind := range kinds {
		mixed = mixed || kind.Name == mixedName
		if most, ok := bounds[kind.Name]; ok {
			all = append(all, bounded(kind, most, l.time/2))
		}
	}
	if mixed {
		all = scripted.WithMixed(all)
	}
	return all
}

// bounded returns a kind with bounds on its options. A movetime may be taken twice in a request (view.Thinker.Analyse).
func bounded(kind agent.Kind, most map[string]int, longest time.Duration) agent.Kind {
	kind.Options = slices.Clone(kind.Options)
	kind.Options = slices.DeleteFunc(kind.Options, func(o agent.Option) bool { _, ok := most[o.Name]; return !ok })
	if kind.Argument != "" {
		kind.Argument, kind.Doc = "MODEL", modelDocs[kind.Name]
	}
	for i := range kind.Options {
		o := &kind.Options[i]
		switch n := most[o.Name]; {
		case o.Name == "movetime":
			o.Doc += fmt.Sprintf("; here at most %s", longest)
		case o.Name == "net":
			o.Default, o.Doc = "MODEL", "network that judges positions: the name of a model, or of a file in one"
		case o.Name == "hash":
			o.Doc += fmt.Sprintf("; here at most %d", n)
		case n != free:
			o.Doc += fmt.Sprintf("; here at most %d, as far as %s suffice", n, 2*longest)
		}
	}
	open := kind.New
	kind.New = func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
		if err := within(spec, most, longest); err != nil {
			return nil, err
		}
		if err := suits(g, &kind, spec); err != nil {
			return nil, err
		}
		return open(g, spec)
	}
	return kind
}

// within refuses the options of a spec that are beyond bounds. Those that are wrong in other ways are for the kind to refuse.
func within(spec agent.Spec, most map[string]int, longest time.Duration) error {
	for option, n := range most {
		text, ok := spec.Value(option)
		if !ok || n == free {
			continue
		}
		if given, err := strconv.Atoi(text); err == nil && given > n {
			return &agent.SpecError{Text: spec.Text, Err: fmt.Errorf("option %s: %d is more than %d, the most that may be asked for here", option, given, n)}
		}
	}
	if d, err := spec.Duration("movetime"); err != nil {
		return err
	} else if d > longest {
		return &agent.SpecError{Text: spec.Text, Err: fmt.Errorf("option movetime: %s is more than %s, the most that may be asked for here", d, longest)}
	}
	return nil
}

// suits refuses a spec that names files, or that makes the program remember something for each of any number of rule sets.
func suits(g mancala.Game, kind *agent.Kind, spec agent.Spec) error {
	if kind.Argument != "" {
		if err := carried(spec.Argument, release.Policy); err != nil {
			return &agent.SpecError{Text: spec.Text, Err: err}
		}
	}
	if path, ok := spec.Value("net"); ok {
		if err := carried(path, release.Evaluation); err != nil {
			return &agent.SpecError{Text: spec.Text, Err: err}
		}
	}
	if kind.Name == "perfect" {
		e, err := games.Find(g.Name())
		if err == nil && !slices.ContainsFunc(e.Sets, func(s games.Set) bool { return s.Name == g.Rules() }) {
			err = fmt.Errorf("it plays by the named rule sets, found %s", g.Rules())
		}
		if err != nil {
			return &agent.SpecError{Text: spec.Text, Err: err}
		}
	}
	return nil
}

// carried refuses what is not the name of a model that the program carries, with such a network, or of a file in one. The file
// system is asked about such names only.
func carried(path string, network release.Network) error {
	names, err := network.Names()
	if err != nil {
		return err
	}
	name, _, inside := strings.Cut(path, "/")
	if inside && name == "" {
		name = path // of the file system, not in a model
	}
	if !slices.Contains(names, name) {
		if err := network.Lacking(name); err != nil {
			return err
		}
		return fmt.Errorf("there is no model %q here, expected one of %s", name, strings.Join(names, ", "))
	}
	if files, _ := release.Find(path); files == nil {
		return fmt.Errorf("the model %s has no such file, or something else is in its place where the server runs", name)
	}
	return nil
}

// longestAgent is the length of the longest text of an agent, in bytes.
const longestAgent = 1000

// acceptable refuses the text of an agent that cannot be had, as far as that is known without making it.
func (h *handler) acceptable(g mancala.Game, text string) error {
	if len(text) > longestAgent {
		return argument("agent", fmt.Sprintf("a text of %d bytes", len(text)), fmt.Sprintf("one of at most %d", longestAgent), "Choose from what "+Prefix+"agents lists.")
	}
	if _, _, err := h.kinds.Parse(text); err != nil {
		return wrongAgent(text, err)
	}
	return nil
}

// A shelf keeps agents that nobody is asking, so that none is made anew for each request. An agent thinks for one request at a
// time: the memory of all of them is that of so many searches.
type shelf struct {
	kept int // at most

	mutex sync.Mutex
	idle  []*opened // the last given back is the last
}

// An opened is an agent for a game.
type opened struct {
	game, rules, spec string
	agent             agent.Agent
}

// take returns the agent that a text names, for a game. It is given back after its use.
func (s *shelf) take(kinds agent.Kinds, g mancala.Game, spec string) (*opened, error) {
	if o := s.find(g, spec); o != nil {
		return o, nil
	}
	made, err := kinds.Open(g, spec)
	if err != nil {
		return nil, err
	}
	return &opened{g.Name(), g.Rules(), spec, made}, nil
}

// find returns an idle agent, or nil when there is none such.
func (s *shelf) find(g mancala.Game, spec string) *opened {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i, o := range slices.Backward(s.idle) {
		if o.game == g.Name() && o.rules == g.Rules() && o.spec == spec {
			s.idle = slices.Delete(s.idle, i, i+1)
			return o
		}
	}
	return nil
}

// give gives an agent back. The one that was idle for the longest time makes room for it.
func (s *shelf) give(o *opened) {
	s.mutex.Lock()
	s.idle = append(s.idle, o)
	var out *opened
	if len(s.idle) > s.kept {
		out = s.idle[0]
		s.idle = slices.Delete(s.idle, 0, 1)
	}
	s.mutex.Unlock()
	if out != nil {
		_ = agent.Close(out.agent) // nothing that it could say concerns anybody any more
	}
}
