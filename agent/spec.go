package agent

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kiothi/env/mancala"
)

// This file is the text that names a player: NAME[:ARGUMENT][,option=value…].
//
// A player that takes no argument may have its first option after the colon: alphabeta:depth=6 is alphabeta,depth=6.
//
// The first colon ends the name and a comma ends an argument or a value; a comma inside one is written twice. Nothing
// else is special, so that paths with spaces, letters of any script, backslashes and colons (C:\runs\first) stand as
// they are.

// A Spec is the text of a player, taken apart.
type Spec struct {
	Text     string // as it was given
	Name     string
	Argument string    // empty when there is none
	Settings []Setting // in the order given, each option once
}

// A Setting is one option of a Spec with its value.
type Setting struct{ Option, Value string }

// A SpecError says what is wrong with the text of a player, as opposed to what went wrong while making one.
type SpecError struct {
	Text string
	Err  error
}

// Error names the text and what is wrong with it.
func (e *SpecError) Error() string { return fmt.Sprintf("agent %q: %v", e.Text, e.Err) }

// Unwrap returns what is wrong with the text.
func (e *SpecError) Unwrap() error { return e.Err }

// ParseSpec takes the text of a player apart. Whether there is such a player is decided by Kinds.
func ParseSpec(text string) (Spec, error) {
	parts := splitCommas(text)
	spec := Spec{Text: text}
	head := parts[0]
	colon := false
	spec.Name, spec.Argument, colon = strings.Cut(head, ":")
	if spec.Name == "" {
		return Spec{}, &SpecError{text, fmt.Errorf("expected NAME[:ARGUMENT][,option=value…], found no name")}
	}
	if colon && spec.Argument == "" {
		return Spec{}, &SpecError{text, fmt.Errorf("there is nothing after the colon")}
	}
	for _, part := range parts[1:] {
		setting, ok := parseSetting(part)
		if !ok {
			return Spec{}, &SpecError{text, fmt.Errorf("%q is not of the form option=value (a comma inside an argument is written twice)", part)}
		}
		if _, given := spec.Value(setting.Option); given {
			return Spec{}, &SpecError{text, givenTwice(setting.Option)}
		}
		spec.Settings = append(spec.Settings, setting)
	}
	return spec, nil
}

// parseSetting reads option=value.
func parseSetting(text string) (Setting, bool) {
	option, value, ok := strings.Cut(text, "=")
	return Setting{option, value}, ok && option != "" && value != ""
}

func givenTwice(option string) error { return fmt.Errorf("option %q is given twice", option) }

// argumentAsSetting makes an argument of the form option=value the first of the settings, for a player that takes no
// argument. Any other argument stays.
func (s Spec) argumentAsSetting() (Spec, error) {
	setting, ok := parseSetting(s.Argument)
	if !ok {
		return s, nil
	}
	if _, given := s.Value(setting.Option); given {
		return s, givenTwice(setting.Option)
	}
	s.Argument = ""
	s.Settings = slices.Concat([]Setting{setting}, s.Settings)
	return s, nil
}

// splitCommas splits at single commas and turns a doubled one into a comma.
func splitCommas(text string) []string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != ',' {
			part.WriteByte(text[i])
		} else if i+1 < len(text) && text[i+1] == ',' {
			part.WriteByte(',')
			i++
		} else {
			parts = append(parts, part.String())
			part.Reset()
		}
	}
	return append(parts, part.String())
}

// String writes the spec as text that ParseSpec reads back.
func (s Spec) String() string {
	double := strings.NewReplacer(",", ",,")
	text := double.Replace(s.Name)
	if s.Argument != "" {
		text += ":" + double.Replace(s.Argument)
	}
	for _, setting := range s.Settings {
		text += "," + double.Replace(setting.Option) + "=" + double.Replace(setting.Value)
	}
	return text
}

// Value returns the text of an option's value, and whether it is given.
func (s Spec) Value(option string) (string, bool) {
	for _, setting := range s.Settings {
		if setting.Option == option {
			return setting.Value, true
		}
	}
	return "", false
}

// Int returns the value of an option that is a whole number from low to high, or fallback when it is not given.
func (s Spec) Int(option string, fallback, low, high int) (int, error) {
	text, ok := s.Value(option)
	if !ok {
		return fallback, nil
	}
	n, err := mancala.Number(text, low, high)
	if err != nil {
		return 0, &SpecError{s.Text, fmt.Errorf("option %s: %w", option, err)}
	}
	return n, nil
}

// Float returns the value of an option that is a number from low to high, or fallback when it is not given.
func (s Spec) Float(option string, fallback, low, high float64) (float64, error) {
	text, ok := s.Value(option)
	if !ok {
		return fallback, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) {
		return 0, &SpecError{s.Text, fmt.Errorf("option %s: %q is not a number", option, text)}
	}
	if x < low || x > high {
		return 0, &SpecError{s.Text, fmt.Errorf("option %s: %v is not from %v to %v", option, x, low, high)}
	}
	return x, nil
}

// Word returns the value of an option that is one of the given words, or the first of them when it is not given.
func (s Spec) Word(option string, words ...string) (string, error) {
	text, ok := s.Value(option)
	if !ok {
		return words[0], nil
	}
	if !slices.Contains(words, text) {
		return "", &SpecError{s.Text, unknownValue(option, text, words)}
	}
	return text, nil
}

// Duration returns the value of an option that is a positive length of time, such as 100ms, or 0 when it is not given.
func (s Spec) Duration(option string) (time.Duration, error) {
	text, ok := s.Value(option)
	if !ok {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, &SpecError{s.Text, fmt.Errorf("option %s: %q is not a positive length of time, such as 100ms or 2s", option, text)}
	}
	return d, nil
}

// Limits are the options by which players are told how long to think.
var Limits = []string{"sims", "nodes", "depth", "movetime"}

// ofLimit are options that only mean something beside one of the limits.
var ofLimit = map[string]string{"considered": "sims"}

// WithLimit returns a spec with another limit in place of those that it has, and without the options that mean nothing then.
func (s Spec) WithLimit(limit Setting) Spec {
	s.Settings = slices.DeleteFunc(slices.Clone(s.Settings), func(old Setting) bool {
		needs, special := ofLimit[old.Option]
		return slices.Contains(Limits, old.Option) || special && needs != limit.Option
	})
	s.Settings = append(s.Settings, limit)
	return s
}

// ExactlyOne refuses a spec that gives none or several of some options which exclude each other.
func (s Spec) ExactlyOne(options ...string) error {
	var given []string
	for _, option := range options {
		if _, ok := s.Value(option); ok {
			given = append(given, option)
		}
	}
	if len(given) == 1 {
		return nil
	}
	found := "none"
	if len(given) > 0 {
		found = strings.Join(given, " and ")
	}
	return &SpecError{s.Text, fmt.Errorf("expected exactly one of the options %s, found %s", strings.Join(options, ", "), found)}
}
