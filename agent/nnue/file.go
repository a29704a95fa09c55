package nnue

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"unsafe"

	"kiothi/agent/release"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is a network on disk. Numbers are little-endian.
//
//	magic        8 bytes
//	version      uint32
//	length       uint32, of the description
//	description  JSON
//	parameters   tables, dense weights, dense biases, output weights, output biases, each as planes (see planes); all
//	             compressed as one DEFLATE stream
//	checksum     uint32, CRC-32C of all before it

// FileName is the name of a network's file in a folder of its own.
const FileName = "eval.nnue"

// MaxFileSize is the largest size of a file that is read, in bytes.
const MaxFileSize = 8 << 20

const (
	magic   = "kiothinn"
	version = 1
)

// A description says what is in a file.
type description struct {
	Game     string `json:"game"`
	Rules    string `json:"rules"` // canonical
	Features int    `json:"features"`
	Hidden   int    `json:"hidden"`
	Dense    int    `json:"dense"`
	Buckets  int    `json:"buckets"`
	Shift    uint   `json:"shift"`
	Provenance
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes the network to a file, which appears under its name when it is complete.
func (n *Network) Save(path string) error {
	if err := durable.WriteFile(path, n.Write); err != nil {
		return fmt.Errorf("writing an evaluation network: %w", err)
	}
	return nil
}

// Write writes what Save does.
func (n *Network) Write(file io.Writer) error {
	sum := crc32.New(castagnoli)
	w := io.MultiWriter(file, sum)
	text, err := json.Marshal(description{n.game, n.rules, FeatureVersion, n.hidden, Dense, Buckets, n.shift, n.provenance})
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	if _, err := w.Write(append(head, text...)); err != nil {
		return err
	}
	packed, err := flate.NewWriter(w, flate.BestCompression)
	if err != nil {
		return err
	}
	_, err = packed.Write(n.pack())
	if err := errors.Join(err, packed.Close()); err != nil {
		return err
	}
	return binary.Write(file, binary.LittleEndian, sum.Sum32())
}

// pack returns the parameters as planes, one part after the other.
func (n *Network) pack() []byte {
	data := planes(nil, n.tables)
	data = planes(data, n.dense)
	data = planes(data, n.bias)
	data = planes(data, n.output)
	return planes(data, n.last)
}

// unpack reads the parameters, all of them allocated.
func (n *Network) unpack(r io.Reader) error {
	return errors.Join(fromPlanes(r, n.tables), fromPlanes(r, n.dense), fromPlanes(r, n.bias), fromPlanes(r, n.output), fromPlanes(r, n.last))
}

// planes appends numbers: the lowest byte of each, then the second of each, and so on, which compresses better.
func planes[T int8 | int16 | int32](dst []byte, numbers []T) []byte {
	for shift := range unsafe.Sizeof(T(0)) {
		for _, x := range numbers {
			dst = append(dst, byte(x>>(8*shift)))
		}
	}
	return dst
}

// fromPlanes reads what planes wrote.
func fromPlanes[T int8 | int16 | int32](r io.Reader, numbers []T) error {
	plane := make([]byte, len(numbers))
	for shift := range unsafe.Sizeof(T(0)) {
		if _, err := io.ReadFull(r, plane); err != nil {
			return err
		}
		for i, b := range plane {
			numbers[i] |= T(b) << (8 * shift)
		}
	}
	return nil
}

// Open reads a network from a file, or from the file FileName in a folder; where there is nothing of that name, from one
// of those that the program carries (package release). It refuses what is not whole.
func Open(path string) (*Network, error) {
	if files, name := release.Find(path); files != nil {
		return openCarried(files, name)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		path = filepath.Join(path, FileName)
	}
	data, err := durable.ReadFile(path, MaxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evaluation network: %w; expected a file that kiothi distill learn wrote, or a folder with %s%s", err, FileName, release.Hint())
	}
	if err != nil {
		return nil, fmt.Errorf("evaluation network: %w", err)
	}
	n, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("evaluation network %s: %w", path, err)
	}
	return n, nil
}

// openCarried is Open for a file or folder of a file system.
func openCarried(files fs.FS, name string) (*Network, error) {
	if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
		name = path.Join(name, FileName)
	}
	data, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evaluation network: %s: the release has none", name)
	}
	if err != nil {
		return nil, fmt.Errorf("evaluation network: %w", err)
	}
	n, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("evaluation network %s: %w", name, err)
	}
	return n, nil
}

// OpenFor is Open for a network that must be of the game and rule set of g.
func OpenFor(path string, g mancala.Game) (*Network, error) {
	n, err := Open(path)
	if err != nil {
		return nil, err
	}
	if err := n.Check(g); err != nil {
		return nil, fmt.Errorf("evaluation network %s: %w", path, err)
	}
	return n, nil
}

// Check refuses a game that is not the network's, or is under other rules.
func (n *Network) Check(g mancala.Game) error {
	if n.game != g.Name() || n.rules != g.Rules() {
		return fmt.Errorf("it is for %s with rules %s, expected one for %s with rules %s", n.game, n.rules, g.Name(), g.Rules())
	}
	return nil
}

// Read reads a network from the content of its file. It refuses what is not whole, and parameters that could overflow.
func Read(data []byte) (*Network, error) {
	const head, tail = len(magic) + 8, 4
	if len(data) < len(magic) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("it is no evaluation network, expected a file that begins with %q", magic)
	}
	if len(data) < head+tail {
		return nil, fmt.Errorf("it ends after %d bytes, in its head; make it again", len(data))
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != version {
		return nil, fmt.Errorf("it has format version %d, expected %d; make it again", v, version)
	}
	body := data[:len(data)-tail]
	if got, want := crc32.Checksum(body, castagnoli), binary.LittleEndian.Uint32(data[len(body):]); got != want {
		return nil, fmt.Errorf("it is damaged or not whole: its checksum is %08x, expected %08x", got, want)
	}
	length := uint64(binary.LittleEndian.Uint32(body[head-4:]))
	if length > uint64(len(body)-head) {
		return nil, fmt.Errorf("its description has %d bytes, but only %d follow", length, len(body)-head)
	}
	text, packed := body[head:head+int(length)], body[head+int(length):]
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("its description cannot be read: %w", err)
	}
	return d.unpack(packed)
}

// unpack makes the network that the description is of.
func (d *description) unpack(packed []byte) (*Network, error) {
	g, err := games.Open(d.Game, d.Rules)
	if err != nil {
		return nil, err
	}
	if d.Features != FeatureVersion || d.Dense != Dense || d.Buckets != Buckets {
		return nil, fmt.Errorf("it has features of version %d, %d dense units and %d buckets, expected version %d, %d and %d; learn it again",
			d.Features, d.Dense, d.Buckets, FeatureVersion, Dense, Buckets)
	}
	if err := checkHidden(d.Hidden); err != nil {
		return nil, err
	}
	l, err := LayoutOf(g)
	if err != nil {
		return nil, err
	}
	n := &Network{game: g.Name(), rules: g.Rules(), provenance: d.Provenance, layout: l, hidden: d.Hidden, shift: d.Shift}
	n.allocate()
	r := flate.NewReader(bytes.NewReader(packed))
	if err := n.unpack(r); err != nil {
		return nil, fmt.Errorf("its parameters cannot be read: %w", err)
	}
	if k, err := io.Copy(io.Discard, io.LimitReader(r, 1)); k != 0 || err != nil {
		return nil, fmt.Errorf("more follows its parameters (%v), expected the end", err)
	}
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("its parameters are out of range: %w", err)
	}
	return n.finish(), nil
}
