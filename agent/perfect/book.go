package perfect

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"kiothi/agent/endgame"
	"kiothi/agent/solve"
	"kiothi/agent/solve/certificate"
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
	known = map[string]*knowledge{}
)

// learn returns the knowledge about a game.
func learn(g mancala.Game) (*knowledge, error) {
	mutex.Lock()
	defer mutex.Unlock()
	key := g.Name() + " " + g.Rules()
	if k := known[key]; k != nil {
		return k, nil
	}
	k := &knowledge{table: table(g)}
	var err error
	if k.book, err = book(g); err != nil {
		return nil, fmt.Errorf("perfect: %w", err)
	}
	known[key] = k
	return k, nil
}

// table builds a table that takes a fraction of a second, or returns nil for a rule set that has none.
func table(g mancala.Game) *endgame.Table {
	stones, o := 8, endgame.Options{}
	if g.Name() == "kiothi" {
		stones, o.Marked = 5, 3
	}
	t, err := endgame.Build(context.Background(), g, min(stones, g.Seeds()), o)
	if err != nil {
		return nil // the solver does without
	}
	return t
}

// book returns the book of a game, or nil.
func book(g mancala.Game) (*solve.Book, error) {
	names, err := fs.Glob(books, "books/*.certificate")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := books.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := certificate.Read(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if c.Game == g.Name() && c.Rules == g.Rules() {
			return solve.NewBook(c, g.Width()), nil
		}
	}
	return nil, nil
}
