package engine

import (
	"fmt"
	"math"
	"strings"
	"time"

	"kiothi/agent"
	"kiothi/env/child"
	"kiothi/env/mancala"
)

// This file is the player in the text of agent specs.

// Kinds returns the sorts of player of this package.
func Kinds() agent.Kinds {
	return agent.Kinds{{
		Name: "engine", Argument: "COMMAND", Form: "engine:COMMAND[,movetime=T][,depth=N][,nodes=N][,sims=N][,set=NAME=VALUE;...]",
		Doc: "Asks another program, which speaks the engine protocol (agent/engine/README.md); quotes keep words of COMMAND together, commas in it are written twice.",
		Options: []agent.Option{
			{Name: "movetime", Default: "T", Doc: "time a turn, such as 100ms (default: as the program likes)"},
			{Name: "depth", Default: "N", Doc: "turns that are searched ahead"},
			{Name: "nodes", Default: "N", Doc: "positions a turn"},
			{Name: "sims", Default: "N", Doc: "simulations a turn"},
			{Name: "set", Default: "NAME=VALUE", Doc: "options of the program, with a semicolon between two"},
			{Name: "processes", Default: fmt.Sprint(defaultProcesses), Doc: "the most processes that run at once, 1 to 1000; a game keeps its own where there are enough"},
			{Name: "timeout", Default: defaultTimeout.String(), Doc: "how long it may take to start, and to answer beyond its movetime"},
		},
		New: func(g mancala.Game, spec agent.Spec) (agent.Agent, error) {
			c, err := parseConfig(spec)
			if err != nil {
				return nil, err
			}
			return New(g, c)
		},
	}}
}

func parseConfig(spec agent.Spec) (Config, error) {
	var c Config
	words, err := child.Split(spec.Argument)
	if err != nil {
		return c, &agent.SpecError{Text: spec.Text, Err: err}
	}
	c.Command = words
	if c.Limits.MoveTime, err = spec.Duration("movetime"); err != nil {
		return c, err
	}
	if c.Limits.MoveTime != 0 && c.Limits.MoveTime < time.Millisecond {
		return c, &agent.SpecError{Text: spec.Text, Err: fmt.Errorf("option movetime: %v is less than a millisecond, the unit of the protocol", c.Limits.MoveTime)}
	}
	for _, limit := range []struct {
		option string
		n      *int
	}{{"depth", &c.Limits.Depth}, {"nodes", &c.Limits.Nodes}, {"sims", &c.Limits.Simulations}} {
		if *limit.n, err = spec.Int(limit.option, 0, 1, math.MaxInt); err != nil {
			return c, err
		}
	}
	if c.Processes, err = spec.Int("processes", defaultProcesses, 1, 1000); err != nil {
		return c, err
	}
	if c.Timeout, err = spec.Duration("timeout"); err != nil {
		return c, err
	}
	for _, s := range spec.Settings {
		if s.Option != "set" {
			continue
		}
		for item := range strings.SplitSeq(s.Value, ";") {
			name, value, ok := strings.Cut(item, "=")
			if !ok || name == "" || strings.ContainsAny(item, "\r\n") {
				return c, &agent.SpecError{Text: spec.Text, Err: fmt.Errorf("option set: %q is not of the form NAME=VALUE", item)}
			}
			c.Set = append(c.Set, Setting{name, value})
		}
	}
	return c, nil
}
