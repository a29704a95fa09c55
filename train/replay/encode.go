package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"kiothi/env/mancala"
)

// This file is the bytes of a game. Numbers are unsigned varints (encoding/binary) unless a width is given, and fixed
// widths are little-endian:
//
//	stream, number, seed (8 bytes), start (length, bytes), resume (length, bytes), end (1 byte), final (2 bytes),
//	number of plies, number of policy entries in all plies, then for each ply:
//	    action, flags (1 byte), value (4 bytes), number of entries, then for each entry:
//	        action minus the previous entry's minus 1 (the first: the action), weight minus 1
//
// No general compression follows: most entries take two or three bytes, and whole games a few kilobytes.

// The limits of a record's parts, in bytes. They are far above what a game needs.
const (
	maxText  = 1 << 10
	maxPlies = 1 << 20
)

// minPly and minEntry are the fewest bytes that a ply and an entry take. A count that the bytes left cannot hold is
// refused before anything is allocated for it.
const (
	minPly   = 1 + 1 + 4 + 1
	minEntry = 1 + 1
)

// appendGame appends the bytes of a game.
func appendGame(dst []byte, g *Game) ([]byte, error) {
	if len(g.Start) > maxText || len(g.Resume) > maxText || len(g.Plies) > maxPlies {
		return dst, fmt.Errorf("game %s: found a start of %d bytes, %d bytes to resume from and %d plies, expected at most %d, %d and %d",
			g.ID, len(g.Start), len(g.Resume), len(g.Plies), maxText, maxText, maxPlies)
	}
	dst = binary.AppendUvarint(dst, g.ID.Stream)
	dst = binary.AppendUvarint(dst, g.ID.Number)
	dst = binary.LittleEndian.AppendUint64(dst, g.Seed)
	dst = binary.AppendUvarint(dst, uint64(len(g.Start)))
	dst = append(dst, g.Start...)
	dst = binary.AppendUvarint(dst, uint64(len(g.Resume)))
	dst = append(dst, g.Resume...)
	dst = append(dst, byte(g.End), g.Final[0], g.Final[1])
	dst = binary.AppendUvarint(dst, uint64(len(g.Plies)))
	dst = binary.AppendUvarint(dst, uint64(len(g.policy)))
	for i, ply := range g.Plies {
		dst = binary.AppendUvarint(dst, uint64(ply.Action))
		dst = append(dst, byte(ply.Flags))
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(ply.Value))
		policy := g.Policy(i)
		dst = binary.AppendUvarint(dst, uint64(len(policy)))
		next := uint16(0)
		for _, e := range policy {
			dst = binary.AppendUvarint(dst, uint64(e.Action-next))
			dst = binary.AppendUvarint(dst, uint64(e.Weight-1))
			next = e.Action + 1
		}
	}
	return dst, nil
}

// errShort says that the bytes of a game end too soon.
var errShort = errors.New("found the end of the record inside it")

// decodeGame reads the bytes of a game, all of them. It checks what the bytes alone tell; the rest is Game.Check's.
func decodeGame(data []byte) (*Game, error) {
	d := decoder{data: data}
	g := &Game{}
	g.ID.Stream = d.number(math.MaxUint64)
	g.ID.Number = d.number(math.MaxUint64)
	if b := d.bytes(8); b != nil {
		g.Seed = binary.LittleEndian.Uint64(b)
	}
	g.Start = string(d.bytes(int(d.number(maxText))))
	if b := d.bytes(int(d.number(maxText))); len(b) > 0 {
		g.Resume = append(g.Resume, b...)
	}
	if b := d.bytes(3); b != nil {
		g.End, g.Final = mancala.Reason(b[0]), [2]uint8{b[1], b[2]}
		if g.End > mancala.Exhausted {
			d.fail(fmt.Errorf("found the end %d, expected at most %d", g.End, mancala.Exhausted))
		}
	}
	plies := int(d.number(uint64(len(d.data) / minPly)))
	entries := int(d.number(uint64(len(d.data) / minEntry)))
	if d.err != nil {
		return nil, d.err
	}
	g.Plies = make([]Ply, 0, plies)
	g.policy = make([]Entry, 0, entries)
	for range plies {
		d.ply(g)
		if d.err != nil {
			return nil, d.err
		}
	}
	if len(d.data) > 0 {
		return nil, fmt.Errorf("found %d bytes after the last ply, expected none", len(d.data))
	}
	if len(g.policy) != entries {
		return nil, fmt.Errorf("found %d policy entries, expected %d", len(g.policy), entries)
	}
	return g, nil
}

// A decoder takes numbers and bytes from the front of data. After the first error it gives zeros.
type decoder struct {
	data []byte
	err  error
}

// fail records the first error.
func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err, d.data = err, nil
	}
}

// number takes a varint of at most limit.
func (d *decoder) number(limit uint64) uint64 {
	n, size := binary.Uvarint(d.data)
	if size <= 0 {
		d.fail(errShort)
		return 0
	}
	if n > limit {
		d.fail(fmt.Errorf("found the number %d, expected at most %d", n, limit))
		return 0
	}
	d.data = d.data[size:]
	return n
}

// bytes takes n bytes. They are nil after an error.
func (d *decoder) bytes(n int) []byte {
	if n > len(d.data) {
		d.fail(errShort)
	}
	if d.err != nil {
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

// ply takes a ply and appends it to the game.
func (d *decoder) ply(g *Game) {
	ply := Ply{Action: uint16(d.number(math.MaxUint16))}
	if b := d.bytes(5); b != nil {
		ply.Flags, ply.Value = Flags(b[0]), math.Float32frombits(binary.LittleEndian.Uint32(b[1:]))
	}
	next := uint64(0)
	for range d.number(uint64(len(d.data) / minEntry)) {
		if next > math.MaxUint16 {
			d.fail(fmt.Errorf("found an entry after action %d, expected none", math.MaxUint16))
			return
		}
		action := next + d.number(math.MaxUint16-next)
		g.policy = append(g.policy, Entry{uint16(action), uint16(d.number(Unit-1) + 1)})
		next = action + 1
	}
	ply.end = uint32(len(g.policy))
	g.Plies = append(g.Plies, ply)
}
