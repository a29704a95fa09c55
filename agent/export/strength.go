package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kiothi/agent/release"
	"kiothi/env/durable"
)

// This file is strength.json: how strong a released bot was found to be. It is optional, and lies beside model.json.

// strengthFile is the name of the file: an array of Results.
const strengthFile = "strength.json"

// A Result is what a match found.
type Result struct {
	Agent      string     `json:"agent"`      // how the bot played, such as "zero:movetime=100ms"
	Opponent   string     `json:"opponent"`   // as an agent's text
	Games      int        `json:"games"`      // finished
	Score      float64    `json:"score"`      // share of the points, draws as half a win
	Interval   [2]float64 `json:"interval"`   // of the score, at 95 %
	Conditions string     `json:"conditions"` // what else decides it: openings, time, machine
}

func (r *Result) validate() error {
	switch {
	case r.Agent == "" || r.Opponent == "":
		return fmt.Errorf("found agent %q and opponent %q, expected the texts of both", r.Agent, r.Opponent)
	case r.Games < 1:
		return fmt.Errorf("found %d games, expected at least 1", r.Games)
	case !(0 <= r.Interval[0] && r.Interval[0] <= r.Score && r.Score <= r.Interval[1] && r.Interval[1] <= 1):
		return fmt.Errorf("found a score of %v in the interval %v, expected 0 to 1, the score inside", r.Score, r.Interval)
	}
	return nil
}

// ReadStrength reads the strength.json of a model, in a folder or carried by the program under this name as package release says;
// it returns nil where there is none.
func ReadStrength(dir string) ([]Result, error) {
	path := filepath.Join(dir, strengthFile)
	var data []byte
	var err error
	if carried, name := release.Find(dir); carried != nil {
		data, err = fs.ReadFile(carried, name+"/"+strengthFile)
	} else {
		data, err = durable.ReadFile(path, maxText)
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the strength: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var results []Result
	if err := decoder.Decode(&results); err != nil {
		return nil, fmt.Errorf("%s: expected an array of results: %w", path, err)
	}
	for i := range results {
		if err := results[i].validate(); err != nil {
			return nil, fmt.Errorf("%s: result %d: %w", path, i+1, err)
		}
	}
	return results, nil
}

func encodeStrength(results []Result) ([]byte, error) {
	data, err := json.MarshalIndent(results, "", "  ")
	return append(data, '\n'), err
}
