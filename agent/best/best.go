// Package best is the agent that plays as well as a program can without being told how: by the strongest of the released
// bots that it carries.
package best

import (
	"fmt"

	"kiothi/agent"
	"kiothi/agent/release"
	"kiothi/env/mancala"
)

// Kinds returns the one kind of this package. It opens what a release names as one of the given kinds.
func Kinds(kinds agent.Kinds) agent.Kinds { return choosing(kinds, release.Carried) }

// choosing is Kinds with any list of releases.
func choosing(kinds agent.Kinds, releases func() ([]release.Release, error)) agent.Kinds {
	standsFor := func(g mancala.Game, spec agent.Spec) (string, error) {
		if _, err := spec.Duration("movetime"); err != nil {
			return "", err
		}
		all, err := releases()
		if err != nil {
			return "", err
		}
		chosen, err := release.Best(all, g.Name(), g.Rules())
		if err != nil {
			return "", err
		}
		text, err := textOf(kinds, chosen, spec)
		if err != nil {
			return "", fmt.Errorf("release %s: %w", chosen.Name, err)
		}
		return text, nil
	}
	return agent.Kinds{{
		Name:      "best",
		Doc:       "Plays the strongest released bot for the game and its rules.",
		Options:   []agent.Option{{Name: "movetime", Default: "T", Doc: "time an action, such as 1s, in place of what the release says"}},
		StandsFor: standsFor,
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			text, err := standsFor(g, spec)
			if err != nil {
				return nil, err
			}
			a, err := kinds.Open(g, text)
			if err != nil {
				return nil, fmt.Errorf("the released bot: %w", err)
			}
			return a, nil
		},
	}}
}

// textOf returns the text of a release's agent, which opens what the program carries whatever lies on the disk, with the time
// of the spec if that has one.
func textOf(kinds agent.Kinds, r release.Release, spec agent.Spec) (string, error) {
	_, s, err := kinds.Parse(r.Agent)
	if err != nil {
		return "", err
	}
	s.Argument = r.Carried(s.Argument)
	for i := range s.Settings {
		s.Settings[i].Value = r.Carried(s.Settings[i].Value)
	}
	if time, ok := spec.Value("movetime"); ok {
		s = s.WithLimit(agent.Setting{Option: "movetime", Value: time})
	}
	return s.String(), nil
}
