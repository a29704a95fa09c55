package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"

	"kiothi/env"
	"kiothi/env/choice"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is the settings of a vector, as the other side writes them.

// Settings describe a vector, as a JSON object.
type Settings struct {
	Game      string   `json:"game"`
	Rules     []string `json:"rules"` // row i plays Rules[i%len(Rules)]; none: the game's default
	Rows      int      `json:"rows"`
	Autoreset string   `json:"autoreset"`  // a name of env.Autoreset
	Workers   int      `json:"workers"`    // 0: one a processor
	Reward    string   `json:"reward"`     // see env.ParseReward
	StepLimit int      `json:"step_limit"` // steps, against an opponent the learner's, that truncate a game; 0: none
	Position  string   `json:"position"`   // that games start from; "": the game's start

	// A single-agent view: the opponent plays as part of the step. Without an opponent the rest has no meaning.
	Opponent string `json:"opponent"` // an agent's spec; "": none
	Seat     string `json:"seat"`     // see env.ParseSeat
	Illegal  string `json:"illegal"`  // what an illegal action does: raise or lose
}

// What an illegal action can do.
var illegalNames = []string{"raise", "lose"}

// ParseSettings reads settings. What is wrong with them is an *ArgumentError.
func ParseSettings(text []byte) (Settings, error) {
	var s Settings
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&s); err != nil {
		return s, &ArgumentError{fmt.Errorf("the settings of a vector: %w", err)}
	}
	return s, nil
}

// New makes the vector that the settings describe.
func (s Settings) New() (Rows, error) {
	envs, err := s.envs()
	if err != nil {
		return nil, &ArgumentError{err}
	}
	autoreset, err := env.ParseAutoreset(s.Autoreset)
	if err != nil {
		return nil, &ArgumentError{err}
	}
	options := env.VectorOptions{Autoreset: autoreset, Workers: s.Workers}
	// A versus makes its own rows, but the same environments fit together in both.
	vector, err := env.NewVector(s.Rows, envs, options)
	if err != nil {
		return nil, &ArgumentError{err}
	}
	if s.Opponent == "" {
		return vector, nil
	}
	vector.Close()
	return s.versus(autoreset)
}

// envs opens one environment a rule set.
func (s Settings) envs() ([]*env.Env, error) {
	rules := s.Rules
	if len(rules) == 0 {
		rules = []string{""}
	}
	envs := make([]*env.Env, len(rules))
	for i, r := range rules {
		g, err := games.Open(s.Game, r)
		if err != nil {
			return nil, err
		}
		if envs[i], err = s.env(g); err != nil {
			return nil, err
		}
	}
	return envs, nil
}

// env makes an environment of a game.
func (s Settings) env(g mancala.Game) (*env.Env, error) {
	reward, err := env.ParseReward(s.Reward, g)
	if err != nil {
		return nil, err
	}
	return env.New(g, env.Options{Reward: reward, StepLimit: s.StepLimit, Position: s.Position})
}

// versus makes a single-agent view of settings that are known to fit together.
func (s Settings) versus(autoreset env.Autoreset) (*Versus, error) {
	seat, err := env.ParseSeat(s.Seat)
	if err != nil {
		return nil, &ArgumentError{err}
	}
	if !slices.Contains(illegalNames, s.Illegal) {
		return nil, &ArgumentError{choice.Unknown("illegal-action setting", s.Illegal, illegalNames)}
	}
	v := &Versus{seat: seat, limit: s.StepLimit, illegalLoses: s.Illegal == "lose", autoreset: autoreset, workers: s.Workers}
	if v.workers == 0 {
		v.workers = runtime.GOMAXPROCS(0)
	}
	kinds := max(1, len(s.Rules))
	for i := range s.Rows {
		one := s
		one.StepLimit = 0
		one.Rules = s.Rules[min(i%kinds, len(s.Rules)):min(i%kinds+1, len(s.Rules))]
		envs, err := one.envs()
		if err != nil {
			return nil, err
		}
		r := &versusRow{Env: envs[0]}
		if i < kinds {
			opponent, err := openAgent(envs[0].Game(), s.Opponent)
			if err != nil {
				v.Close()
				return nil, err
			}
			v.opponents = append(v.opponents, opponent)
		}
		r.opponent = i % kinds
		v.rows = append(v.rows, r)
	}
	v.parts = make([]versusPart, v.workers)
	return v, nil
}
