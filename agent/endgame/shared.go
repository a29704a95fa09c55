package endgame

import (
	"fmt"
	"path/filepath"
	"sync"

	"kiothi/agent"
	"kiothi/env/mancala"
)

// This file opens tables for players.

var _ agent.Endgames = (*Table)(nil)

// Option is the option of a player that may use a table.
var Option = agent.Option{Name: "table", Default: "FILE", Doc: "table of exact end games, made by kiothi endgame (default: none)"}

// OfSpec returns the table that a spec names by Option, or nil when it names none. A file is read once in a program, and
// its table shared.
func OfSpec(spec agent.Spec, g mancala.Game) (agent.Endgames, error) {
	path, ok := spec.Value(Option.Name)
	if !ok {
		return nil, nil
	}
	t, err := share(path)
	if err != nil {
		return nil, err
	}
	if err := t.Check(g); err != nil {
		return nil, fmt.Errorf("end-game table %s: %w", path, err)
	}
	return t, nil
}

// shared are the tables that were opened, by absolute path.
var shared struct {
	sync.Mutex
	tables map[string]*Table
}

// share opens a table, or returns the one that was opened before.
func share(path string) (*Table, error) {
	name, err := filepath.Abs(path)
	if err != nil {
		name = path
	}
	shared.Lock()
	defer shared.Unlock()
	if t := shared.tables[name]; t != nil {
		return t, nil
	}
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	if shared.tables == nil {
		shared.tables = map[string]*Table{}
	}
	shared.tables[name] = t
	return t, nil
}
