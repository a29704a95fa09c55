package protocol

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kiothi/env/choice"
)

// This file is the settings of an engine: how it offers them, and how they are set.

// The types of an option.
const (
	Spin   = "spin"   // a whole number from Min to Max
	Combo  = "combo"  // one of Vars
	String = "string" // any text, the empty one included
	Check  = "check"  // true or false
)

// An Option is a setting that an engine offers.
type Option struct {
	Name    string // one or more words
	Type    string // Spin, Combo, String or Check
	Default string
	Min     int64    // of a Spin
	Max     int64    // of a Spin
	Vars    []string // of a Combo
}

// String returns the line that offers the option.
func (o Option) String() string {
	text := fmt.Sprintf("option name %s type %s default %s", o.Name, o.Type, o.Default)
	if o.Type == Spin {
		text += fmt.Sprintf(" min %d max %d", o.Min, o.Max)
	}
	for _, v := range o.Vars {
		text += " var " + v
	}
	return text
}

// ParseOption reads the line that offers an option.
func ParseOption(line string) (Option, error) {
	words := strings.Fields(line)
	if len(words) < 2 || words[0] != "option" || words[1] != "name" {
		return Option{}, fmt.Errorf("expected option name … type …, found %s", Shown(line))
	}
	o := Option{Min: math.MinInt64, Max: math.MaxInt64}
	key, value := "name", []string(nil)
	flush := func() error {
		text := strings.Join(value, " ")
		var err error
		switch key {
		case "name":
			o.Name = text
		case "type":
			o.Type = text
		case "default":
			o.Default = text
		case "min":
			o.Min, err = strconv.ParseInt(text, 10, 64)
		case "max":
			o.Max, err = strconv.ParseInt(text, 10, 64)
		case "var":
			o.Vars = append(o.Vars, text)
		}
		if err != nil {
			return fmt.Errorf("option %s: %s %s is not a whole number", choice.Cut(o.Name), key, Shown(text))
		}
		value = nil
		return nil
	}
	for _, word := range words[2:] {
		// The type ends the name, and the other keys only stand after it.
		if word == "type" && key == "name" || key != "name" && slices.Contains([]string{"default", "min", "max", "var"}, word) {
			if err := flush(); err != nil {
				return Option{}, err
			}
			key = word
			continue
		}
		value = append(value, word)
	}
	if err := flush(); err != nil {
		return Option{}, err
	}
	if o.Name == "" {
		return Option{}, fmt.Errorf("an option without a name: %s", Shown(line))
	}
	if types := []string{Spin, Combo, String, Check}; !slices.Contains(types, o.Type) {
		return Option{}, fmt.Errorf("option %s: %w", choice.Cut(o.Name), choice.Unknown("type", o.Type, types))
	}
	return o, o.Refuse(o.Default)
}

// Refuse returns an error when a value is none that the option takes.
func (o *Option) Refuse(value string) error {
	switch o.Type {
	case Spin:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < o.Min || n > o.Max {
			return fmt.Errorf("option %s: %s is not a whole number from %d to %d", o.Name, Shown(value), o.Min, o.Max)
		}
	case Combo:
		if !slices.Contains(o.Vars, value) {
			return fmt.Errorf("option %s: %w", o.Name, choice.Unknown("value", value, o.Vars))
		}
	case Check:
		if value != "true" && value != "false" {
			return fmt.Errorf("option %s: %s is neither true nor false", o.Name, Shown(value))
		}
	}
	return nil
}

// FindOption returns the option with a name, whatever the case of its letters; nil when there is none.
func FindOption(options []Option, name string) *Option {
	for i := range options {
		if strings.EqualFold(options[i].Name, name) {
			return &options[i]
		}
	}
	return nil
}

// SetOption returns the command that sets an option.
func SetOption(name, value string) string {
	return strings.TrimSpace("setoption name " + name + " value " + value)
}

// ParseSetOption reads what stands after setoption. The value may be empty.
func ParseSetOption(words []string) (name, value string, err error) {
	at := slices.Index(words, "value")
	if len(words) < 2 || words[0] != "name" || at < 2 {
		return "", "", fmt.Errorf("setoption: expected setoption name NAME value VALUE")
	}
	return strings.Join(words[1:at], " "), strings.Join(words[at+1:], " "), nil
}
