package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"kiothi/env/durable"
)

// This file is model.json: what a model is and where it comes from.

// Format is the version of the folder's layout: the names of the files and the fields of model.json.
const Format = 1

// The files of a model.
const (
	DescriptionFile = "model.json"
	WeightsFile     = "model.safetensors"
)

// maxDescription is the largest model.json that is read, in bytes; ours have about a thousand.
const maxDescription = 1 << 20

// A Description says what a model is. Write fills in Format, Parameters and Checksum.
type Description struct {
	Format          int    `json:"format"`           // see Format
	Game            string `json:"game"`             // the game's name, such as "kiothi"
	Rules           string `json:"rules"`            // the rule set in canonical text
	ActionEncoding  int    `json:"action_encoding"`  // version of the numbering of actions
	FeatureEncoding int    `json:"feature_encoding"` // version of the network's input

	Architecture Architecture `json:"architecture"`
	Parameters   int          `json:"parameters"` // weights in all tensors together

	Steps     int64  `json:"steps"`     // training steps taken
	Games     int64  `json:"games"`     // finished games of self-play learned from
	Positions int64  `json:"positions"` // positions in those games
	Seed      uint64 `json:"seed,string"`

	Commit      string `json:"commit"`       // the source that trained it, "" when not known
	CreatedWith string `json:"created_with"` // the program's version
	Checksum    string `json:"sha256"`       // of the weights file, in hexadecimal
}

// An Architecture is the shape of a network: from inputs features through a dense layer to a trunk of residual blocks,
// and from there to a policy over actions and, through a layer of its own, to a distribution over bins final margins.
type Architecture struct {
	Inputs     int `json:"inputs"`      // features a position
	Width      int `json:"width"`       // units of the trunk
	Blocks     int `json:"blocks"`      // residual blocks
	Actions    int `json:"actions"`     // outputs of the policy
	Bins       int `json:"bins"`        // outputs of the value
	ValueWidth int `json:"value_width"` // units of the value's own layer
}

// String writes the architecture in one line, such as "inputs 200, width 256, blocks 3, actions 631, bins 61, value
// width 64".
func (a Architecture) String() string {
	return fmt.Sprintf("inputs %d, width %d, blocks %d, actions %d, bins %d, value width %d",
		a.Inputs, a.Width, a.Blocks, a.Actions, a.Bins, a.ValueWidth)
}

// ReadDescription reads a folder's model.json. Of its content it checks the format and the fields, not the weights.
func ReadDescription(dir string) (Description, error) {
	return readDescription(disk, filepath.Join(dir, DescriptionFile))
}

// readDescription reads a model.json.
func readDescription(open opener, path string) (Description, error) {
	data, err := readAtMost(open, path, maxDescription)
	if errors.Is(err, os.ErrNotExist) {
		return Description{}, &MismatchError{path, "description", "a file", "none", "give the folder of a checkpoint, or of a run"}
	}
	if err != nil {
		return Description{}, fmt.Errorf("reading a model's description: %w", err)
	}
	// The version is read alone first, because the fields of another version may be others.
	var version struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return Description{}, broken(path, "description", "JSON", err.Error())
	}
	if version.Format != Format {
		hint := "it was written by a newer kiothi: update this one"
		if version.Format < Format {
			hint = "it is no model that any kiothi wrote"
		}
		return Description{}, &MismatchError{path, "format version", strconv.Itoa(Format), strconv.Itoa(version.Format), hint}
	}
	var d Description
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return Description{}, broken(path, "description", "the fields of format "+strconv.Itoa(Format), err.Error())
	}
	return d, nil
}

// writeDescription writes model.json. Equal descriptions give equal bytes.
func writeDescription(dir string, d Description) error {
	return durable.WriteJSON(filepath.Join(dir, DescriptionFile), d)
}

// An opener opens a file.
type opener func(path string) (io.ReadCloser, error)

// disk opens a file of the disk.
func disk(path string) (io.ReadCloser, error) { return durable.Open(path) }

// readAtMost reads a file of no more than limit bytes.
func readAtMost(open opener, path string, limit int64) ([]byte, error) {
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: found more than %d bytes, which no such file has", path, limit)
	}
	return data, nil
}
