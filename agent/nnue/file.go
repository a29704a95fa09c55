package nnue

import (
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"unsafe"

	"kiothi/agent/internal/framed"
	"kiothi/agent/release"
	"kiothi/env/durable"
	"kiothi/env/games"
	"kiothi/env/mancala"
)

// This file is a network on disk: the frame of package framed around the tables, dense weights, dense biases, output weights
// and output biases, each as planes (see planes).

// FileName is the name of a network's file in a folder of its own.
const FileName = string(release.Evaluation)

// maxFileSize is the largest size of a file that is read, in bytes.
const maxFileSize = 8 << 20

var format = framed.Format{
	Magic: "kiothinn", Version: 1, Name: "evaluation network", Body: "parameters",
	Remedy: "get the file again, or learn it again with kiothi distill learn",
}

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

// Save writes the network to a file, which appears under its name when it is complete.
func (n *Network) Save(path string) error {
	if err := durable.WriteFile(path, n.Write); err != nil {
		return fmt.Errorf("writing an evaluation network: %w", err)
	}
	return nil
}

// Write writes what Save does.
func (n *Network) Write(file io.Writer) error {
	d := description{n.game, n.rules, FeatureVersion, n.hidden, Dense, Buckets, n.shift, n.provenance}
	return format.Write(file, d, flate.BestCompression, func(body io.Writer) error {
		_, err := body.Write(n.pack())
		return err
	})
}

// Checksum returns the SHA-256 of the parameters, in hexadecimal: networks of one game and rule set with the same one play alike,
// wherever they lie and whatever is said of them.
func (n *Network) Checksum() string {
	sum := sha256.Sum256(n.pack())
	return hex.EncodeToString(sum[:])
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
	data, err := durable.ReadFile(path, maxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evaluation network: %w; expected a file that kiothi distill learn wrote, or a folder with %s%s", err, FileName, release.Evaluation.Hint())
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
	if err := release.Evaluation.Lacking(name); err != nil {
		return nil, fmt.Errorf("evaluation network: %w", err)
	}
	if info, err := fs.Stat(files, name); err == nil && info.IsDir() {
		name = path.Join(name, FileName)
	}
	data, err := fs.ReadFile(files, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("evaluation network: %s: there is no such release or file in one%s", name, release.Evaluation.Hint())
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
	var d description
	body, err := format.Read(data, &d)
	if err != nil {
		return nil, err
	}
	return d.unpack(body)
}

// unpack makes the network that the description is of.
func (d *description) unpack(body *framed.Body) (*Network, error) {
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
	if err := n.unpack(body); err != nil {
		return nil, fmt.Errorf("its parameters cannot be read: %w", err)
	}
	if err := body.End(); err != nil {
		return nil, err
	}
	if err := n.check(); err != nil {
		return nil, fmt.Errorf("its parameters are out of range: %w", err)
	}
	return n.finish(), nil
}
