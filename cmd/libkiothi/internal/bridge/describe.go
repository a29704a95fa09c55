package bridge

import (
	"kiothi/env"
	"kiothi/env/games"
)

// This file describes the games.

// A GameName is a game with the names of its rule sets, the default first.
type GameName struct {
	Name  string   `json:"name"`
	Doc   string   `json:"doc"`
	Rules []string `json:"rules"`
}

// Games lists the games, the default first, as a JSON array of GameName.
func Games() string {
	var names []GameName
	for _, e := range games.All() {
		name := GameName{Name: e.Name, Doc: e.Doc}
		for _, set := range e.Sets {
			name.Rules = append(name.Rules, set.Name)
		}
		names = append(names, name)
	}
	return mustJSON(names)
}

// A Description is a game under a rule set, with the shapes that a vector of it has.
type Description struct {
	Game    string  `json:"game"`
	Rules   string  `json:"rules"` // canonical
	Width   int     `json:"width"`
	Seeds   int     `json:"seeds"`
	Actions int     `json:"actions"`
	Shape   []int   `json:"shape"` // of an observation: planes, 2, W
	Low     float32 `json:"low"`
	High    float32 `json:"high"`
	Planes  []Plane `json:"planes"`
}

// A Plane is what a layer of the observation means.
type Plane struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Describe describes a game under a rule set, as a JSON object of the form of Description.
func Describe(game, rules string) (string, error) {
	g, err := games.Open(game, rules)
	if err != nil {
		return "", &ArgumentError{err}
	}
	e, err := env.New(g, env.Options{})
	if err != nil {
		return "", err
	}
	space := e.ObservationSpace()
	d := Description{Game: g.Name(), Rules: g.Rules(), Width: g.Width(), Seeds: g.Seeds(), Actions: g.Actions(),
		Shape: space.Shape, Low: space.Low, High: space.High}
	for _, p := range space.Planes {
		d.Planes = append(d.Planes, Plane{p.Name, p.Doc})
	}
	return mustJSON(d), nil
}
