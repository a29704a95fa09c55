// Package best is the agent that plays as well as a program can without being told how: by the strongest of the released
// bots that it carries.
package best

import (
	"fmt"
	"slices"

	"kiothi/agent"
	"kiothi/agent/release"
	"kiothi/env/mancala"
)

// limits are the options by which agents are told how long to think.
var limits = []string{"depth", "nodes", "sims", "movetime"}

// Kinds returns the one kind of this package. It opens what a release names as one of the given kinds.
func Kinds(kinds agent.Kinds) agent.Kinds { return choosing(kinds, release.Carried) }

// choosing is Kinds with any list of releases.
func choosing(kinds agent.Kinds, releases func() ([]release.Release, error)) agent.Kinds {
	return agent.Kinds{{
		Name:    "best",
		Doc:     "Plays the strongest released bot for the game and its rules.",
		Options: []agent.Option{{Name: "movetime", Default: "T", Doc: "time an action, such as 1s, in place of what the release says"}},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			if _, err := spec.Duration("movetime"); err != nil {
				return nil, err
			}
			all, err := releases()
			if err != nil {
				return nil, err
			}
			chosen, err := release.Best(all, g.Name(), g.Rules())
			if err != nil {
				return nil, err
			}
			text, err := timed(chosen.Agent, spec)
			if err != nil {
				return nil, fmt.Errorf("release %s: %w", chosen.Name, err)
			}
			a, err := kinds.Open(g, text)
			if err != nil {
				return nil, fmt.Errorf("release %s: %w", chosen.Name, err)
			}
			return a, nil
		},
	}}
}

// timed returns the text of a release's agent with the time of the spec, if that has one.
func timed(text string, spec agent.Spec) (string, error) {
	time, ok := spec.Value("movetime")
	if !ok {
		return text, nil
	}
	s, err := agent.ParseSpec(text)
	if err != nil {
		return "", err
	}
	s.Settings = slices.DeleteFunc(s.Settings, func(x agent.Setting) bool { return slices.Contains(limits, x.Option) })
	s.Settings = append(s.Settings, agent.Setting{Option: "movetime", Value: time})
	return s.String(), nil
}
