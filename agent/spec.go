package agent

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kiothi/env/mancala"
)

// This file is the text that names a player: NAME[:ARGUMENT][,option=value…].
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
		option, value, ok := strings.Cut(part, "=")
		if !ok || option == "" || value == "" {
			return Spec{}, &SpecError{text, fmt.Errorf("%q is not of the form option=value (a comma inside an argument is written twice)", part)}
		}
		if _, given := spec.value(option); given {
			return Spec{}, &SpecError{text, fmt.Errorf("option %q is given twice", option)}
		}
		spec.Settings = append(spec.Settings, Setting{option, value})
	}
	return spec, nil
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

// value returns an option's value, and whether it is given.
func (s Spec) value(option string) (string, bool) {
	for _, setting := range s.Settings {
		if setting.Option == option {
			return setting.Value, true
		}
	}
	return "", false
}

// Int returns the value of an option that is a whole number from low to high, or fallback when it is not given.
func (s Spec) Int(option string, fallback, low, high int) (int, error) {
	text, ok := s.value(option)
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
	text, ok := s.value(option)
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
	text, ok := s.value(option)
	if !ok {
		return words[0], nil
	}
	if !slices.Contains(words, text) {
		return "", &SpecError{s.Text, unknownValue(option, text, words)}
	}
	return text, nil
}
