// Package games lists the games: their names, their rule sets and options, and how to open one.
package games

import (
	"fmt"
	"slices"
	"strings"

	"kiothi/env/choice"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
	"kiothi/env/riokadalis"
)

// An Entry describes a game for people, and opens it.
type Entry struct {
	Name    string
	Doc     string // one sentence
	Sets    []Set  // the default first
	Options []Option
	open    func(rules string) (mancala.Game, error)
}

// A Set is a named rule set.
type Set struct {
	Name string
	Doc  string // one sentence: where it comes from
}

// An Option is a setting that a rule set can override.
type Option struct {
	Name     string
	Doc      string   // one sentence: what it decides
	Values   string   // the valid values
	Settings []string // its value in each of Entry.Sets
}

// All lists the games, the default first.
func All() []Entry {
	return []Entry{
		entry(kiothi.Name, "Kiothi of the Meru: ten pits a side, an opening that rearranges seeds, relays, protected pits.",
			&kiothi.Book, func(rules string) (mancala.Game, error) { return kiothi.New(rules) }),
		entry(riokadalis.Name, "Rio Kadalis of Somalia: six holes a side, relays, every four is won as it forms.",
			&riokadalis.Book, func(rules string) (mancala.Game, error) { return riokadalis.New(rules) }),
	}
}

// entry describes a game by its rule book.
func entry[R any](name, doc string, book *mancala.RuleBook[R], open func(string) (mancala.Game, error)) Entry {
	e := Entry{Name: name, Doc: doc, open: open}
	for _, set := range book.Sets {
		e.Sets = append(e.Sets, Set{set.Name, set.Doc})
	}
	for _, option := range book.Options {
		o := Option{Name: option.Name, Doc: option.Doc, Values: option.Values}
		for i := range book.Sets {
			o.Settings = append(o.Settings, option.Get(&book.Sets[i].Rules))
		}
		e.Options = append(e.Options, o)
	}
	return e
}

// Names returns the names of the games, the default first.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return names
}

// Find returns the description of a game. An unknown name is an error that lists the games.
func Find(game string) (Entry, error) {
	all := All()
	at := slices.IndexFunc(all, func(e Entry) bool { return e.Name == game })
	if at < 0 {
		return Entry{}, choice.Unknown("game", game, Names())
	}
	return all[at], nil
}

// IsDefault reports whether a game has the rules that it is played by where none are named.
func IsDefault(g mancala.Game) bool {
	e, err := Find(g.Name())
	return err == nil && e.Sets[0].Name == g.Rules()
}

// Open opens a game by its name, under a rule set as text: a named set, or one with options overridden such as
// "mancala-world,bonus=run"; the empty text is the game's default. What is unknown is an error that lists the valid words.
func Open(game, rules string) (mancala.Game, error) {
	e, err := Find(game)
	if err != nil {
		return nil, err
	}
	g, err := e.open(rules)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", game, err)
	}
	return g, nil
}

// Help describes all games, rule sets and options in lines of text.
func Help() string {
	var text strings.Builder
	for i, e := range All() {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "%s: %s\n  rule sets, the default first:\n", e.Name, e.Doc)
		for _, set := range e.Sets {
			fmt.Fprintf(&text, "    %-19s %s\n", set.Name, set.Doc)
		}
		fmt.Fprintf(&text, "  options, as in %s,%s=%s:\n", e.Sets[0].Name, e.Options[0].Name, e.Options[0].Settings[0])
		for _, o := range e.Options {
			fmt.Fprintf(&text, "    %-19s %s\n    %-19s Values: %s.\n", o.Name, o.Doc, "", o.Values)
		}
	}
	return text.String()
}
