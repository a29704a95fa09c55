package export

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"kiothi/agent/export/onnx"
	"kiothi/agent/features"
	"kiothi/agent/margin"
	"kiothi/agent/model"
	"kiothi/env"
	"kiothi/env/mancala"
)

// This file is manifest.json: what the folder holds and what all the numbers in it mean.

// Format is the version of the folder's layout: the names of its files, the fields of the manifest and of the vectors.
const Format = 1

// manifestSchema describes the manifest for programs, in JSON Schema 2020-12.
//
//go:embed manifest.schema.json
var manifestSchema []byte

// A Manifest describes an export. Its fields are those of manifest.schema.json, where each is explained.
type Manifest struct {
	Schema string `json:"$schema"`
	Format int    `json:"format"`

	Game            string  `json:"game"`
	Rules           string  `json:"rules"`
	Width           int     `json:"width"`
	Seeds           int     `json:"seeds"`
	ClockLimit      int     `json:"clock_limit"`
	Start           string  `json:"start"`
	ActionEncoding  int     `json:"action_encoding"`
	FeatureEncoding int     `json:"feature_encoding"`
	License         *string `json:"license"`
	CreatedWith     string  `json:"created_with"`

	Training Training `json:"training"`
	Strength []Result `json:"strength,omitempty"`

	Actions     []Action    `json:"actions"`
	Observation Observation `json:"observation"`
	Features    Features    `json:"features"`
	Margins     Margins     `json:"margins"`
	Utilities   []Utility   `json:"utilities"`
	Models      []Model     `json:"models"`
	Vectors     Vectors     `json:"vectors"`
	Files       []File      `json:"files"`
}

// Training says where the weights come from.
type Training struct {
	Architecture model.Architecture `json:"architecture"`
	Parameters   int                `json:"parameters"`
	Steps        int64              `json:"steps"`
	Games        int64              `json:"games"`
	Positions    int64              `json:"positions"`
	Seed         uint64             `json:"seed,string"`
	Commit       string             `json:"commit"`
	CreatedWith  string             `json:"created_with"`
}

// An Action is a row of the table of actions: its text when South plays it, and when North does.
type Action struct {
	ID    int    `json:"id"`
	South string `json:"south"`
	North string `json:"north"`
}

// Observation describes the observation tensor.
type Observation struct {
	Shape  []int   `json:"shape"`
	Scale  int     `json:"scale"`
	Planes []Plane `json:"planes"`
}

// A Plane is a layer of the observation.
type Plane struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// Features describes the feature vector.
type Features struct {
	Size   int     `json:"size"`
	Groups []Group `json:"groups"`
}

// A Group is a run of features.
type Group struct {
	Name   string `json:"name"`
	Offset int    `json:"offset"`
	Size   int    `json:"size"`
	Doc    string `json:"doc"`
}

// Margins describes the distribution over final margins: bin i is the margin first + i·step.
type Margins struct {
	Bins  int `json:"bins"`
	First int `json:"first"`
	Step  int `json:"step"`
}

// A Utility is what each final margin is worth to the player whose margin it is. Its expectation over the distribution is
// the value that a search with this aim maximises.
type Utility struct {
	Name   string    `json:"name"`
	Doc    string    `json:"doc"`
	Values []float64 `json:"values"`
}

// A Model describes an ONNX file.
type Model struct {
	File      string   `json:"file"`
	Opset     int      `json:"opset"`
	IRVersion int      `json:"ir_version"`
	Inputs    []Tensor `json:"inputs"`
	Outputs   []Tensor `json:"outputs"`
}

// A Tensor is an input or output of a model. Its shape begins with the name of the batch axis.
type Tensor struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []any  `json:"shape"`
	Doc   string `json:"doc"`
}

// Vectors says how vectors.jsonl was made.
type Vectors struct {
	File      string `json:"file"`
	Positions int    `json:"positions"`
	Search    Search `json:"search"`
	Seed      uint64 `json:"seed,string"`
}

// Search says how the vectors' moves were chosen.
type Search struct {
	Agent       string `json:"agent"`
	Simulations int    `json:"simulations"`
}

// A File is a file of the folder.
type File struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// newManifest describes a bot, whose model is described by d, but for the models, the vectors and the files.
func newManifest(b *Bot, d model.Description) (*Manifest, error) {
	g := b.Game
	observer, err := env.NewObserver(g)
	if err != nil {
		return nil, err
	}
	encoder, err := features.New(g)
	if err != nil {
		return nil, err
	}
	scale, err := margin.Of(g)
	if err != nil {
		return nil, err
	}
	start := g.Start()
	m := &Manifest{
		Schema: "manifest.schema.json", Format: Format,
		Game: g.Name(), Rules: g.Rules(), Width: g.Width(), Seeds: g.Seeds(), ClockLimit: g.ClockLimit(), Start: g.Format(&start),
		ActionEncoding: mancala.ActionEncoding, FeatureEncoding: features.Version, CreatedWith: b.CreatedWith,
		Training:    Training{d.Architecture, d.Parameters, d.Steps, d.Games, d.Positions, d.Seed, d.Commit, d.CreatedWith},
		Strength:    b.Strength,
		Observation: Observation{Shape: []int{len(observer.Planes()), 2, g.Width()}, Scale: observer.Scale()},
		Features:    Features{Size: encoder.Size()},
		Margins:     Margins{Bins: scale.Bins(), First: scale.Margin(0), Step: scale.Margin(1) - scale.Margin(0)},
		Utilities:   utilities(scale),
	}
	south, north := start, start
	south.Player, north.Player = mancala.South, mancala.North
	for a := range g.Actions() {
		m.Actions = append(m.Actions, Action{a, g.ActionText(&south, mancala.Action(a)), g.ActionText(&north, mancala.Action(a))})
	}
	for _, p := range observer.Planes() {
		m.Observation.Planes = append(m.Observation.Planes, Plane{p.Name, p.Doc})
	}
	offset := 0
	for _, group := range encoder.Groups() {
		m.Features.Groups = append(m.Features.Groups, Group{group.Name, offset, group.Size, group.Doc})
		offset += group.Size
	}
	return m, nil
}

// utilities are the aims that a player can be given.
func utilities(scale margin.Scale) []Utility {
	list := []Utility{
		{Name: "outcome", Doc: "a win is 1, a draw 0, a loss -1"},
		{Name: "margin", Doc: "the margin divided by the largest there can be"},
		{Name: "warrior", Doc: "a win by exactly two seeds is 1, any other win 1/2, and losses the same with a minus"},
	}
	for i, u := range []margin.Utility{{}, {MarginShare: 1}, {Warrior: 2}} {
		for bin := range scale.Bins() {
			list[i].Values = append(list[i].Values, u.Of(scale.Margin(bin), scale))
		}
	}
	return list
}

// describe returns the manifest's entry of a model.
func describe(file string, g *onnx.Graph) Model {
	tensors := func(ports []onnx.Port) (list []Tensor) {
		for _, p := range ports {
			shape := []any{onnx.Batch}
			for _, n := range p.Shape {
				shape = append(shape, n)
			}
			list = append(list, Tensor{p.Name, "float32", shape, p.Doc})
		}
		return list
	}
	return Model{file, onnx.Opset, onnx.IRVersion, tensors(g.Inputs), tensors(g.Outputs)}
}

// encode returns the content of manifest.json.
func (m *Manifest) encode() ([]byte, error) {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing the manifest: %w", err)
	}
	return append(data, '\n'), nil
}
