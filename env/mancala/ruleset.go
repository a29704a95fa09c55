package mancala

import (
	"fmt"
	"strconv"
	"strings"

	"kiothi/env/choice"
)

// This file is the text of rule sets: a named set, and options that override it (rules, section 2.1).

// An Option is one setting of a rule set R, readable and writable as text.
type Option[R any] struct {
	Name   string
	Doc    string // one sentence: what it decides
	Values string // the valid values, for people
	Get    func(*R) string
	Set    func(r *R, value string) error // an error says what is wrong with the value; Parse adds the rest
}

// A NamedRules is a rule set that has a name of its own.
type NamedRules[R any] struct {
	Name  string
	Doc   string // one sentence: where it comes from
	Rules R
}

// A RuleBook lists a game's named rule sets, the default first, and the options that distinguish them.
type RuleBook[R any] struct {
	Sets    []NamedRules[R]
	Options []Option[R]
	Check   func(*R) error // refuses combinations that cannot be played
}

// SetNames returns the names of the rule sets, the default first.
func (b *RuleBook[R]) SetNames() []string {
	names := make([]string, len(b.Sets))
	for i, set := range b.Sets {
		names[i] = set.Name
	}
	return names
}

// OptionNames returns the names of the options in their order.
func (b *RuleBook[R]) OptionNames() []string {
	names := make([]string, len(b.Options))
	for i, option := range b.Options {
		names[i] = option.Name
	}
	return names
}

// Parse reads a rule set: a name, then any number of ",option=value", each option once. The empty text is the default
// set. It returns the rules and their canonical text, in which the overrides that change nothing are left out and the
// others stand in the order of the options. The canonical text is a fixed point of Parse.
func (b *RuleBook[R]) Parse(text string) (R, string, error) {
	var none R
	if text == "" {
		text = b.Sets[0].Name
	}
	name, rest, overridden := strings.Cut(text, ",")
	set, err := b.set(name)
	if err != nil {
		return none, "", err
	}
	rules := set.Rules
	if overridden {
		if err := b.override(&rules, rest); err != nil {
			return none, "", fmt.Errorf("rule set %q: %w", text, err)
		}
	}
	if err := b.Check(&rules); err != nil {
		return none, "", fmt.Errorf("rule set %q cannot be played: %w", text, err)
	}
	return rules, b.canonical(set, &rules), nil
}

// set finds a named set.
func (b *RuleBook[R]) set(name string) (*NamedRules[R], error) {
	for i := range b.Sets {
		if b.Sets[i].Name == name {
			return &b.Sets[i], nil
		}
	}
	return nil, choice.Unknown("rule set", name, b.SetNames())
}

// override applies a comma-separated list of option=value.
func (b *RuleBook[R]) override(rules *R, list string) error {
	seen := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		name, value, ok := strings.Cut(item, "=")
		if !ok {
			return fmt.Errorf("%q is not of the form option=value", item)
		}
		if seen[name] {
			return fmt.Errorf("option %q is given twice", name)
		}
		seen[name] = true
		option := b.option(name)
		if option == nil {
			return choice.Unknown("option", name, b.OptionNames())
		}
		if err := option.Set(rules, value); err != nil {
			return fmt.Errorf("option %s=%q: %w; valid values: %s", name, value, err, option.Values)
		}
	}
	return nil
}

// option finds an option by name, nil when there is none.
func (b *RuleBook[R]) option(name string) *Option[R] {
	for i := range b.Options {
		if b.Options[i].Name == name {
			return &b.Options[i]
		}
	}
	return nil
}

// canonical writes a rule set as its named set and the options that differ from it.
func (b *RuleBook[R]) canonical(set *NamedRules[R], rules *R) string {
	var text strings.Builder
	text.WriteString(set.Name)
	for _, option := range b.Options {
		if value := option.Get(rules); value != option.Get(&set.Rules) {
			text.WriteString("," + option.Name + "=" + value)
		}
	}
	return text.String()
}

// BoolOption returns an option whose values are on and off.
func BoolOption[R any](name, doc string, field func(*R) *bool) Option[R] {
	return WordOption(name, doc, field, map[string]bool{"on": true, "off": false}, "on", "off")
}

// WordOption returns an option whose values are words, listed in order.
func WordOption[R any, V comparable](name, doc string, field func(*R) *V, values map[string]V, order ...string) Option[R] {
	return Option[R]{
		Name: name, Doc: doc, Values: strings.Join(order, ", "),
		Get: func(r *R) string {
			for _, word := range order {
				if values[word] == *field(r) {
					return word
				}
			}
			return "?"
		},
		Set: func(r *R, value string) error {
			v, ok := values[value]
			if !ok {
				return fmt.Errorf("no such value")
			}
			*field(r) = v
			return nil
		},
	}
}

// IntOption returns an option whose values are the whole numbers from low to high, written without leading zeros.
func IntOption[R any](name, doc string, field func(*R) *int, low, high int) Option[R] {
	return Option[R]{
		Name: name, Doc: doc, Values: fmt.Sprintf("a whole number from %d to %d", low, high),
		Get: func(r *R) string { return strconv.Itoa(*field(r)) },
		Set: func(r *R, value string) error {
			n, err := Number(value, low, high)
			if err != nil {
				return err
			}
			*field(r) = n
			return nil
		},
	}
}
