package view

import (
	"kiothi/agent"
	"kiothi/env/games"
)

// This file describes the games and the agents.

// A GameInfo describes a game.
type GameInfo struct {
	Name    string       `json:"name"`
	Doc     string       `json:"doc"`
	Sets    []SetInfo    `json:"sets"`
	Options []OptionInfo `json:"options"`
}

// A SetInfo describes a named rule set.
type SetInfo struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// An OptionInfo describes a setting that a rule set can override.
type OptionInfo struct {
	Name     string   `json:"name"`
	Doc      string   `json:"doc"`
	Values   string   `json:"values"`
	Settings []string `json:"settings"` // its value in each of the sets
}

// DescribeGames describes the games.
func DescribeGames() []GameInfo {
	var infos []GameInfo
	for _, e := range games.All() {
		info := GameInfo{Name: e.Name, Doc: e.Doc}
		for _, set := range e.Sets {
			info.Sets = append(info.Sets, SetInfo(set))
		}
		for _, option := range e.Options {
			info.Options = append(info.Options, OptionInfo(option))
		}
		infos = append(infos, info)
	}
	return infos
}

// A KindInfo describes a sort of agent.
type KindInfo struct {
	Name    string            `json:"name"`
	Usage   string            `json:"usage"`
	Doc     string            `json:"doc"`
	Options []AgentOptionInfo `json:"options"`
}

// An AgentOptionInfo describes a setting of a sort of agent.
type AgentOptionInfo struct {
	Name    string `json:"name"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

// DescribeKinds describes sorts of agent.
func DescribeKinds(kinds agent.Kinds) []KindInfo {
	var infos []KindInfo
	for i := range kinds {
		info := KindInfo{Name: kinds[i].Name, Usage: kinds[i].Usage(), Doc: kinds[i].Doc, Options: []AgentOptionInfo{}}
		for _, option := range kinds[i].Options {
			info.Options = append(info.Options, AgentOptionInfo(option))
		}
		infos = append(infos, info)
	}
	return infos
}
