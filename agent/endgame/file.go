package endgame

import (
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kiothi/agent/internal/framed"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is a table on disk: the frame of package framed around the results of each layer, the smallest first: layer.result,
// layer.from.

var format = framed.Format{
	Magic: "kioendgm", Version: 1, Name: "end-game table", Body: "results",
	Remedy: "build it again with kiothi endgame",
}

// maxFile is the largest size of a file that is read, in bytes: two bytes for each position of the largest layer, uncompressed.
const maxFile = 2 * maxLayer

// A description says what is in a file.
type description struct {
	Game  string `json:"game"`
	Rules string `json:"rules"` // canonical
	Scope
	Positions int64 `json:"positions"`
}

// Save writes the table to a file, which appears under its name when it is complete.
func (t *Table) Save(path string) error {
	if err := durable.WriteFile(path, t.Write); err != nil {
		return fmt.Errorf("writing an end-game table: %w", err)
	}
	return nil
}

// Write writes what Save does.
func (t *Table) Write(file io.Writer) error {
	d := description{t.game.Name(), t.game.Rules(), t.scope, t.Positions()}
	// The fastest level: the slower ones save a seventh of the size for ten times the time and more.
	return format.Write(file, d, flate.BestSpeed, func(body io.Writer) error {
		for _, l := range t.layers {
			if l == nil {
				continue
			}
			if err := binary.Write(body, binary.LittleEndian, l.result); err != nil {
				return err
			}
			if _, err := body.Write(l.from); err != nil {
				return err
			}
		}
		return nil
	})
}

// IsFile reports whether a file is one of a table, whole or not, by how it begins.
func IsFile(path string) (bool, error) {
	head, err := durable.ReadHead(path, int64(len(format.Magic)))
	return format.Begins(head), err
}

// Open reads a table from a file, and opens its game. It refuses files that are not whole.
func Open(path string) (*Table, error) {
	data, err := durable.ReadFile(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("end-game table: %w; expected a file that kiothi endgame wrote", err)
	}
	if err != nil {
		return nil, fmt.Errorf("end-game table: %w", err)
	}
	t, err := read(data)
	if err != nil {
		return nil, fmt.Errorf("end-game table %s: %w", path, err)
	}
	return t, nil
}

// OpenFor is Open for a table that must be of the game and rule set of g.
func OpenFor(path string, g mancala.Game) (*Table, error) {
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := t.Check(g); err != nil {
		return nil, fmt.Errorf("end-game table %s: %w", path, err)
	}
	return t, nil
}

// read reads a table from the content of its file.
func read(data []byte) (*Table, error) {
	var d description
	body, err := format.Read(data, &d)
	if err != nil {
		return nil, err
	}
	return d.unpack(body)
}

// unpack makes the table that the description is of.
func (d *description) unpack(body *framed.Body) (*Table, error) {
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return nil, err
	}
	shapes, err := d.shapes(g)
	if err != nil {
		return nil, err
	}
	size := uint64(0)
	for _, s := range shapes {
		size += 2 * s.size
	}
	if err := body.Holds(size); err != nil {
		return nil, err
	}
	t := &Table{game: g, scope: d.Scope, clock: g.ClockLimit()}
	for _, s := range shapes {
		l := &layer{newIndex(g.Width(), s.seeds, s.marked), make([]int8, s.size), make([]uint8, s.size)}
		if err := binary.Read(body, binary.LittleEndian, l.result); err != nil {
			return nil, fmt.Errorf("the results of %d stones cannot be read: %w", s.seeds, err)
		}
		if _, err := io.ReadFull(body, l.from); err != nil {
			return nil, fmt.Errorf("the results of %d stones cannot be read: %w", s.seeds, err)
		}
		t.layers[s.seeds] = l
	}
	if err := body.End(); err != nil {
		return nil, err
	}
	return t, nil
}
