package framed

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
)

// This file reads a file of the frame.

// Read reads the content of a whole file: the description into a pointer, as package json does, and the body to be read. It
// refuses what is not what Write wrote.
func (f *Format) Read(data []byte, description any) (*Body, error) {
	if !f.Begins(data) {
		return nil, f.refuse("it is no %s: it begins with %q, expected %q", f.Name, data[:min(len(data), magicSize)], f.Magic)
	}
	if len(data) < headSize+sumSize {
		return nil, f.refuse("it ends after %d bytes, in its head", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[magicSize:]); v != f.Version {
		return nil, f.refuse("it has format version %d, expected %d", v, f.Version)
	}
	whole := data[:len(data)-sumSize]
	if found, written := crc32.Checksum(whole, castagnoli), binary.LittleEndian.Uint32(data[len(whole):]); found != written {
		return nil, f.refuse("it is damaged or not whole: its checksum is %08x, expected %08x", found, written)
	}
	length, rest := binary.LittleEndian.Uint32(whole[headSize-4:]), whole[headSize:]
	if uint64(length) > uint64(len(rest)) {
		return nil, f.refuse("its description has %d bytes, but only %d follow", length, len(rest))
	}
	if err := json.Unmarshal(rest[:length], description); err != nil {
		return nil, f.refuse("its description cannot be read: %w", err)
	}
	packed := bytes.NewReader(rest[length:])
	return &Body{flate.NewReader(packed), f, packed, packed.Len()}, nil
}

// Begins reports whether data begins as files of the format do.
func (f *Format) Begins(data []byte) bool { return bytes.HasPrefix(data, []byte(f.Magic)) }

// refuse returns an error that ends with what to do.
func (f *Format) refuse(format string, args ...any) error {
	return fmt.Errorf(format+"; %s", append(args, f.Remedy)...)
}

// mostPacked is how many times its own size DEFLATE can expand to, at the most.
const mostPacked = 1032

// A Body is the body of a file, expanded while it is read: no more than is asked for.
type Body struct {
	io.Reader
	format *Format
	packed *bytes.Reader // what is left of it
	size   int           // of it at the start, in bytes
}

// Holds refuses a size, in bytes, that the body cannot have. It is to be asked before memory of a size that the description
// claims is allocated.
func (b *Body) Holds(size uint64) error {
	if size > mostPacked*uint64(b.size) {
		return b.format.refuse("%d bytes of it cannot hold the %d of its %s", b.size, size, b.format.Body)
	}
	return nil
}

// End refuses a file in which more follows.
func (b *Body) End() error {
	switch n, err := io.ReadFull(b, make([]byte, 1)); {
	case n > 0:
		return b.format.refuse("more follows its %s, expected the end", b.format.Body)
	case err != io.EOF:
		return b.format.refuse("the end of its %s cannot be read: %w", b.format.Body, err)
	case b.packed.Len() > 0:
		return b.format.refuse("%d bytes follow its %s, expected none", b.packed.Len(), b.format.Body)
	}
	return nil
}
