package endgame

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"

	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is a table on disk. Numbers are little-endian.
//
//	magic        8 bytes
//	version      uint32
//	length       uint32, of the description
//	description  JSON
//	results      of each layer, the smallest first: layer.result, layer.from; all compressed as one DEFLATE stream
//	checksum     uint32, CRC-32C of all before it

const (
	magic   = "kioendgm"
	version = 1
)

// maxFile is the largest size of a file that is read, in bytes: two bytes for each position of the largest layer, uncompressed.
const maxFile = 2 * maxLayer

// mostPacked is how many times its own size DEFLATE can expand to, at the most.
const mostPacked = 1032

// A description says what is in a file.
type description struct {
	Game  string `json:"game"`
	Rules string `json:"rules"` // canonical
	Scope
	Positions int64 `json:"positions"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes the table to a file, which appears under its name when it is complete.
func (t *Table) Save(path string) error {
	if err := durable.WriteFile(path, t.Write); err != nil {
		return fmt.Errorf("writing an end-game table: %w", err)
	}
	return nil
}

// Write writes what Save does.
func (t *Table) Write(file io.Writer) error {
	sum := crc32.New(castagnoli)
	w := io.MultiWriter(file, sum)
	text, err := json.Marshal(description{t.game.Name(), t.game.Rules(), t.scope, t.Positions()})
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	// The fastest level: the slower ones save a seventh of the size for ten times the time and more.
	packed, err := flate.NewWriter(w, flate.BestSpeed)
	if err != nil {
		return err
	}
	for _, l := range t.layers {
		if l == nil {
			continue
		}
		if err := binary.Write(packed, binary.LittleEndian, l.result); err != nil {
			return err
		}
		if _, err := packed.Write(l.from); err != nil {
			return err
		}
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return binary.Write(file, binary.LittleEndian, sum.Sum32())
}

// Open reads a table from a file, and opens its game. It refuses files that are not whole.
func Open(path string) (*Table, error) {
	data, err := durable.ReadFile(path, maxFile)
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
	const head, tail = len(magic) + 8, 4
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("it is no end-game table; make one with kiothi endgame")
	}
	if len(data) < head+tail {
		return nil, fmt.Errorf("it ends after %d bytes, in its head; build it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != version {
		return nil, fmt.Errorf("it has format version %d, expected %d; build it again", v, version)
	}
	body := data[:len(data)-tail]
	if got, want := crc32.Checksum(body, castagnoli), binary.LittleEndian.Uint32(data[len(body):]); got != want {
		return nil, fmt.Errorf("it is damaged or not whole: its checksum is %08x, expected %08x; build it again", got, want)
	}
	length := uint64(binary.LittleEndian.Uint32(body[head-4:]))
	if length > uint64(len(body)-head) {
		return nil, fmt.Errorf("its description has %d bytes, but only %d follow; build it again", length, len(body)-head)
	}
	text, packed := body[head:head+int(length)], body[head+int(length):]
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("its description cannot be read: %w", err)
	}
	return d.unpack(packed)
}

// unpack makes the table that the description is of.
func (d *description) unpack(packed []byte) (*Table, error) {
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return nil, err
	}
	shapes, err := d.shapes(g)
	if err != nil {
		return nil, err
	}
	// What a file cannot hold must not be allocated.
	size := uint64(0)
	for _, s := range shapes {
		size += 2 * s.size
	}
	if size > mostPacked*uint64(len(packed)) {
		return nil, fmt.Errorf("%d bytes of it cannot hold the %d of its results; build it again", len(packed), size)
	}
	t := &Table{game: g, scope: d.Scope, clock: g.ClockLimit()}
	r := flate.NewReader(bytes.NewReader(packed))
	for _, s := range shapes {
		l := &layer{newIndex(g.Width(), s.seeds, s.marked), make([]int8, s.size), make([]uint8, s.size)}
		if err := binary.Read(r, binary.LittleEndian, l.result); err != nil {
			return nil, fmt.Errorf("the results of %d stones cannot be read: %w", s.seeds, err)
		}
		if _, err := io.ReadFull(r, l.from); err != nil {
			return nil, fmt.Errorf("the results of %d stones cannot be read: %w", s.seeds, err)
		}
		t.layers[s.seeds] = l
	}
	if n, err := io.Copy(io.Discard, io.LimitReader(r, 1)); n != 0 || err != nil {
		return nil, fmt.Errorf("more follows the results (%v), expected the end", err)
	}
	return t, nil
}
