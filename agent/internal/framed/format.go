package framed

import (
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
)

// This file is the frame and its writer. Numbers are little-endian.
//
//	magic        8 bytes
//	version      uint32
//	length       uint32, of the description
//	description  JSON
//	body         one DEFLATE stream
//	checksum     uint32, CRC-32C of all before it

const (
	magicSize = 8
	headSize  = magicSize + 4 + 4 // of magic, version and length
	sumSize   = 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A Format is a kind of file.
type Format struct {
	Magic   string // 8 bytes, with which every file begins
	Version uint32 // of description and body
	Name    string // what a file is, such as "end-game table"
	Body    string // what the body holds, such as "results"
	Remedy  string // what to do where a file cannot be read, such as "build it again"
}

// Write writes a file: its description, which JSON can hold, and what body writes, compressed at a level of package flate.
func (f *Format) Write(w io.Writer, description any, level int, body func(io.Writer) error) error {
	if len(f.Magic) != magicSize {
		panic(fmt.Sprintf("framed: the magic word %q has %d bytes, expected %d", f.Magic, len(f.Magic), magicSize))
	}
	text, err := json.Marshal(description)
	if err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	summed := io.MultiWriter(w, sum)
	head := binary.LittleEndian.AppendUint32([]byte(f.Magic), f.Version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	if _, err := summed.Write(append(head, text...)); err != nil {
		return err
	}
	packed, err := flate.NewWriter(summed, level)
	if err != nil {
		return err
	}
	if err := body(packed); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum32())
}
