package agent

import (
	"errors"
	"fmt"
	"strings"

	"kiothi/env/choice"
	"kiothi/env/mancala"
)

// This file is the list of the sorts of player that a program offers.

// A Kind is a sort of player.
type Kind struct {
	Name     string
	Argument string // what stands after the colon, such as "PATH"; empty when the kind takes no argument
	Form     string // how specs are written, where the name, the argument and the options do not say it all
	Doc      string // one sentence: how it plays
	Options  []Option
	// New makes a player of this kind. The spec has this kind's name, an argument exactly if the kind takes one, and no
	// options but the kind's, each once; their values are for New to read and check, by the methods of Spec.
	New func(g mancala.Game, spec Spec) (Agent, error)
	// StandsFor, if not nil, returns the text of the player of another kind that New makes for a game, for callers who are to
	// know its options.
	StandsFor func(g mancala.Game, spec Spec) (string, error)
}

// An Option is a setting of a Kind, described for people.
type Option struct {
	Name    string
	Default string
	Doc     string // what it does, and its valid values
}

// Usage returns the form of the kind's specs, such as "zero:PATH[,sims=64]".
func (k *Kind) Usage() string {
	if k.Form != "" {
		return k.Form
	}
	text := k.Name
	if k.Argument != "" {
		text += ":" + k.Argument
	}
	for _, option := range k.Options {
		text += "[," + option.Name + "=" + option.Default + "]"
	}
	return text
}

// Kinds are the sorts of player that a program offers.
type Kinds []Kind

// Names returns the names of the kinds in their order.
func (ks Kinds) Names() []string {
	names := make([]string, len(ks))
	for i := range ks {
		names[i] = ks[i].Name
	}
	return names
}

// Help describes the kinds and their options in indented lines.
func (ks Kinds) Help() string {
	var text strings.Builder
	for i := range ks {
		kind := &ks[i]
		form := kind.Name
		if kind.Argument != "" {
			form += ":" + kind.Argument
		}
		fmt.Fprintf(&text, "  %-14s %s\n", form, kind.Doc)
		if kind.Form != "" {
			fmt.Fprintf(&text, "      written %s\n", kind.Form)
		}
		for _, option := range kind.Options {
			fmt.Fprintf(&text, "      %-16s %s\n", option.Name+"="+option.Default, option.Doc)
		}
	}
	return text.String()
}

// Parse reads the text of a player and finds its kind. What is wrong with the text is a *SpecError that lists what is
// valid and suggests the nearest.
func (ks Kinds) Parse(text string) (*Kind, Spec, error) {
	spec, err := ParseSpec(text)
	if err != nil {
		return nil, Spec{}, err
	}
	for i := range ks {
		if ks[i].Name == spec.Name {
			if ks[i].Argument == "" {
				if spec, err = spec.argumentAsSetting(); err != nil {
					return nil, Spec{}, &SpecError{text, err}
				}
			}
			if err := ks[i].check(spec); err != nil {
				return nil, Spec{}, &SpecError{text, err}
			}
			return &ks[i], spec, nil
		}
	}
	return nil, Spec{}, &SpecError{text, choice.Unknown("agent", spec.Name, ks.Names())}
}

// Resolve is Parse for a game: in place of a kind that stands for another one it returns that.
func (ks Kinds) Resolve(g mancala.Game, text string) (*Kind, Spec, error) {
	kind, spec, err := ks.Parse(text)
	if err != nil || kind.StandsFor == nil {
		return kind, spec, err
	}
	other, err := kind.StandsFor(g, spec)
	if err != nil {
		return nil, Spec{}, naming(text, err)
	}
	return ks.Parse(other)
}

// check finds what is wrong with a spec of this kind, other than the values of its options.
func (k *Kind) check(spec Spec) error {
	if k.Argument == "" && spec.Argument != "" {
		return fmt.Errorf("%s takes no argument; it is written %s", k.Name, k.Usage())
	}
	if k.Argument != "" && spec.Argument == "" {
		return fmt.Errorf("%s needs an argument; it is written %s", k.Name, k.Usage())
	}
	names := make([]string, len(k.Options))
	for i, option := range k.Options {
		names[i] = option.Name
	}
	for _, setting := range spec.Settings {
		if len(names) == 0 {
			return fmt.Errorf("unknown option %q: %s has no options", setting.Option, k.Name)
		}
		if err := known("option", setting.Option, names); err != nil {
			return err
		}
	}
	return nil
}

// known returns an error that lists the valid words when got is none of them.
func known(what, got string, valid []string) error {
	for _, word := range valid {
		if got == word {
			return nil
		}
	}
	return choice.Unknown(what, got, valid)
}

// unknownValue is the error for a word that is not one of an option's values.
func unknownValue(option, got string, words []string) error {
	return fmt.Errorf("option %s: %w", option, choice.Unknown("value", got, words))
}

// Open makes the player that text names, for a game. Errors in the text are *SpecError; others say which player could
// not be made.
func (ks Kinds) Open(g mancala.Game, text string) (Agent, error) {
	kind, spec, err := ks.Parse(text)
	if err != nil {
		return nil, err
	}
	a, err := kind.New(g, spec)
	if err != nil {
		return nil, naming(text, err)
	}
	return a, nil
}

// naming puts the player's text before what went wrong, which a *SpecError does by itself.
func naming(text string, err error) error {
	if mistake := (*SpecError)(nil); errors.As(err, &mistake) {
		return err
	}
	return fmt.Errorf("agent %q: %w", text, err)
}
