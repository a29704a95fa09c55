package perfect

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"kiothi/agent/endgame"
	"kiothi/agent/solve"
	"kiothi/agent/solve/certificate"
	"kiothi/env/kiothi"
	"kiothi/env/mancala"
)

// This file is what a player knows before it is asked: a book and a table of end games.

// Each file of books is the certificate of a start, as kiothi solve --out writes it.
//
//go:embed books/*.certificate
var books embed.FS

// knowledge is what all players of a game share. It is made once.
type knowledge struct {
	book  *solve.Book    // or nil
	table *endgame.Table // or nil
}

var (
	mutex sync.Mutex
	known = map[string]func() (*knowledge, error){} // by game and rule set
)

// knowledgeOf returns the knowledge about a game. While it is made, players of other games do not wait.
func knowledgeOf(g mancala.Game) (*knowledge, error) {
	mutex.Lock()
	key := g.Name() + " " + g.Rules()
	once := known[key]
	if once == nil {
		once = sync.OnceValues(func() (*knowledge, error) { return learn(g) })
		known[key] = once
	}
	mutex.Unlock()
	return once()
}

// learn makes the knowledge about a game.
func learn(g mancala.Game) (*knowledge, error) {
	t, err := table(g)
	if err != nil {
		return nil, fmt.Errorf("perfect: %w", err)
	}
	b, err := book(g)
	if err != nil {
		return nil, fmt.Errorf("perfect: %w", err)
	}
	return &knowledge{b, t}, nil
}

// table builds a table that takes a fraction of a second, or returns nil for a rule set that has none: the solver does without.
func table(g mancala.Game) (*endgame.Table, error) {
	stones, o := 8, endgame.Options{}
	if g.Name() == kiothi.Name {
		stones, o.Marked = 5, min(3, g.Seeds())
	}
	t, err := endgame.Build(context.Background(), g, min(stones, g.Seeds()), o)
	if errors.Is(err, endgame.ErrNoTable) {
		return nil, nil
	}
	return t, err
}

// book returns the book of a game, or nil.
func book(g mancala.Game) (*solve.Book, error) {
	names, err := fs.Glob(books, "books/*.certificate")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		b, err := bookIn(name, g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if b != nil {
			return b, nil
		}
	}
	return nil, nil
}

// bookIn returns the book in a file, or nil when it is of another game.
func bookIn(name string, g mancala.Game) (*solve.Book, error) {
	data, err := books.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if h, err := certificate.ReadHeader(data); err != nil || h.Game != g.Name() || h.Rules != g.Rules() {
		return nil, err
	}
	c, err := certificate.Read(data)
	if err != nil {
		return nil, err
	}
	return solve.NewBook(c, g.Width()), nil
}
